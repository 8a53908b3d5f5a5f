import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  day,
  expectedRows,
  R12_DATA,
  R15_APPEARANCES,
  R15_PARAMETERS,
  retentionCases,
  shownRows,
} from "../../../test/insights/retention-cases.ts"
import {
  type InsightData,
  type InsightStore,
  openInsightStore,
} from "../../../test/support/insight-store.ts"
import type { JsonObject } from "../../lib/json.ts"
import { parsePropertyFilters } from "../../query/filters/parse.ts"
import type { InsightContext } from "../insight.ts"
import { retention } from "./retention.ts"

let store: InsightStore
beforeAll(async () => {
  store = await openInsightStore()
})
afterAll(() => store[Symbol.asyncDispose]())

async function resultsOf(data: InsightData, asked: JsonObject, settings?: Partial<InsightContext>) {
  const loaded = await store.load(data)
  const question = retention.schema.parse(asked)
  const { results } = await store.run(retention.plan(question, loaded.context(settings)))
  return results as unknown as readonly { date: string; values: { count: number }[] }[]
}

const countsOf = (rows: readonly { values: readonly { count: number }[] }[]) =>
  rows.map(({ values }) => values.map(({ count }) => count))

const seen = (person: string, at: string, properties: JsonObject = {}) => ({
  ...{ person, event: "$pageview", at, properties },
})

describe("retention", () => {
  test.each(retentionCases)("$name", async (each) => {
    const loaded = await store.load(each.data)
    const testAccountFilters = parsePropertyFilters(each.testAccountFilters)
    const context = loaded.context({ testAccountFilters })
    const { results } = await store.run(retention.plan(retention.schema.parse(each.asked), context))
    expect(shownRows(results, each)).toEqual(expectedRows(each))
  })

  test("by weeks begins with the project's first day of the week and ends with the week of the end", async () => {
    const events = ["2020-06-06", "2020-06-07", "2020-06-08", "2020-06-20"].map((date) =>
      seen("p1", `${date}T12:00:00Z`),
    )
    const asked = {
      ...{ dateRange: { date_to: "2020-06-17" } },
      retentionFilter: { period: "Week", totalIntervals: 3 },
    }
    const sundays = await resultsOf({ events }, asked)
    expect(sundays.map(({ date }) => date.slice(0, 10))).toEqual([
      ...["2020-05-31", "2020-06-07", "2020-06-14"],
    ])
    expect(countsOf(sundays)).toEqual([[1, 1, 1], [1, 1], [1]])
    const mondays = await resultsOf({ events }, asked, { weekStartsOn: 1 })
    expect(mondays.map(({ date }) => date.slice(0, 10))).toEqual([
      ...["2020-06-01", "2020-06-08", "2020-06-15"],
    ])
  })

  test("dates its rows in the project's zone", async () => {
    const asked = {
      ...{ dateRange: { date_to: "2020-06-10T12:00:00" } },
      retentionFilter: { totalIntervals: 2 },
    }
    const data = { events: [seen("p1", "2020-06-10T03:00:00Z")] }
    const rows = await resultsOf(data, asked, { timezone: "America/New_York" })
    expect(rows.map(({ date }) => date)).toEqual([
      ...["2020-06-09T00:00:00-04:00", "2020-06-10T00:00:00-04:00"],
    ])
    expect(countsOf(rows)).toEqual([[1, 0], [0]])
  })

  test("of groups counts groups, and no events without one", async () => {
    const data = {
      events: [
        seen("p1", day(0), { $group_0: "a" }),
        seen("p2", day(1), { $group_0: "a" }),
        ...[seen("p2", day(0)), seen("p2", day(0), { $group_0: "" })],
      ],
    }
    const asked = {
      ...{ dateRange: { date_to: day(1) }, aggregation_group_type_index: 0 },
      retentionFilter: { totalIntervals: 2 },
    }
    expect(countsOf(await resultsOf(data, asked))).toEqual([[1, 1], [1]])
  })

  test("takes entities with filters of their own, also when both name the same event", async () => {
    const data = {
      events: [
        ...[seen("p1", day(0), { plan: "free" }), seen("p1", day(1), { plan: "paid" })],
        ...[seen("p2", day(0), { plan: "free" }), seen("p2", day(1), { plan: "free" })],
      ],
    }
    const ofPlan = (value: string) => ({ id: "$pageview", properties: [{ key: "plan", value }] })
    const asked = {
      dateRange: { date_to: day(1) },
      retentionFilter: {
        totalIntervals: 2,
        targetEntity: ofPlan("free"),
        returningEntity: ofPlan("paid"),
      },
    }
    expect(countsOf(await resultsOf(data, asked))).toEqual([[2, 1], [1]])
  })

  test.each<[string, JsonObject]>([
    ["date_to", { dateRange: { date_to: "never" } }],
    ["targetEntity", { retentionFilter: { targetEntity: { id: 3, type: "actions" } } }],
  ])("names the field %s that is wrong", async (attr, asked) => {
    await expect(resultsOf({ events: [] }, asked)).rejects.toMatchObject({ attr })
  })
})

describe("the actors of retention", () => {
  async function actorsOf(data: InsightData, parameters: JsonObject) {
    const loaded = await store.load(data)
    const { asked, selected } = retention.parseLookup(parameters)
    const source = await store.run(retention.actors(asked, selected, loaded.context()))
    const rows = await store.engine.rows(source.query, { timeoutMs: 20_000 })
    return rows.map(({ actor_id, ...extras }) => ({ name: loaded.nameOf(actor_id), ...extras }))
  }

  test("R15: of a first time are those who did it first in the row, with their appearances", async () => {
    expect(await actorsOf(R12_DATA, R15_PARAMETERS)).toEqual([
      { name: "p3", appearances: R15_APPEARANCES, appearance_count: 4 },
    ])
  })

  test("of a later row have as many appearances as there are intervals left", async () => {
    const events = [seen("p1", day(0)), seen("p1", day(1)), seen("p2", day(1)), seen("p1", day(2))]
    const parameters = { date_to: day(2), total_intervals: "3", selected_interval: "1" }
    const rows = await actorsOf({ events }, parameters)
    expect(rows.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: "p1", appearances: [1, 1], appearance_count: 1 },
      { name: "p2", appearances: [1, 0], appearance_count: 0 },
    ])
  })

  test("are asked to be in the order of their appearances, most first", async () => {
    const loaded = await store.load({ events: [] })
    const plan = retention.actors(retention.schema.parse({}), {}, loaded.context())
    expect(await store.run(plan)).toMatchObject({
      ...{ actor: { kind: "person" }, extras: ["appearances", "appearance_count"] },
      orderBy: [{ column: "appearance_count", direction: "desc" }],
    })
  })

  test.each<[string, string, JsonObject]>([
    ["Period Year is unsupported", "period", { period: "Year" }],
    ["total_intervals", "total_intervals", { total_intervals: "0" }],
    ["total_intervals", "total_intervals", { total_intervals: 501 }],
    ["selected_interval", "selected_interval", { selected_interval: "first" }],
    ["retention_type", "retention_type", { retention_type: "often" }],
    ["target_entity", "target_entity", { target_entity: "$pageview" }],
  ])("are refused with %s", (detail, attr, parameters) => {
    expect(() => retention.parseLookup(parameters)).toThrow(
      expect.objectContaining({ attr, message: expect.stringContaining(detail) }),
    )
  })

  test("of a row that is not there are refused", async () => {
    await expect(actorsOf({ events: [] }, { selected_interval: 11 })).rejects.toMatchObject({
      attr: "interval",
    })
  })
})
