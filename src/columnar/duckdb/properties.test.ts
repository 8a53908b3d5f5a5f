import fc from "fast-check"
import { expect, test } from "vitest"
import { parseExact } from "../../lib/exact-json.ts"
import type { JsonObject } from "../../lib/json.ts"
import type { ColumnarEngine } from "../engine.ts"
import { append, eventOf, openEngine, openFolder, readProperties, uuidOf } from "./testing.ts"

const NASTY_KEYS = [
  "",
  "a.b",
  "it's",
  'say "hi"',
  "back\\slash",
  "$set",
  "__proto__",
  "constructor",
  "\u{1f994}",
  "new\nline",
  "nul\0",
  "p_1",
  "properties",
  "%",
  "a/b~c",
  "' || 1 --",
]

/** Enough events with the same keys that each key gets a column of the type. */
function frequent(value: unknown): JsonObject {
  return Object.fromEntries(NASTY_KEYS.map((key) => [key, value])) as JsonObject
}

async function promote(engine: ColumnarEngine, position: number, value: unknown) {
  const events = Array.from({ length: 1_000 }, (_, index) =>
    eventOf(position * 10_000 + index, { properties: frequent(value) }),
  )
  await append(engine, position, { events })
}

const json = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(
    null,
    "",
    "5",
    "true",
    "null",
    5e-324,
    1.7976931348623157e308,
    1e21,
    123456789012,
  ),
  fc.jsonValue(),
)
const key = fc.oneof(fc.constantFrom(...NASTY_KEYS), fc.string({ unit: "binary" }))
const properties = fc
  .array(fc.tuple(key, json), { maxLength: 12 })
  // Through JSON, as events come: -0 is 0, half characters aside.
  .map(
    (entries) => JSON.parse(wellFormed(JSON.stringify(Object.fromEntries(entries)))) as JsonObject,
  )

function wellFormed(text: string): string {
  return text.replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, "?")
}

/** `toEqual` overlooks an own `__proto__`; texts of sorted entries do not. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, held]) => `${JSON.stringify(name)}:${canonical(held)}`,
  )
  return `{${members.sort().join(",")}}`
}

async function expectStored(engine: ColumnarEngine, samples: readonly JsonObject[], first: number) {
  const stored = await readProperties(engine)
  for (const [index, sample] of samples.entries()) {
    expect(canonical(stored.get(uuidOf(first + index)))).toBe(canonical(sample))
  }
}

test("any properties are read back as they came: before, during and after promotion", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const samples = fc.sample(properties, 300)
  const sampleEvents = (first: number) =>
    samples.map((sample, index) => eventOf(first + index, { properties: sample }))
  await append(engine, 1, { events: sampleEvents(100_000) })
  await expectStored(engine, samples, 100_000)

  await promote(engine, 2, "text")
  await promote(engine, 3, 7)
  await promote(engine, 4, false)
  expect(engine.catalogue.list()).toHaveLength(NASTY_KEYS.length * 3)
  await append(engine, 5, { events: sampleEvents(200_000) })
  await expectStored(engine, samples, 100_000)
  await expectStored(engine, samples, 200_000)

  expect(new Set(await engine.promoteProperties())).toEqual(new Set(NASTY_KEYS))
  await expectStored(engine, samples, 100_000)
  await expectStored(engine, samples, 200_000)
  expect(await engine.promoteProperties()).toEqual([])

  await engine.compact()
  await expectStored(engine, samples, 100_000)
  await expectStored(engine, samples, 200_000)
})

test("numbers that no double holds keep their digits, also beside a column of numbers", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const text = '{"":123456789012345678901234567890,"deep":{"x":[1e400,0.1000000000000000055511]}}'
  const big = parseExact(text) as JsonObject
  await append(engine, 1, { events: [eventOf(1, { properties: big })] })
  await promote(engine, 2, 7)
  await append(engine, 3, { events: [eventOf(2, { properties: big })] })
  await engine.promoteProperties()
  const stored = await readProperties(engine)
  expect(stored.get(uuidOf(1))).toEqual(big)
  expect(stored.get(uuidOf(2))).toEqual(big)
})

test("half of a character becomes the replacement character", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const half = { "k\ud800": "v\udc00", kept: "\\ud800" }
  await append(engine, 1, {
    events: [eventOf(1, { properties: half, event: "e\ud800", distinct_id: "d\udfff" })],
  })
  expect((await readProperties(engine)).get(uuidOf(1))).toEqual({
    "k\ufffd": "v\ufffd",
    kept: "\\ud800",
  })
})

test("a batch staged before a column existed loads after it", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const prepared = await engine.prepare({
    ...{ persons: [], snapshots: [], groups: [], overrides: [], merged: [] },
    events: [eventOf(1, { properties: { "a.b": "early" } })],
    mark: { log_id: "other", position: 1 },
  })
  await promote(engine, 1, "text")
  await engine.append(prepared)
  expect((await readProperties(engine)).get(uuidOf(1))).toEqual({ "a.b": "early" })
})

test("an event of many megabytes is stored whole", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const large = { text: "\u{1f994}".repeat(2_000_000) }
  await append(engine, 1, { events: [eventOf(1, { properties: large }), eventOf(2)] })
  const stored = await readProperties(engine)
  expect(stored.get(uuidOf(1))).toEqual(large)
  expect(stored.size).toBe(2)
})
