import { readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type LogFile, type LogFiles, nodeFiles } from "./files.ts"
import { LogFullError, openLog } from "./log.ts"
import { HEADER_BYTES, MAX_PAYLOAD_BYTES } from "./record.ts"
import { ERROR, makeFolder, partsOf, readAll, rememberingLogger, textsOf } from "./test-log.ts"

const { logger } = rememberingLogger()
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `record ${index}`)

/** The real files, with the data syncs counted. */
function countingFiles(): { files: LogFiles; counts: { syncs: number } } {
  const counts = { syncs: 0 }
  const counted = (file: LogFile): LogFile => ({
    ...file,
    syncData: () => {
      counts.syncs += 1
      return file.syncData()
    },
  })
  const create = async (file: string) => counted(await nodeFiles.create(file))
  return { files: { ...nodeFiles, create }, counts }
}

async function segmentNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".log")).sort()
}

describe("appending and reading", () => {
  test("what was appended is read back in order, with its positions, in pieces of any size", async () => {
    const texts = fc.array(fc.string({ maxLength: 60 }), { minLength: 1, maxLength: 12 })
    const sizes = fc.record({
      segmentBytes: fc.integer({ min: 1, max: 400 }),
      maxBytes: fc.integer({ min: 0, max: 400 }),
    })
    const rule = fc.asyncProperty(texts, sizes, async (all, { segmentBytes, maxBytes }) => {
      await using place = await makeFolder()
      await using log = await openLog({ folder: place.folder, logger, segmentBytes })
      const positions = await Promise.all(all.map((text) => log.append(partsOf(text))))
      const records = await readAll(log, 0, maxBytes)
      expect(textsOf(records)).toEqual(all)
      expect(records.map(({ position }) => position)).toEqual(positions)
      expect(records.at(-1)?.next).toBe(log.end())
      expect(log.stats()).toEqual({ corruptRecords: 0, corruptBytes: 0, tornBytes: 0 })
    })
    await fc.assert(rule, { numRuns: 15 })
  })

  test("many appends at once share their syncs", async () => {
    await using place = await makeFolder()
    const { files, counts } = countingFiles()
    await using log = await openLog({ folder: place.folder, logger, files })
    const texts = numbered(5_000)
    const positions = await Promise.all(texts.map((text) => log.append([Buffer.from(text)])))
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    expect(textsOf(await readAll(log, 0, 100_000))).toEqual(texts)
    expect(counts.syncs).toBe(1)
  })

  test("appends that come while a sync is under way go into the next one together", async () => {
    await using place = await makeFolder()
    const { files, counts } = countingFiles()
    await using log = await openLog({ folder: place.folder, logger, files })
    const client = async (name: number) => {
      for (let turn = 0; turn < 5; turn++) await log.append([Buffer.from(`${name}: ${turn}`)])
    }
    await Promise.all(Array.from({ length: 50 }, (_, name) => client(name)))
    expect(await readAll(log)).toHaveLength(250)
    expect(counts.syncs).toBeLessThanOrEqual(10)
  })

  test("an append that follows the last one at once is not forgotten", async () => {
    await using place = await makeFolder()
    await using log = await openLog({ folder: place.folder, logger })
    for (const text of numbered(20)) await log.append([Buffer.from(text)]).then(() => undefined)
    expect(textsOf(await readAll(log))).toEqual(numbered(20))
  })

  test("large and empty parts and an empty record are kept as they are", async () => {
    await using place = await makeFolder()
    await using log = await openLog({ folder: place.folder, logger, segmentBytes: 100_000 })
    const large = Buffer.alloc(300_000, "fern")
    const given = [[large, Buffer.from("moss"), large], [], [Buffer.alloc(0)]]
    await Promise.all(given.map((parts) => log.append(parts)))
    const records = await readAll(log, 0, 1_000)
    expect(records.map(({ payload }) => payload.length)).toEqual([600_004, 0, 0])
    expect(records[0]?.payload.equals(Buffer.concat(given[0] ?? []))).toBe(true)
  })

  test("a payload that was read stays the same while others are read", async () => {
    await using place = await makeFolder()
    await using log = await openLog({ folder: place.folder, logger })
    await Promise.all(numbered(100).map((text) => log.append([Buffer.from(text)])))
    const first = await log.read(0, 64)
    await Promise.all([readAll(log), readAll(log, 0, 1_000)])
    expect(textsOf(first.records)[0]).toBe("record 0")
  })

  test("reading goes on beside appending, and sees durable records only", async () => {
    await using place = await makeFolder()
    await using log = await openLog({ folder: place.folder, logger, segmentBytes: 500 })
    const texts = numbered(200)
    const acked = new Set<string>()
    const writing = Promise.all(
      texts.map(async (text) => {
        await log.append([Buffer.from(text)])
        acked.add(text)
      }),
    )
    const seen: string[] = []
    for (let at = 0; seen.length < texts.length; ) {
      await log.waitPast(at, AbortSignal.timeout(5_000))
      const { records, next } = await log.read(at, 300)
      seen.push(...textsOf(records))
      expect(next).toBeLessThanOrEqual(log.end())
      at = next
    }
    await writing
    expect(seen).toEqual(texts)
    expect(log.stats().corruptBytes).toBe(0)
  })

  test("a record that is too large is refused", async () => {
    await using place = await makeFolder()
    await using log = await openLog({ folder: place.folder, logger })
    const half = Buffer.alloc(MAX_PAYLOAD_BYTES / 2)
    await expect(log.append([half, half, Buffer.alloc(1)])).rejects.toThrow("too large")
    expect(log.end()).toBe(0)
  })
})

