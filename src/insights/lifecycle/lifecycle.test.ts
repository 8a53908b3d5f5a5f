import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  dataOfRows,
  L1_DATA,
  lifecycleCases,
  pageviews,
} from "../../../test/insights/lifecycle-cases.ts"
import { type InsightStore, openInsightStore } from "../../../test/support/insight-store.ts"
import type { JsonObject } from "../../lib/json.ts"
import { parsePropertyFilters } from "../../query/filters/parse.ts"
import { lifecycle } from "./lifecycle.ts"

let store: InsightStore
beforeAll(async () => {
  store = await openInsightStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const L1_RANGE = { dateRange: { date_from: "2020-01-12", date_to: "2020-01-19" } }

async function rowsOf(data: Parameters<InsightStore["load"]>[0], asked: JsonObject) {
  const loaded = await store.load(data)
  const { results } = await store.run(
    lifecycle.plan(lifecycle.schema.parse(asked), loaded.context()),
  )
  return results as readonly JsonObject[]
}

describe("a lifecycle", () => {
  test.each(lifecycleCases)("$name", async ({ data, asked, expected, testAccountFilters }) => {
    const loaded = await store.load(data)
    const context = loaded.context({ testAccountFilters: parsePropertyFilters(testAccountFilters) })
    const { results } = await store.run(lifecycle.plan(lifecycle.schema.parse(asked), context))
    expect(dataOfRows(results)).toEqual(expected)
  })

  test("answers rows with days, labels and what they are of", async () => {
    const [first] = await rowsOf(L1_DATA, { series: pageviews, ...L1_RANGE })
    expect(first).toMatchObject({
      status: "new",
      label: "$pageview - new",
      count: 2,
      action: { id: "$pageview", type: "events", order: 0, name: "$pageview" },
    })
    expect(first?.days).toEqual(expect.arrayContaining(["2020-01-12", "2020-01-19"]))
    expect(first?.labels).toEqual(expect.arrayContaining(["12-Jan-2020", "19-Jan-2020"]))
  })

  test("shows only the statuses that are toggled", async () => {
    const asked = {
      ...{ series: pageviews, ...L1_RANGE },
      lifecycleFilter: { toggledLifecycles: ["dormant", "new"] },
    }
    const rows = await rowsOf(L1_DATA, asked)
    expect(rows.map(({ status }) => status)).toEqual(["new", "dormant"])
  })

  test("counts a merged person once, as new when the person it became was created", async () => {
    const at = (day: number) => `2020-01-${day}T12:00:00Z`
    const events = [
      { person: "old", event: "$pageview", at: at(12) },
      { person: "now", event: "$pageview", at: at(13) },
    ]
    const rows = await rowsOf(
      {
        events,
        persons: [{ name: "now", created_at: at(12) }],
        merged: [{ from: "old", into: "now" }],
      },
      { series: pageviews, dateRange: { date_from: "2020-01-12", date_to: "2020-01-14" } },
    )
    expect(dataOfRows(rows)).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 0],
      [0, 0, -1],
    ])
  })

  test("of groups takes the creation of the group", async () => {
    const event = (day: number) => ({
      ...{ person: "p", event: "$pageview", at: `2020-01-${day}T12:00:00Z` },
      properties: { $group_0: "org:1" },
    })
    const asked = {
      ...{ series: pageviews, aggregation_group_type_index: 0 },
      dateRange: { date_from: "2020-01-12", date_to: "2020-01-14" },
    }
    const rows = await rowsOf({ events: [event(12), event(13)] }, asked)
    expect(dataOfRows(rows)).toEqual([
      [0, 0, 0],
      [0, 1, 0],
      [1, 0, 0],
      [0, 0, -1],
    ])
  })

  test.each<[string, JsonObject]>([
    ["series", { series: [] }],
    ["series", { series: [{ event: "a" }, { event: "b" }] }],
    ["date_from", { series: pageviews, dateRange: { date_from: "soon" } }],
  ])("names the field %s that is wrong", async (attr, asked) => {
    await expect(rowsOf({ events: [] }, asked)).rejects.toMatchObject({ attr })
  })
})

describe("the actors of a lifecycle", () => {
  test.each<[status: string, day: string, persons: readonly string[]]>([
    ["returning", "2020-01-13", ["p1"]],
    ["dormant", "2020-01-13", ["p2", "p3"]],
    ["dormant", "2020-01-14", ["p1"]],
    ["new", "2020-01-15T23:00:00Z", ["p4"]],
    ["resurrecting", "2020-01-12", ["p2"]],
    ["returning", "2020-01-11", []],
    ["dormant", "2020-03-01", []],
  ])("that are %s on %s are %o", async (lifecycle_type, target_date, persons) => {
    const loaded = await store.load(L1_DATA)
    const { asked, selected } = lifecycle.parseLookup({
      ...{ lifecycle_type, target_date, date_from: "2020-01-12", date_to: "2020-01-19" },
      events: [{ id: "$pageview", type: "events", order: 0 }],
    })
    const source = await store.run(lifecycle.actors(asked, selected, loaded.context()))
    const rows = await store.engine.rows(source.query, { timeoutMs: 20_000 })
    expect(rows.map(({ actor_id }) => loaded.nameOf(actor_id)).sort()).toEqual(persons)
  })

  test.each<[string, string, JsonObject]>([
    ["Must include specified date", "target_date", { lifecycle_type: "new" }],
    ["Must include lifecycle type", "lifecycle_type", { target_date: "2020-01-01" }],
    ["lifecycle_type", "lifecycle_type", { target_date: "2020-01-01", lifecycle_type: "old" }],
    ["interval", "interval", { target_date: "a", lifecycle_type: "new", interval: "year" }],
    ["events", "events", { target_date: "a", lifecycle_type: "new", events: "$pageview" }],
  ])("are refused with %s", (detail, attr, parameters) => {
    expect(() => lifecycle.parseLookup(parameters)).toThrow(
      expect.objectContaining({ attr, message: expect.stringContaining(detail) }),
    )
  })
})
