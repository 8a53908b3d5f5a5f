import { open, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { encodeBatch } from "./batch.ts"
import { Damage } from "./damage.ts"
import { openLog } from "./log.ts"
import { Reader } from "./reader.ts"
import { HEADER_BYTES, payloadCrc } from "./record.ts"
import { recoverSegments } from "./recovery.ts"
import { segmentFile } from "./segment-file.ts"
import { SimulatedDisk, systemError } from "./simulated-disk.ts"
import { ERROR, makeFolder, readAll, rememberingLogger, textsOf, WARN } from "./test-log.ts"

const TEXTS = ["ana", "bo and more", "", "cleo", "di"]
const FOLDER = "disk"

function encode(texts: readonly string[], start = 0): Buffer {
  const appends = texts.map((text) => {
    const parts = [Buffer.from(text)]
    const facts = { payloadBytes: Buffer.byteLength(text), payloadCrc: payloadCrc(parts) }
    return { parts, ...facts, resolve: () => {}, reject: () => {} }
  })
  return Buffer.concat(encodeBatch(appends, start).parts)
}

/** Where the records end, the beginning included. */
const BOUNDS = [0, ...TEXTS.map((_, index) => encode(TEXTS.slice(0, index + 1)).length)]

async function diskWith(segments: Readonly<Record<number, Buffer>>): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk()
  for (const [start, bytes] of Object.entries(segments)) {
    const file = await disk.create(segmentFile(FOLDER, Number(start)))
    await file.write([bytes], 0)
    await file.sync()
  }
  await disk.syncFolder(FOLDER)
  return disk
}

async function recover(files: SimulatedDisk) {
  const { logger, lines } = rememberingLogger()
  const damage = new Damage(logger)
  const { segments, active } = await recoverSegments({ folder: FOLDER, files, logger, damage })
  const reader = new Reader({ folder: FOLDER, files, segments, damage })
  const readable = { end: () => segments.end(), read: reader.read.bind(reader) }
  const read = async (from = 0) => textsOf(await readAll(readable, from, 40))
  return { segments, active, damage, lines, read, reader }
}

describe("a last segment that is cut at any byte", () => {
  const cuts = Array.from({ length: encode(TEXTS).length + 1 }, (_, cut) => cut)

  test("gives the whole records before the cut, and says how many bytes were torn", async () => {
    for (const cut of cuts) {
      const disk = await diskWith({ 0: encode(TEXTS).subarray(0, cut) })
      const { read, damage, lines, segments } = await recover(disk)
      const wholeCount = BOUNDS.filter((bound) => bound > 0 && bound <= cut).length
      const tornBytes = cut - (BOUNDS[wholeCount] ?? 0)
      expect(await read()).toEqual(TEXTS.slice(0, wholeCount))
      expect(damage.counts()).toEqual({ corruptRecords: 0, corruptBytes: 0, tornBytes })
      const torn = { level: WARN, segment: 0, bytes: tornBytes }
      expect(lines).toMatchObject(tornBytes > 0 ? [torn] : [])
      // Positions that were used are not used again.
      expect(segments.end()).toBe(cut)
    }
  })

  test("is quiet when it is opened once more", async () => {
    for (const cut of cuts) {
      const disk = await diskWith({ 0: encode(TEXTS).subarray(0, cut) })
      const first = await recover(disk)
      const again = await recover(disk)
      expect(again.lines).toEqual([])
      expect(await again.read()).toEqual(await first.read())
      expect(again.segments.end()).toBe(first.segments.end())
    }
  })
})

describe("damage", () => {
  test("of any byte costs the record it is in, whichever segment that is, and is counted once", async () => {
    const bytes = encode(TEXTS)
    const end = bytes.length
    for (let at = 0; at < end; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] as number) ^ 0x55
      const victim = BOUNDS.findLastIndex((bound) => bound <= at)
      const kept = TEXTS.toSpliced(victim, 1)
      const lostBytes = (BOUNDS[victim + 1] ?? 0) - (BOUNDS[victim] ?? 0)
      const isLast = victim === TEXTS.length - 1

      const inLast = await recover(await diskWith({ 0: damaged }))
      expect(await inLast.read()).toEqual(kept)
      expect(inLast.damage.counts()).toEqual({
        corruptRecords: isLast ? 0 : 1,
        corruptBytes: isLast ? 0 : lostBytes,
        tornBytes: isLast ? lostBytes : 0,
      })

      const older = await recover(await diskWith({ 0: damaged, [end]: encode(["eve"], end) }))
      expect(await older.read()).toEqual([...kept, "eve"])
      expect(await older.read()).toEqual([...kept, "eve"])
      const corrupt = { corruptRecords: 1, corruptBytes: lostBytes, tornBytes: 0 }
      expect(older.damage.counts()).toEqual(corrupt)
      const line = { level: ERROR, segment: 0, offset: BOUNDS[victim], bytes: lostBytes }
      expect(older.lines).toMatchObject([line])
    }
  })

  test("of any number of bytes never gives a wrong payload, nor an error", async () => {
    const flips = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 40 })
    const rule = fc.asyncProperty(flips, fc.boolean(), async (places, isOlder) => {
      const bytes = encode(TEXTS)
      const damaged = Buffer.from(bytes)
      for (const [place, byte] of places) damaged[place % bytes.length] = byte
      const next = isOlder ? { [bytes.length]: encode(["eve"], bytes.length) } : {}
      const { read, damage } = await recover(await diskWith({ 0: damaged, ...next }))
      const isWhole = (index: number) => {
        const [from, to] = [BOUNDS[index] ?? 0, BOUNDS[index + 1] ?? 0]
        return damaged.subarray(from, to).equals(bytes.subarray(from, to))
      }
      const kept = TEXTS.filter((_, index) => isWhole(index))
      expect(await read()).toEqual(isOlder ? [...kept, "eve"] : kept)
      const { corruptBytes, tornBytes } = damage.counts()
      const keptBytes = encode(kept).length
      expect(corruptBytes + tornBytes).toBe(bytes.length - keptBytes)
    })
    await fc.assert(rule, { numRuns: 200 })
  })

  test("that no read can pass is skipped in pages", async () => {
    const texts = ["ana", "x".repeat(10_000), "bo"]
    const bytes = encode(texts)
    const disk = await diskWith({ 0: bytes, [bytes.length]: Buffer.alloc(0) })
    const { reader, segments } = await recover(disk)
    const file = await disk.openToRead(segmentFile(FOLDER, 0))
    disk.openToRead = async () => ({
      ...file,
      read: async (target, offset) => {
        if (offset < 6_000 && offset + target.length > 5_000) throw systemError("EIO")
        return file.read(target, offset)
      },
    })
    const readable = { end: () => segments.end(), read: reader.read.bind(reader) }
    expect(textsOf(await readAll(readable, 0, 20_000))).toEqual(["ana", "bo"])
  })

  test("that takes a segment away, or its end, is counted", async () => {
    const [first, second] = [encode(["ana", "bo"]), encode(["cleo"], 1_000)]
    const disk = await diskWith({ 0: first, 1000: second })
    const { read, damage, segments } = await recover(disk)
    const file = await disk.openToMend(segmentFile(FOLDER, 0))
    await file.truncate(HEADER_BYTES + 3)
    expect(await read()).toEqual(["ana", "cleo"])
    expect(damage.counts().corruptBytes).toBe(HEADER_BYTES + 2)
    await disk.remove(segmentFile(FOLDER, 0))
    expect(await read()).toEqual(["cleo"])
    expect(segments.start()).toBe(0)
  })
})