describe("waiting", () => {
  test("ends when the log has grown past the position", async () => {
    await using place = await makeFolder()
    await using log = await openLog({ folder: place.folder, logger })
    const waiting = log.waitPast(0, new AbortController().signal)
    await log.append([Buffer.from("ana")])
    expect(await waiting).toBe(true)
    expect(await log.waitPast(0, AbortSignal.abort())).toBe(true)
  })

  test("ends when the signal aborts, and when the log closes", async () => {
    await using place = await makeFolder()
    await using log = await openLog({ folder: place.folder, logger })
    const aborting = new AbortController()
    const waiting = log.waitPast(0, aborting.signal)
    const other = log.waitPast(0, new AbortController().signal)
    aborting.abort()
    expect(await waiting).toBe(false)
    expect(await log.waitPast(0, aborting.signal)).toBe(false)
    await log.close()
    expect(await other).toBe(false)
    expect(await log.waitPast(0, new AbortController().signal)).toBe(false)
  })
})

describe("opening and closing", () => {
  test("a log opened again has its id, its positions and its records", async () => {
    await using place = await makeFolder()
    const options = { folder: place.folder, logger, segmentBytes: 100 }
    const texts: string[] = []
    const ids = new Set<string>()
    let end = 0
    for (const round of numbered(3)) {
      await using log = await openLog(options)
      ids.add(log.id)
      expect(log.end()).toBe(end)
      for (const text of [`${round} ana`, `${round} bo`]) {
        texts.push(text)
        expect(await log.append([Buffer.from(text)])).toBeGreaterThanOrEqual(end)
        end = log.end()
      }
      expect(textsOf(await readAll(log))).toEqual(texts)
    }
    expect(ids.size).toBe(1)
  })

  test("opening again and again without appending leaves no files behind", async () => {
    await using place = await makeFolder()
    for (let round = 0; round < 3; round++) await (await openLog({ ...place, logger })).close()
    expect(await segmentNames(place.folder)).toHaveLength(1)
  })

  test("a folder has one owner", async () => {
    await using place = await makeFolder()
    await using _log = await openLog({ folder: place.folder, logger })
    await expect(openLog({ folder: place.folder, logger })).rejects.toThrow("is held by")
  })

  test("closing waits for what was appended, and refuses what comes later", async () => {
    await using place = await makeFolder()
    const log = await openLog({ folder: place.folder, logger })
    const waiting = log.append([Buffer.from("ana")])
    await Promise.all([log.close(), log.close()])
    expect(await waiting).toBe(0)
    await expect(log.append([Buffer.from("bo")])).rejects.toThrow("closed")
    await using again = await openLog({ folder: place.folder, logger })
    expect(textsOf(await readAll(again))).toEqual(["ana"])
  })

  test.each([
    ["is damaged", "log-id", "no id at all"],
    ["is gone", "log-id", undefined],
    ["has lost its segments", "0000000000000000.log", undefined],
  ])("a log whose id %s gets a new one, loudly", async (_what, name, text) => {
    await using place = await makeFolder()
    const log = await openLog({ folder: place.folder, logger })
    await log.append([Buffer.from("ana")])
    await log.close()
    const file = path.join(place.folder, name)
    if (text === undefined) await nodeFiles.remove(file)
    else await writeFile(file, text)
    const remembering = rememberingLogger()
    await using again = await openLog({ folder: place.folder, logger: remembering.logger })
    expect(again.id).not.toBe(log.id)
    expect(remembering.lines).toMatchObject([{ level: ERROR, id: again.id }])
  })

  test("a log of a format to come is refused", async () => {
    await using place = await makeFolder()
    const log = await openLog({ folder: place.folder, logger })
    await log.close()
    const text = `hedgerow log, format 2\n${log.id}\n`
    await writeFile(path.join(place.folder, "log-id"), text)
    await expect(openLog({ folder: place.folder, logger })).rejects.toThrow("format 2")
  })
})

