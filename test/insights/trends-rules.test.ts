/** Rules of trends that the worked examples do not show. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { trends } from "../../src/insights/trends/trends.ts"
import type { JsonObject, JsonValue } from "../../src/lib/json.ts"
import {
  type InsightData,
  type InsightStore,
  type LoadedProject,
  openInsightStore,
} from "../support/insight-store.ts"

let store: InsightStore
beforeAll(async () => {
  store = await openInsightStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const view = (person: string, properties: JsonObject = {}, at = "2020-01-02T12:00:00Z") => ({
  ...{ person, event: "view", at, properties },
})
const DAY = { dateRange: { date_from: "2020-01-02", date_to: "2020-01-02" } }
const views = { kind: "EventsNode", event: "view" }

type Row = Readonly<Record<string, JsonValue>>

async function answer(data: InsightData, asked: JsonObject) {
  const loaded = await store.load(data)
  return store.run(
    trends.plan(trends.schema.parse({ series: [views], ...DAY, ...asked }), loaded.context()),
  )
}

async function rows(data: InsightData, asked: JsonObject): Promise<readonly Row[]> {
  return (await answer(data, asked)).results as readonly Row[]
}

const brief = (all: readonly Row[]) =>
  all.map(({ label, count, aggregated_value }) => [label, aggregated_value ?? count])

describe("a trend", () => {
  test("without series has no results", async () => {
    expect(await answer({ events: [] }, { series: [] })).toEqual({ results: [], hasMore: false })
  })

  test("says what it is of", async () => {
    const [row] = await rows({ events: [view("ana")] }, { series: [{ ...views, math: "dau" }] })
    expect(row).toEqual({
      ...{ data: [1], days: ["2020-01-02"], labels: ["2-Jan-2020"], count: 1, label: "view" },
      action: {
        ...{ id: "view", type: "events", order: 0, name: "view", custom_name: null, math: "dau" },
        ...{ math_property: null, math_hogql: null, math_group_type_index: null },
      },
      filter: {
        ...{ insight: "TRENDS", interval: "day" },
        ...{ date_from: "2020-01-02T00:00:00.000Z", date_to: "2020-01-02T23:59:59.999Z" },
      },
    })
  })

  test("of any event is called so", async () => {
    const series = [{ kind: "EventsNode", event: null }]
    expect(brief(await rows({ events: [view("ana")] }, { series }))).toEqual([["All events", 1]])
  })

  test("is smoothed to whole numbers, rounded down", async () => {
    const events = [1, 1, 1, 2, 3, 3].map((day) => view("ana", {}, `2020-01-0${day}T12:00:00Z`))
    const [row] = await rows(
      { events },
      {
        dateRange: { date_from: "2020-01-01", date_to: "2020-01-04" },
        trendsFilter: { smoothingIntervals: 2 },
      },
    )
    expect(row?.data).toEqual([3, 2, 1, 1])
  })

  test("begins with the first event of all", async () => {
    const events = [view("ana", {}, "2019-12-30T12:00:00Z"), view("ana")]
    const [row] = await rows({ events }, { dateRange: { date_from: "all", date_to: "2020-01-02" } })
    expect(row?.data).toEqual([1, 0, 0, 1])
  })

  test("is compared with the range so much earlier", async () => {
    const events = [view("ana"), view("ana"), view("bo", {}, "2019-12-02T12:00:00Z")]
    const all = await rows({ events }, { compareFilter: { compare: true, compare_to: "-1m" } })
    expect(all.map(({ compare_label, days, count }) => [compare_label, days, count])).toEqual([
      ["current", ["2020-01-02"], 2],
      ["previous", ["2019-12-02"], 1],
    ])
  })

  test("has several formulas, each with its name", async () => {
    const all = await rows(
      { events: [view("ana"), view("bo")] },
      {
        trendsFilter: {
          formulaNodes: [{ formula: "A*2", custom_name: "twice" }, { formula: "A/4" }],
        },
      },
    )
    expect(brief(all)).toEqual([
      ["twice", 4],
      ["Formula (A/4)", 0.5],
    ])
  })

  test("counts who did it for the first time ever, if that one matches", async () => {
    const events = [
      view("ana", {}, "2020-01-01T12:00:00Z"),
      view("ana", { kind: "x" }),
      view("bo", { kind: "x" }),
      view("cy", { kind: "y" }),
      view("cy", { kind: "x" }, "2020-01-02T13:00:00Z"),
    ]
    const properties = [{ key: "kind", value: "x", type: "event" }]
    const of = (math: string) => rows({ events }, { series: [{ ...views, math, properties }] })
    expect((await of("first_time_for_user"))[0]?.data).toEqual([1])
    expect((await of("first_matching_event_for_user"))[0]?.data).toEqual([3])
  })
})

describe("a trend by values", () => {
  const browsers = (...values: readonly (JsonValue | undefined)[]): InsightData => ({
    events: values.map((browser, index) =>
      view(`p${index % 2}`, browser === undefined ? {} : { browser, n: index }),
    ),
  })
  const by = (breakdownFilter: JsonObject, more: JsonObject = {}) => ({ breakdownFilter, ...more })

  test("shows 25 values and the rest, or as many as wanted", async () => {
    const data = browsers(...Array.from({ length: 30 }, (_, index) => `b${index}`))
    const more = await answer(data, by({ breakdown: "browser" }))
    expect(more.results).toHaveLength(26)
    expect(more.hasMore).toBe(true)
    const ten = await rows(data, by({ breakdown: "browser", breakdown_limit: 10 }))
    expect(ten).toHaveLength(11)
    expect(ten.at(-1)).toMatchObject({
      ...{ breakdown_value: "$$_posthog_breakdown_other_$$", count: 20 },
    })
    const hidden = { breakdown: "browser", breakdown_hide_other_aggregation: true }
    expect(await answer(data, by(hidden))).toMatchObject({ hasMore: true, results: { length: 25 } })
  })

  test("takes missing, null and empty for no value, which comes after the others", async () => {
    const data = browsers(undefined, null, "", "a")
    expect(brief(await rows(data, by({ breakdown: "browser" })))).toEqual([
      ["a", 1],
      ["$$_posthog_breakdown_null_$$", 3],
    ])
  })

  test("reckons the math anew over all other values", async () => {
    const data = browsers("a", "a", "a", "b", "c", "d")
    const limited = { breakdown: "browser", breakdown_limit: 1 }
    const of = (math: string) =>
      rows(data, by(limited, { series: [{ ...views, math, math_property: "n" }] }))
    expect((await of("dau"))[1]?.data).toEqual([2])
    expect((await of("avg"))[0]).toMatchObject({ label: "d", data: [5] })
    expect((await of("avg"))[1]?.data).toEqual([2])
  })

  test("joins several values", async () => {
    const data = {
      events: [view("ana", { os: "x", browser: "a" }), view("ana", { os: "x" })],
    }
    const breakdowns = [{ property: "os" }, { property: "browser", type: "event" }]
    const all = await rows(data, by({ breakdowns }))
    expect(all.map(({ label, breakdown_value }) => [label, breakdown_value])).toEqual([
      ["x::a", ["x", "a"]],
      ["x::$$_posthog_breakdown_null_$$", ["x", "$$_posthog_breakdown_null_$$"]],
    ])
  })

  test("reads persons and groups as they are now", async () => {
    const data: InsightData = {
      persons: [{ name: "ana", properties: { plan: "pro" } }],
      groups: [{ index: 1, key: "acme", properties: { size: 7 } }],
      events: [view("ana", { $group_1: "acme" })],
    }
    const ofPerson = by({ breakdown: "plan", breakdown_type: "person" })
    expect(brief(await rows(data, ofPerson))).toEqual([["pro", 1]])
    const ofGroup = { breakdown: "size", breakdown_type: "group", breakdown_group_type_index: 1 }
    expect(brief(await rows(data, by(ofGroup)))).toEqual([["7", 1]])
  })

  test("reads how long sessions are, as numbers", async () => {
    const events = [
      view("ana", { $session_id: "s" }),
      view("ana", { $session_id: "s" }, "2020-01-02T12:01:30Z"),
      view("bo"),
    ]
    const all = await rows(
      { events },
      by({ breakdown: "$session_duration", breakdown_type: "session" }),
    )
    expect(brief(all)).toEqual([
      ["90", 2],
      ["$$_posthog_breakdown_null_$$", 1],
    ])
  })

  test("takes addresses that differ in their ends for one", async () => {
    const data = { events: ["/a", "/a/", "/a/#", "/", "#"].map((url) => view("ana", { url })) }
    const normalized = { breakdown: "url", breakdown_normalize_url: true }
    expect(brief(await rows(data, by(normalized)))).toEqual([
      ["/a", 3],
      ["/", 2],
    ])
  })

  test("puts what is no number beside the bins", async () => {
    const data = { events: [1, 2, 2, "x"].map((n) => view("ana", { n })) }
    const binned = { breakdown: "n", breakdown_histogram_bin_count: 2 }
    expect(brief(await rows(data, by(binned)))).toEqual([
      ["[1.5,2.01]", 2],
      ["[1,1.5]", 1],
      ['["",""]', 1],
    ])
  })

  test("reckons a formula for each value, a missing one as 0", async () => {
    const events = [
      view("ana", { browser: "a" }),
      view("ana", { browser: "b" }),
      { ...view("ana", { browser: "b" }), event: "buy" },
    ]
    const all = await rows(
      { events },
      by(
        { breakdown: "browser" },
        { series: [views, { kind: "EventsNode", event: "buy" }], trendsFilter: { formula: "A+B" } },
      ),
    )
    expect(all.map(({ breakdown_value, count }) => [breakdown_value, count])).toEqual([
      ["b", 2],
      ["a", 1],
    ])
  })
})

describe("a wrong question", () => {
  test.each([
    ["math", { series: [{ ...views, math: "sumo" }] }],
    ["math_property", { series: [{ ...views, math: "sum" }] }],
    ["math_hogql", { series: [{ ...views, math: "hogql" }] }],
    ["series", { series: [{ kind: "ActionsNode", id: 3 }] }],
    ["formula", { trendsFilter: { formula: "A+B" } }],
    ["breakdown", { breakdownFilter: { breakdown: "constructor", breakdown_type: "session" } }],
    ["breakdown", { breakdownFilter: { breakdown: ["x"], breakdown_type: "cohort" } }],
    ["breakdown", { breakdownFilter: { breakdown: [9], breakdown_type: "cohort" } }],
    ["date_to", { dateRange: { date_from: "2020-01-02", date_to: "2020-01-01" } }],
    ["compare_to", { compareFilter: { compare: true, compare_to: "soon" } }],
  ])("is refused at %s", async (attr, asked) => {
    await expect(rows({ events: [] }, asked as JsonObject)).rejects.toMatchObject({ attr })
  })
})

describe("the persons behind a trend", () => {
  async function actors(
    loaded: LoadedProject,
    asked: JsonObject,
    selected: Parameters<typeof trends.actors>[1],
  ) {
    const question = trends.schema.parse({ series: [views], ...DAY, ...asked })
    const source = await store.run(trends.actors(question, selected, loaded.context()))
    const found = await store.engine.rows(source.query, { timeoutMs: 60_000 })
    const names = found.map(({ actor_id, value_at_data_point }) => [
      source.actor.kind === "group" ? actor_id : loaded.nameOf(actor_id),
      value_at_data_point,
    ])
    return names.sort()
  }

  test("are those of a value, of no value, of all other values", async () => {
    const loaded = await store.load({
      events: [
        ...[view("ana", { b: "x" }), view("ana", { b: "x" }), view("bo", { b: "x" })],
        ...[view("bo", { b: "y" }), view("cy", { b: "z" }), view("di")],
      ],
    })
    const asked = { breakdownFilter: { breakdown: "b", breakdown_limit: 1 } }
    expect(await actors(loaded, asked, { breakdown: "x" })).toEqual([
      ["ana", 2],
      ["bo", 1],
    ])
    const none = await actors(loaded, asked, { breakdown: "$$_posthog_breakdown_null_$$" })
    expect(none).toEqual([["di", 1]])
    const other = await actors(loaded, asked, { breakdown: "$$_posthog_breakdown_other_$$" })
    expect(other).toEqual([
      ["bo", 1],
      ["cy", 1],
      ["di", 1],
    ])
  })

  test("are groups where groups are counted", async () => {
    const loaded = await store.load({ events: [view("ana", { $group_0: "acme" }), view("bo")] })
    const series = [{ ...views, math: "unique_group", math_group_type_index: 0 }]
    expect(await actors(loaded, { series }, { day: "2020-01-02" })).toEqual([["acme", 1]])
  })

  test("bring what they add to a sum", async () => {
    const loaded = await store.load({ events: [view("ana", { n: 2 }), view("ana", { n: 5 })] })
    const series = [{ ...views, math: "sum", math_property: "n" }]
    expect(await actors(loaded, { series }, { day: "2020-01-02" })).toEqual([["ana", 7]])
  })

  test("are of a bin that an address spells as a list", async () => {
    const loaded = await store.load({
      events: [view("ana", { n: 1 }), view("bo", { n: 2 }), view("cy")],
    })
    const asked = { breakdownFilter: { breakdown: "n", breakdown_histogram_bin_count: 2 } }
    expect(await actors(loaded, asked, { breakdown: [1, 1.5] })).toEqual([["ana", 1]])
    expect(await actors(loaded, asked, { breakdown: ["", ""] })).toEqual([["cy", 1]])
  })

  test("are of the previous period where that is asked", async () => {
    const events = [view("ana"), view("bo", {}, "2020-01-01T12:00:00Z")]
    const loaded = await store.load({ events })
    const asked = { compareFilter: { compare: true } }
    const previous = { compare: "previous", day: "2020-01-01" } as const
    expect(await actors(loaded, asked, previous)).toEqual([["bo", 1]])
    await expect(actors(loaded, {}, { compare: "previous" })).rejects.toMatchObject({
      attr: "compare",
    })
  })
})

describe("the lookup of persons", () => {
  const events = [{ id: "view", type: "events", order: 0 }]

  test("knows its series by place or by name, and makes one that is not listed", () => {
    const listed = [...events, { id: "buy", type: "events", order: 1, math: "dau" }]
    const seriesOf = (parameters: JsonObject) => {
      const { asked, selected } = trends.parseLookup({ events: listed, ...parameters })
      return asked.series[selected.series ?? 0]
    }
    expect(seriesOf({ entity_order: "1" })).toMatchObject({ event: "buy", math: "dau" })
    const ofView = { entity_id: "view", entity_type: "events" }
    expect(seriesOf(ofView)).toMatchObject({ event: "view" })
    const other = { entity_id: "other", entity_type: "events", entity_math: "dau" }
    expect(seriesOf(other)).toMatchObject({ event: "other", math: "dau" })
  })

  test("reads a breakdown with its value, numbers as texts", () => {
    const { asked, selected } = trends.parseLookup({
      ...{ events, entity_order: 0, date_from: "2020-01-02", date_to: "2020-01-02" },
      ...{ breakdown: "size", breakdown_type: "group", breakdown_group_type_index: "1" },
      ...{ breakdown_value: "7", filter_test_accounts: "true" },
    })
    expect(asked).toMatchObject({
      filterTestAccounts: true,
      breakdownFilter: { breakdown: "size", breakdown_group_type_index: 1 },
    })
    expect(selected).toEqual({ series: 0, breakdown: "7" })
  })

  test.each([
    ["entity_id", {}],
    ["interval", { entity_order: 0, interval: "decade" }],
    ["breakdown", { entity_order: 0, breakdown_value: "x" }],
    ["events", { entity_order: 0, events: "view" }],
  ])("is refused at %s", (attr, parameters) => {
    const all = { events, ...parameters } as JsonObject
    expect(() => trends.parseLookup(all)).toThrow(expect.objectContaining({ attr }))
  })
})
