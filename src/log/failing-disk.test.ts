import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Log, LogFullError, openLog } from "./log.ts"
import { MAX_PAYLOAD_BYTES } from "./record.ts"
import { type Fault, type Operation, SimulatedDisk, systemError } from "./simulated-disk.ts"
import { makeFolder, readAll, rememberingLogger, textsOf } from "./test-log.ts"

const { logger } = rememberingLogger()
let place: Awaited<ReturnType<typeof makeFolder>>
let disk: SimulatedDisk
let log: Log

beforeEach(async () => {
  place = await makeFolder()
  disk = new SimulatedDisk()
  log = await openLog({ folder: place.folder, logger, files: disk })
})

afterEach(async () => {
  await log.close()
  await place[Symbol.asyncDispose]()
})

const append = (text: string) => log.append([Buffer.from(text)])
const failing = (operations: readonly Operation[], code: string): Fault => {
  return (operation) => (operations.includes(operation) ? systemError(code) : undefined)
}
const healthy: Fault = () => undefined

/** What another process would find: on the same disk, or on what a power loss leaves of it. */
async function textsAfterReopening(found: SimulatedDisk = disk): Promise<string[]> {
  await log.close()
  log = await openLog({ folder: place.folder, logger, files: found })
  return textsOf(await readAll(log))
}

describe.each<{ what: string; operations: readonly Operation[]; code: string; reason: string }>([
  { what: "a full disk", operations: ["write"], code: "ENOSPC", reason: "disk_full" },
  { what: "a failing write", operations: ["write"], code: "EIO", reason: "disk_error" },
  { what: "no cut", operations: ["write", "truncate"], code: "ENOSPC", reason: "disk_full" },
  { what: "a failing sync", operations: ["syncData"], code: "EIO", reason: "disk_error" },
  {
    what: "no sync, no cut",
    operations: ["syncData", "truncate"],
    code: "EIO",
    reason: "disk_error",
  },
  {
    what: "a disk that refuses everything",
    operations: ["write", "syncData", "sync", "truncate", "create", "syncFolder", "remove"],
    code: "EIO",
    reason: "disk_error",
  },
])("with $what", ({ operations, code, reason }) => {
  test("all that wait are refused, and later appends succeed without opening again", async () => {
    await append("ana")
    disk.fault = failing(operations, code)
    for (let round = 0; round < 3; round++) {
      const results = await Promise.allSettled(["x", "y", "z"].map(append))
      for (const result of results) {
        expect(result).toMatchObject({ status: "rejected", reason: { reason } })
        expect((result as PromiseRejectedResult).reason).toBeInstanceOf(LogFullError)
      }
    }
    expect(textsOf(await readAll(log))).toEqual(["ana"])
    disk.fault = healthy
    await Promise.all(["bo", "cleo"].map(append))
    expect(textsOf(await readAll(log))).toEqual(["ana", "bo", "cleo"])
    expect(log.stats()).toEqual({ corruptRecords: 0, corruptBytes: 0, tornBytes: 0 })
    expect(await textsAfterReopening()).toEqual(["ana", "bo", "cleo"])
    expect(log.stats()).toEqual({ corruptRecords: 0, corruptBytes: 0, tornBytes: 0 })
  })

  test("the first append may be the one that fails", async () => {
    disk.fault = failing(operations, code)
    await expect(append("x")).rejects.toBeInstanceOf(LogFullError)
    await expect(append("x")).rejects.toBeInstanceOf(LogFullError)
    disk.fault = healthy
    await append("ana")
    expect(await textsAfterReopening(disk.crash(() => 0.9))).toEqual(["ana"])
  })

  test("a power loss after it leaves what was acked", async () => {
    await append("ana")
    disk.fault = failing(operations, code)
    await expect(append("x")).rejects.toBeInstanceOf(LogFullError)
    disk.fault = healthy
    await append("bo")
    expect(await textsAfterReopening(disk.crash(() => 0.1))).toEqual(["ana", "bo"])
  })
})

test("short writes are continued until all bytes are written", async () => {
  disk.fault = (operation) => (operation === "write" ? 5 : undefined)
  await Promise.all(["ana", "bo", "cleo"].map(append))
  expect(disk.counts.get("write")).toBeGreaterThan(10)
  expect(await textsAfterReopening()).toEqual(["ana", "bo", "cleo"])
})

test("a short write that a full disk follows leaves nothing behind", async () => {
  await append("ana")
  let writeCount = 0
  disk.fault = (operation) => {
    if (operation !== "write") return undefined
    writeCount += 1
    return writeCount === 1 ? 30 : systemError("ENOSPC")
  }
  const bytesBefore = log.bytesOnDisk()
  await expect(append("a record of many bytes")).rejects.toMatchObject({ reason: "disk_full" })
  expect(log.bytesOnDisk()).toBe(bytesBefore)
  disk.fault = healthy
  expect(await textsAfterReopening()).toEqual(["ana"])
  expect(log.stats().tornBytes).toBe(0)
})

test("a disk that takes no bytes and gives no error is a failing one", async () => {
  disk.fault = (operation) => (operation === "write" ? 0 : undefined)
  await expect(append("ana")).rejects.toMatchObject({ reason: "disk_error" })
})

test("after a failed sync nothing more is written to that file", async () => {
  await append("ana")
  const files = () => [...disk.shownNames.keys()]
  const [first] = files()
  disk.fault = failing(["syncData"], "EIO")
  await expect(append("x")).rejects.toBeInstanceOf(LogFullError)
  const touched: string[] = []
  disk.fault = (operation, file) => {
    if (operation === "write") touched.push(file)
    return undefined
  }
  await append("bo")
  expect(touched).toHaveLength(1)
  expect(touched).not.toContain(first)
})

test("a record too large for the rest of a segment never lets a smaller one into it", async () => {
  await log.close()
  log = await openLog({ folder: place.folder, logger, files: disk, segmentBytes: 200 })
  await append("ana")
  // The new segment's name gets to the disk, but the log cannot know.
  disk.fault = failing(["syncFolder"], "EIO")
  await expect(append("x".repeat(180))).rejects.toMatchObject({ reason: "disk_error" })
  disk.fault = healthy
  await append("bo")
  expect(await textsAfterReopening(disk.crash(() => 0.1))).toEqual(["ana", "bo"])
})

test("bytes that wait for the disk are bounded", async () => {
  disk.fault = failing(["write"], "ENOSPC")
  const large = [Buffer.alloc(MAX_PAYLOAD_BYTES)]
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map(() => log.append(large)))
  const reasons = results.map((result) => result.status === "rejected" && result.reason.reason)
  expect(reasons).toEqual(["disk_full", "disk_full", "disk_full", "backlog", "backlog"])
})

test("a segment that cannot be removed is removed by the next release", async () => {
  await log.close()
  log = await openLog({ folder: place.folder, logger, files: disk, segmentBytes: 1 })
  for (const text of ["ana", "bo", "cleo"]) await append(text)
  disk.fault = failing(["remove"], "EIO")
  await log.release(log.end())
  expect(textsOf(await readAll(log))).toEqual(["ana", "bo", "cleo"])
  disk.fault = healthy
  await log.release(log.end())
  expect(textsOf(await readAll(log))).toEqual(["cleo"])
})
