import { describe, expect, test } from "vitest"
import { PersonsInMemory, type StoredEvent } from "../../test/support/persons-in-memory.ts"
import type { JsonObject } from "../lib/json.ts"
import type { IdentityEvent } from "./identity.ts"
import { jsonBytes } from "./json-size.ts"

const MEGABYTE = 1024 * 1024
const big = "x".repeat(500 * 1024)

let eventCount = 0

function event(distinctId: string, name: string, properties: JsonObject): IdentityEvent {
  eventCount += 1
  return {
    ...{ project_id: 1, uuid: `event-${eventCount}`, event: name, distinct_id: distinctId },
    ...{ timestamp: "2026-01-02 03:04:05.000000", properties, is_personless: false },
  }
}

const set = (id: string, $set: JsonObject) => event(id, "$set", { $set })
const merge = (id: string, other: string) => event(id, "$merge_dangerously", { alias: other })
const list = <T>(length: number, one: (index: number) => T) =>
  Array.from({ length }, (_, index) => one(index))

/** With what a batch added to the snapshots. */
function run(store: PersonsInMemory, events: readonly IdentityEvent[]) {
  const before = new Set(store.snapshots.keys())
  const rows = store.run(events)
  const added = [...store.snapshots].filter(([id]) => !before.has(id))
  const bytes = added.reduce((sum, [, properties]) => sum + jsonBytes(properties), 0)
  return { rows, added: added.length, bytes }
}

function stateOf(store: PersonsInMemory, row: StoredEvent | undefined): JsonObject | undefined {
  return store.snapshots.get(row?.snapshot_id ?? 0)
}

describe("a person that a batch changes very often", () => {
  test("shares its state at the end among events beyond the bound; those before see their own", () => {
    const store = new PersonsInMemory()
    const events = list(3_000, (n) => set("a", { [`key ${n}`]: n }))
    const { rows, bytes } = run(store, events)
    const sharedId = rows.at(-1)?.snapshot_id
    const first = rows.findIndex((row) => row.snapshot_id === sharedId)
    expect(first).toBeGreaterThan(100)
    expect(new Set(rows.slice(first).map((row) => row.snapshot_id)).size).toBe(1)
    for (const n of [0, 1, first - 1]) {
      const { $creator_event_uuid: _, ...state } = stateOf(store, rows[n]) ?? {}
      expect(state).toEqual(Object.fromEntries(list(n + 1, (index) => [`key ${index}`, index])))
    }
    expect(bytes).toBeLessThan(2.5 * MEGABYTE)
    expect(store.find(1, "a")).toMatchObject({ snapshot_id: sharedId, version: 1 })
    expect(stateOf(store, rows.at(-1))).toEqual(store.find(1, "a")?.properties)
  })

  test("has few snapshots where it is large, each event one of them", () => {
    const store = new PersonsInMemory()
    store.run([set("a", { big })])
    const { rows, added, bytes } = run(
      store,
      list(1_000, (n) => set("a", { n })),
    )
    expect(added).toBeLessThanOrEqual(5)
    expect(bytes).toBeLessThan(3 * MEGABYTE)
    expect(rows.every((row) => stateOf(store, row)?.big === big)).toBe(true)
    expect(stateOf(store, rows[0])?.n).toBe(0)
    expect(stateOf(store, rows[500])?.n).toBe(999)
  })

  test("sees its own states again in the next batch", () => {
    const store = new PersonsInMemory()
    store.run(list(1_000, (n) => set("a", { n, big })))
    const rows = store.run([set("a", { n: "next" }), set("a", { n: "last" })])
    expect(rows.map((row) => stateOf(store, row)?.n)).toEqual(["next", "last"])
  })

  test("is copied from what was loaded, which stays as it was", () => {
    const store = new PersonsInMemory()
    store.run([set("a", { n: 0 })])
    const before = store.find(1, "a")
    store.run(list(10, (n) => set("a", { n: n + 1, [`key ${n}`]: n })))
    expect(before?.properties).toEqual({ n: 0, $creator_event_uuid: expect.any(String) })
  })
})

describe("a large person that goes through many merges", () => {
  test("takes its snapshots along, and events beyond the bound see the survivor at the end", () => {
    const store = new PersonsInMemory()
    store.run([set("p0", { big, of: "p0" }), ...list(200, (n) => set(`p${n + 1}`, { n }))])
    const { rows, added, bytes } = run(
      store,
      list(200, (n) => merge(`p${n + 1}`, `p${n}`)),
    )
    expect(added).toBeLessThanOrEqual(5)
    expect(bytes).toBeLessThan(3 * MEGABYTE)
    expect(stateOf(store, rows[0])).toMatchObject({ big, n: 0, of: "p0" })
    expect(stateOf(store, rows[100])).toMatchObject({ big, n: 199, of: "p0" })
    expect(store.find(1, "p0")).toMatchObject({ properties: { big, n: 199 } })
    expect(store.persons.size).toBe(1)
  })

  test("shares also where the survivor takes no properties along", () => {
    const store = new PersonsInMemory()
    store.run([set("a", { big }), set("b", { other: big })])
    const rows = store.run([...list(10, (n) => set("a", { n })), merge("b", "a")])
    expect(store.warnings.map(({ type }) => type)).toEqual(["person_properties_size_violation"])
    expect(stateOf(store, rows[0])).toMatchObject({ big, n: 0 })
    expect(stateOf(store, rows[9])).toEqual(store.find(1, "b")?.properties)
  })
})

test("many large persons of one batch have a bound together, besides the last state of each", () => {
  const store = new PersonsInMemory()
  const text = "x".repeat(250 * 1024)
  const ids = list(60, (n) => `p${n}`)
  store.run(ids.map((id) => set(id, { text })))
  const changes = list(8, (n) => ids.map((id) => set(id, { n }))).flat()
  const { rows, bytes } = run(store, changes)
  expect(bytes).toBeLessThan((64 + 16) * MEGABYTE)
  for (const row of rows.slice(-60)) expect(stateOf(store, row)?.n).toBe(7)
  for (const row of rows.slice(0, 60)) expect(stateOf(store, row)?.n).toBe(0)
})
