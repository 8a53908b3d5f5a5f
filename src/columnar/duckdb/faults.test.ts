/** Faults at the moments where one is hardest to tell from success: after the deed, before the answer. */
import files, { mkdir, readdir, readFile, rm } from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import path from "node:path"
import { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api"
import { afterEach, expect, test, vi } from "vitest"
import { OpenInstance } from "./instance.ts"
import { append, batchOf, eventOf, openEngine, openFolder, readProperties } from "./testing.ts"

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** The next call whose first argument fits fails. */
function failOnce<K extends "open" | "rm">(name: K, fits: (target: string) => boolean) {
  const real = files[name] as (...args: unknown[]) => Promise<unknown>
  let isDone = false
  const spy = vi.spyOn(files, name) as unknown as {
    mockImplementation(work: (...args: unknown[]) => Promise<unknown>): void
  }
  spy.mockImplementation((...args) => {
    if (isDone || !fits(String(args[0]))) return real(...args)
    isDone = true
    return Promise.reject(new Error(`${name} failed`))
  })
  syncBuiltinESMExports()
}

function loseAnswerTo(statement: string) {
  const real = DuckDBConnection.prototype.run
  let isLost = false
  vi.spyOn(DuckDBConnection.prototype, "run").mockImplementation(async function (
    this: DuckDBConnection,
    ...args
  ) {
    const result = await real.apply(this, args)
    if (isLost || args[0] !== statement) return result
    isLost = true
    throw new Error("the answer was lost")
  })
}

const storeFiles = async (folder: string) =>
  (await readdir(folder)).filter((name) => /^store-\d+\.duckdb$/.test(name))
const marked = async (folder: string) =>
  (await readFile(path.join(folder, "current"), "utf8")).trim()

test("columns whose commit was not answered are known, and batches go on", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const events = Array.from({ length: 1_000 }, (_, index) =>
    eventOf(index, { properties: { plan: "free" } }),
  )
  loseAnswerTo("COMMIT")
  await expect(engine.prepare(batchOf(1, { events }))).rejects.toThrow("the answer was lost")
  await append(engine, 1, { events })
  expect(engine.catalogue.list().map(({ key }) => key)).toEqual(["plan"])
  expect((await readProperties(engine)).get(eventOf(7).uuid)).toEqual({ plan: "free" })
})

test("a compaction whose swap fails after the marker was replaced goes on with the new file", async () => {
  await using place = await openFolder()
  {
    await using engine = await openEngine(place.folder)
    await append(engine, 1, { events: [eventOf(1)] })
    failOnce("open", (target) => target === place.folder)
    await engine.compact()
    expect(await storeFiles(place.folder)).toEqual([await marked(place.folder)])
    await append(engine, 2, { events: [eventOf(2)] })
  }
  await using engine = await openEngine(place.folder)
  expect((await readProperties(engine)).size).toBe(2)
})

test("a compaction whose swap fails before that goes on with the old file and leaves no other", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, { events: [eventOf(1)] })
  await mkdir(path.join(place.folder, "current.new"))
  await expect(engine.compact()).rejects.toThrow(/EISDIR/)
  expect(await storeFiles(place.folder)).toEqual(["store-1.duckdb"])
  await rm(path.join(place.folder, "current.new"), { recursive: true })
  await append(engine, 2, { events: [eventOf(2)] })
  await engine.compact()
  expect((await readProperties(engine)).size).toBe(2)
})

test("a batch is appended even if its files cannot be removed, which the next start can", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const prepared = await engine.prepare(batchOf(1, { events: [eventOf(1)] }))
  failOnce("rm", (target) => target === prepared.folder)
  await engine.append(prepared)
  expect(await engine.findPosition("log")).toBe(1)
  const [left] = await engine.listPrepared("log")
  expect(left).toEqual(prepared)
  await engine.append(prepared)
  expect(await engine.listPrepared("log")).toEqual([])
  expect((await readProperties(engine)).size).toBe(1)
})

test("a file whose settings cannot be made is closed again", async () => {
  await using place = await openFolder()
  const file = path.join(place.folder, "store-1.duckdb")
  const settings = { memoryBytes: 1e8, threads: 1, temporaryFolder: place.folder }
  loseAnswerTo("SET GLOBAL TimeZone = 'UTC'")
  const closings = [DuckDBConnection, DuckDBInstance].map(({ prototype }) =>
    vi.spyOn(prototype, "closeSync"),
  )
  await expect(OpenInstance.open(file, settings)).rejects.toThrow("the answer was lost")
  for (const closing of closings) expect(closing).toHaveBeenCalledOnce()
})