describe("segments", () => {
  test("that are empty, also in the middle, are passed over", async () => {
    const disk = await diskWith({
      0: Buffer.alloc(0),
      1: encode(["ana"], 1),
      500: Buffer.alloc(0),
      600: encode(["bo"], 600),
      900: Buffer.alloc(0),
    })
    const { read, lines, segments } = await recover(disk)
    expect(await read()).toEqual(["ana", "bo"])
    expect(lines).toEqual([])
    expect(segments.end()).toBe(900)
  })

  test("without a single valid byte are torn when last and damaged when not", async () => {
    const noise = Buffer.alloc(100, "noise")
    const disk = await diskWith({ 0: noise, 100: encode(["ana"], 100), 500: noise })
    const { read, damage } = await recover(disk)
    expect(await read()).toEqual(["ana"])
    expect(damage.counts()).toEqual({ corruptRecords: 1, corruptBytes: 100, tornBytes: 100 })
  })

  test("end where the next one begins, whatever their files hold beyond", async () => {
    const bytes = encode(["ana", "unacked"])
    const end = encode(["ana"]).length
    const disk = await diskWith({ 0: bytes, [end]: encode(["bo"], end) })
    const { read, lines } = await recover(disk)
    expect(await read()).toEqual(["ana", "bo"])
    expect(lines).toEqual([])
  })

  test("are told by their names, and other files are left alone", async () => {
    const disk = await diskWith({ 0: encode(["ana"]) })
    for (const name of ["notes.txt", "1.log", "9999999999999999.log"]) {
      await disk.create(path.join(FOLDER, name))
    }
    const { read } = await recover(disk)
    expect(await read()).toEqual(["ana"])
  })

  test("are durable once they are open, also what a killed process had no time to sync", async () => {
    const disk = await diskWith({ 0: Buffer.alloc(0) })
    const file = await disk.openToMend(segmentFile(FOLDER, 0))
    await file.write([encode(TEXTS)], 0)
    const { read } = await recover(disk)
    expect(await read()).toEqual(TEXTS)
    const again = await recover(disk.crash(() => 0.1))
    expect(await again.read()).toEqual(TEXTS)
  })

  test("can be read although the disk is too full to start another one", async () => {
    const disk = await diskWith({ 0: encode(["ana", "bo"]).subarray(0, -1) })
    disk.fault = (operation) => (operation === "create" ? systemError("ENOSPC") : undefined)
    const { read, active, damage } = await recover(disk)
    expect(active).toBeUndefined()
    expect(await read()).toEqual(["ana"])
    expect(damage.counts()).toMatchObject({ corruptBytes: 0, tornBytes: HEADER_BYTES + 1 })
  })
})

test("on a real disk, a log with a torn tail and damage goes on", async () => {
  await using place = await makeFolder()
  const { logger } = rememberingLogger()
  const log = await openLog({ folder: place.folder, logger })
  for (const text of TEXTS) await log.append([Buffer.from(text)])
  await log.close()
  const file = segmentFile(place.folder, 0)
  const bytes = await readFile(file)
  bytes[HEADER_BYTES] = 0
  await writeFile(file, bytes.subarray(0, -1))
  await using again = await openLog({ folder: place.folder, logger })
  await again.append([Buffer.from("eve")])
  expect(textsOf(await readAll(again))).toEqual([...TEXTS.slice(1, -1), "eve"])
  expect(again.stats()).toEqual({
    corruptRecords: 1,
    corruptBytes: HEADER_BYTES + 3,
    tornBytes: HEADER_BYTES + 1,
  })
  await using handle = await open(file)
  expect((await handle.stat()).size).toBe(BOUNDS.at(-2))
})
