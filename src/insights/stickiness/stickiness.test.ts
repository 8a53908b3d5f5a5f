import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { stickinessCases } from "../../../test/insights/stickiness-cases.ts"
import { type InsightStore, openInsightStore } from "../../../test/support/insight-store.ts"
import type { JsonObject } from "../../lib/json.ts"
import { column, EVENTS } from "../../query/build.ts"
import { stickiness } from "./stickiness.ts"

let store: InsightStore
beforeAll(async () => {
  store = await openInsightStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (day: number) => `2020-01-0${day}T12:00:00Z`
const seen = (person: string, day: number, event = "seen") => ({ person, event, at: at(day) })
const DATA = {
  events: [
    ...[seen("p1", 1), seen("p1", 2), seen("p1", 3)],
    ...[seen("p2", 1), seen("p2", 3), seen("p2", 3, "bought")],
    ...[seen("p3", 2), seen("p3", 9)],
  ],
}
const RANGE = { date_from: "2020-01-01", date_to: "2020-01-04" }

async function rowsOf(asked: JsonObject, settings = {}) {
  const loaded = await store.load(DATA)
  const question = stickiness.schema.parse({ dateRange: RANGE, ...asked })
  const { results } = await store.run(stickiness.plan(question, loaded.context(settings)))
  return results as readonly JsonObject[]
}

describe("stickiness", () => {
  test.each(stickinessCases)("$name", async ({ data, asked, expected }) => {
    const loaded = await store.load(data)
    const plan = stickiness.plan(stickiness.schema.parse(asked), loaded.context())
    expect((await store.run(plan)).results).toMatchObject(expected)
  })

  test("of several series counts each for itself", async () => {
    const rows = await rowsOf({ series: [{ event: "seen" }, { event: "bought" }, { event: null }] })
    expect(rows.map(({ data }) => data)).toEqual([
      [1, 1, 1, 0],
      [1, 0, 0, 0],
      [1, 1, 1, 0],
    ])
    expect(rows.map(({ label }) => label)).toEqual(["seen", "bought", "All events"])
  })

  test("of an expression counts its values", async () => {
    const compileExpression = () => ({ expr: column(EVENTS, "event"), isAggregate: false })
    const rows = await rowsOf(
      { series: [{ event: null, math: "hogql", math_hogql: "event" }] },
      { compileExpression },
    )
    expect(rows[0]?.data).toEqual([1, 0, 1, 0])
  })

  test.each<[string, JsonObject]>([
    ["series", { series: [] }],
    ["math_hogql", { series: [{ event: "seen", math: "hogql" }] }],
    ["date_to", { series: [{ event: "seen" }], dateRange: { date_to: "2020-13-01" } }],
  ])("names the field %s that is wrong", async (attr, asked) => {
    await expect(rowsOf(asked)).rejects.toMatchObject({ attr })
  })
})

describe("the actors of stickiness", () => {
  const asked = {
    ...RANGE,
    events: JSON.parse('[{"id": "bought", "order": 0}, {"id": "seen", "order": 1}]'),
  }
  test.each<[JsonObject, readonly string[]]>([
    [{ entity_id: "seen", entity_type: "events", stickiness_days: "1" }, ["p3"]],
    [{ entity_id: "seen", entity_type: "events", selected_interval: 2 }, ["p2"]],
    [{ entity_order: "1", stickiness_days: 3 }, ["p1"]],
    [{ entity_order: 0, stickiness_days: 1 }, ["p2"]],
    [{ entity_id: "seen", entity_type: "events", stickiness_days: 9 }, []],
    [{ events: [], entity_id: "bought", entity_type: "events", stickiness_days: 1 }, ["p2"]],
  ])("by %o are %o", async (parameters, persons) => {
    const loaded = await store.load(DATA)
    const lookup = stickiness.parseLookup({ ...asked, ...parameters })
    const source = await store.run(
      stickiness.actors(lookup.asked, lookup.selected, loaded.context()),
    )
    const rows = await store.engine.rows(source.query, { timeoutMs: 20_000 })
    expect(rows.map(({ actor_id }) => loaded.nameOf(actor_id)).sort()).toEqual(persons)
  })

  test("may be groups", async () => {
    const events = [{ ...seen("p1", 1), properties: { $group_1: "a" } }, seen("p1", 2)]
    const loaded = await store.load({ events })
    const question = stickiness.schema.parse({
      ...{ series: [{ event: "seen", math: "unique_group", math_group_type_index: 1 }] },
      dateRange: RANGE,
    })
    const source = await store.run(stickiness.actors(question, { day: 1 }, loaded.context()))
    expect(source.actor).toEqual({ kind: "group", index: 1 })
    expect(await store.engine.rows(source.query, { timeoutMs: 20_000 })).toEqual([
      { actor_id: "a" },
    ])
  })

  test.each<[string, JsonObject]>([
    ["entity_id", { stickiness_days: 1 }],
    ["stickiness_days", { entity_order: 0 }],
    ["stickiness_days", { entity_order: 0, stickiness_days: "many" }],
    ["stickiness_days", { entity_order: 0, stickiness_days: 0 }],
  ])("are refused with the name of the field %s", (attr, parameters) => {
    expect(() => stickiness.parseLookup({ ...asked, ...parameters })).toThrow(
      expect.objectContaining({ attr }),
    )
  })

  test.each<[string, JsonObject]>([
    ["series", { day: 1, series: 7 }],
    ["compare", { day: 1, compare: "previous" }],
  ])("name the field %s that is wrong", async (attr, selected) => {
    const loaded = await store.load({ events: [] })
    const question = stickiness.schema.parse({ series: [{ event: "seen" }] })
    const selection = stickiness.selection.parse(selected)
    const plan = stickiness.actors(question, selection, loaded.context())
    await expect(store.run(plan)).rejects.toMatchObject({ attr })
  })
})