describe("releasing", () => {
  test("deletes whole segments before the position, and keeps the last one", async () => {
    await using place = await makeFolder()
    const options = { folder: place.folder, logger, segmentBytes: 2 * (HEADER_BYTES + 8) }
    await using log = await openLog(options)
    for (const text of numbered(6)) await log.append([Buffer.from(text)])
    const records = await readAll(log)
    expect(await segmentNames(place.folder)).toHaveLength(3)
    await log.release(records[3]?.position ?? 0)
    expect(log.start()).toBe(records[2]?.position)
    expect(textsOf(await readAll(log))).toEqual(numbered(6).slice(2))
    const bytesBefore = log.bytesOnDisk()
    await log.release(log.end() + 1_000)
    expect(await segmentNames(place.folder)).toHaveLength(1)
    expect(log.bytesOnDisk()).toBeLessThan(bytesBefore)
  })

  test("positions go on growing after everything is released and the log is opened again", async () => {
    await using place = await makeFolder()
    const options = { folder: place.folder, logger, segmentBytes: 1 }
    const log = await openLog(options)
    for (const text of numbered(4)) await log.append([Buffer.from(text)])
    await log.release(log.end())
    await log.close()
    await using again = await openLog(options)
    expect(again.id).toBe(log.id)
    expect(await again.append([Buffer.from("bo")])).toBe(log.end())
    await again.release(again.end())
    expect(again.start()).toBe(log.end())
    expect(await again.read(again.end(), 100)).toEqual({ records: [], next: again.end() })
  })

  test("a read of what is being released ends well", async () => {
    await using place = await makeFolder()
    await using log = await openLog({ folder: place.folder, logger, segmentBytes: 1 })
    await Promise.all(numbered(30).map((text) => log.append([Buffer.from(text)])))
    await Promise.all([readAll(log), log.release(log.end()), readAll(log)])
    expect(log.stats().corruptBytes).toBe(0)
  })
})

describe("the budget", () => {
  const payload = Buffer.alloc(100 - HEADER_BYTES, "x")

  test("an append that would exceed it is refused, those waiting included", async () => {
    await using place = await makeFolder()
    await using log = await openLog({ folder: place.folder, logger, budgetBytes: 1_000 })
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, () => log.append([payload])),
    )
    const refusals = results.filter((result) => result.status === "rejected")
    expect(refusals).toHaveLength(2)
    for (const { reason } of refusals) {
      expect(reason).toBeInstanceOf(LogFullError)
      expect(reason).toMatchObject({ reason: "budget" })
    }
    expect(log.bytesOnDisk()).toBe(1_000)
  })

  test("there is room again after a release, also when one segment holds it all", async () => {
    await using place = await makeFolder()
    await using log = await openLog({ folder: place.folder, logger, budgetBytes: 1_000 })
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 10; count++) await log.append([payload])
      await expect(log.append([payload])).rejects.toMatchObject({ reason: "budget" })
      await log.release(log.end())
      expect(log.bytesOnDisk()).toBe(0)
    }
    expect(log.start()).toBe(3_000)
  })
})

test("what was appended before a roll is in no file once it is released", async () => {
  await using place = await makeFolder()
  await using log = await openLog({ folder: place.folder, logger })
  await log.append(partsOf("to be forgotten"))
  await log.roll()
  await log.release(log.end())
  await log.append(partsOf("kept"))
  const names = await segmentNames(place.folder)
  const texts = await Promise.all(
    names.map((name) => readFile(path.join(place.folder, name), "latin1")),
  )
  expect(texts.join("")).not.toContain("forgotten")
  expect(texts.join("")).toContain("kept")
})

test("after a skip nothing is appended before the position, also after another start", async () => {
  await using place = await makeFolder()
  {
    await using log = await openLog({ folder: place.folder, logger })
    await log.append(partsOf("before"))
    await log.skipTo(10_000)
    expect(log.end()).toBe(10_000)
    expect(await log.append(partsOf("after"))).toBe(10_000)
  }
  await using again = await openLog({ folder: place.folder, logger })
  expect(textsOf(await readAll(again))).toEqual(["before", "after"])
  expect(await again.append(partsOf("later"))).toBeGreaterThan(10_000)
})
