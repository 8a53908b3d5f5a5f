import { expect, test } from "vitest"
import type { JsonValue } from "../../lib/json.ts"
import type { Select } from "../../query/tree.ts"
import type { DuckDbEngine } from "./engine.ts"
import { printSelect } from "./printer.ts"
import { append, batchOf, eventOf, LIMITS, openEngine, openFolder } from "./testing.ts"

const PLANS: Select = {
  columns: [
    { as: "plan", expr: { kind: "property", table: "e", of: "event", key: "plan", as: "text" } },
    { as: "count", expr: { kind: "aggregate", name: "count", args: [] } },
  ],
  from: { kind: "table", table: "events", alias: "e", project_id: 1 },
  groupBy: [{ kind: "property", table: "e", of: "event", key: "plan", as: "text" }],
}

let numbers = 0
const eventsOf = (values: readonly JsonValue[]) =>
  values.map((plan) => {
    numbers += 1
    return eventOf(numbers, { properties: { plan } })
  })
const many = (plan: JsonValue) => eventsOf(Array.from({ length: 1_500 }, () => plan))

async function countPlans(engine: DuckDbEngine): Promise<Record<string, unknown>> {
  const rows = await engine.rows(PLANS, LIMITS)
  return Object.fromEntries(rows.map(({ plan, count }) => [String(plan), count]))
}

const readsTheRest = (engine: DuckDbEngine) =>
  printSelect(PLANS, engine.catalogue).sql.includes("json_extract")

test("a key whose values are all in its column is read from the column alone", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, { events: many("free") })
  expect(readsTheRest(engine)).toBe(true)
  await engine.promoteProperties()
  expect(readsTheRest(engine)).toBe(false)
  await append(engine, 2, { events: eventsOf(["pro", null]) })
  expect(readsTheRest(engine)).toBe(false)
  expect(await countPlans(engine)).toEqual({ free: 1_500, pro: 1, null: 1 })
})

test("a value that the column cannot hold makes reading look at the rest again", async () => {
  await using place = await openFolder()
  {
    await using engine = await openEngine(place.folder)
    await append(engine, 1, { events: many("free") })
    await engine.promoteProperties()
    await append(engine, 2, { events: eventsOf([["a"], 7]) })
    expect(readsTheRest(engine)).toBe(true)
    expect(await countPlans(engine)).toEqual({ free: 1_500, '["a"]': 1, 7: 1 })
  }
  await using again = await openEngine(place.folder)
  expect(await countPlans(again)).toEqual({ free: 1_500, '["a"]': 1, 7: 1 })
})

test("so does one that was stored before the column was filled, or by a write of the API", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, { events: [...eventsOf([{ odd: 1 }]), ...many("free")] })
  await engine.promoteProperties()
  expect(await countPlans(engine)).toEqual({ free: 1_500, '{"odd":1}': 1 })
  await using other = await openFolder()
  await using applied = await openEngine(other.folder)
  await append(applied, 1, { events: many("free") })
  await applied.promoteProperties()
  await applied.apply({ events: eventsOf([5]) })
  expect(await countPlans(applied)).toEqual({ free: 1_500, 5: 1 })
})

test("a batch that was taken apart before there was a column is found, and moved the next time", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const early = await engine.prepare(batchOf(2, { events: eventsOf(["early"]) }))
  await append(engine, 1, { events: many("free") })
  await engine.promoteProperties()
  await engine.append(early)
  expect(readsTheRest(engine)).toBe(true)
  expect(await countPlans(engine)).toEqual({ free: 1_500, early: 1 })
  await engine.promoteProperties()
  expect(readsTheRest(engine)).toBe(false)
  expect(await countPlans(engine)).toEqual({ free: 1_500, early: 1 })
})

test("a copy knows the same", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, { events: many("free") })
  await engine.promoteProperties()
  await append(engine, 2, { events: eventsOf([true]) })
  await engine.compact()
  await engine.refreshCatalogue()
  expect(await countPlans(engine)).toEqual({ free: 1_500, true: 1 })
})
