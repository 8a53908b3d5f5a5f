import { DuckDBConnection } from "@duckdb/node-api"
import { afterEach, expect, test, vi } from "vitest"
import { PROPERTY_COLUMNS_MAX } from "./catalogue.ts"
import { append, eventOf, openEngine, openFolder, readProperties, uuidOf } from "./testing.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

/** Characters of each read from the store, as they come. */
function recordReads(): number[] {
  const sizes: number[] = []
  const real = DuckDBConnection.prototype.runAndReadAll
  vi.spyOn(DuckDBConnection.prototype, "runAndReadAll").mockImplementation(async function (
    this: DuckDBConnection,
    ...args
  ) {
    const reader = await real.apply(this, args)
    sizes.push(reader.getRows().flat().map(String).join("").length)
    return reader
  })
  return sizes
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)
const EVENTS = 1_300
const FILLER = "x".repeat(16_000)
const PAGE_CHARACTERS = 50 * 16_100
const CHUNK_CHARACTERS = 16 * 1024 * 1024 + EVENTS * 5

test("values move into columns, and properties are counted, in pieces of few bytes", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  // Frequent only among what is stored already: a change is not counted when it comes.
  const events = Array.from({ length: EVENTS }, (_, index) =>
    eventOf(index, { properties: { plan: `plan ${index}`, filler: { text: FILLER } } }),
  )
  await engine.apply({ events })
  const sizes = recordReads()
  expect(await engine.promoteProperties()).toEqual(["plan"])
  const large = sizes.filter((size) => size > PAGE_CHARACTERS)
  expect(Math.max(...large)).toBeLessThanOrEqual(CHUNK_CHARACTERS)
  expect(large).toHaveLength(2)
  expect(sum(sizes) - sum(large)).toBeLessThan((EVENTS * FILLER.length) / 1.2)
  const stored = await readProperties(engine)
  expect(stored.size).toBe(EVENTS)
  for (const { uuid, properties } of events) expect(stored.get(uuid)).toEqual(properties)
})

test("an event larger than a piece gets its values moved too", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const large = { plan: "pro", text: ["x".repeat(17_000_000)] }
  const small = { plan: "free" }
  const events = Array.from({ length: 1_000 }, (_, index) =>
    eventOf(index, { properties: index === 2 ? large : small }),
  )
  await engine.apply({ events })
  expect(await engine.promoteProperties()).toEqual(["plan"])
  const stored = await readProperties(engine)
  expect(stored.get(uuidOf(2))).toEqual(large)
  expect(stored.get(uuidOf(999))).toEqual(small)
})

test("nothing is counted once no more columns may be made", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const keys = Array.from({ length: PROPERTY_COLUMNS_MAX }, (_, index) => [`key ${index}`, "x"])
  const properties = { ...Object.fromEntries(keys), rest: { text: FILLER } }
  const events = Array.from({ length: 1_000 }, (_, index) => eventOf(index, { properties }))
  await append(engine, 1, { events })
  expect(await engine.promoteProperties()).toHaveLength(PROPERTY_COLUMNS_MAX)
  const sizes = recordReads()
  expect(await engine.promoteProperties()).toEqual([])
  expect(sum(sizes)).toBeLessThan(20_000)
})
