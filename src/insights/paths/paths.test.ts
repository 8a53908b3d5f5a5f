import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { pathsCases, shownEdges } from "../../../test/insights/paths-cases.ts"
import { FUNNEL, MAY, P15 } from "../../../test/insights/paths-data.ts"
import {
  type InsightData,
  type InsightStore,
  openInsightStore,
} from "../../../test/support/insight-store.ts"
import type { JsonObject } from "../../lib/json.ts"
import { parsePropertyFilters } from "../../query/filters/parse.ts"
import { paths } from "./paths.ts"

let store: InsightStore
beforeAll(async () => {
  store = await openInsightStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const START = "2021-05-07T12:00:00Z"

describe("paths", () => {
  test.each(pathsCases)("$name", async ({ data, asked, expected, settings, now }) => {
    const loaded = await store.load(data)
    const context = loaded.context({
      now: new Date(now ?? START),
      testAccountFilters: parsePropertyFilters(settings?.test_account_filters),
    })
    const { results } = await store.run(paths.plan(paths.schema.parse(asked), context))
    expect(results).toMatchObject(shownEdges(expected))
  })
})

async function edgesOf(data: InsightData, asked: JsonObject) {
  const loaded = await store.load(data)
  const context = loaded.context({ now: new Date(START) })
  const question = paths.schema.parse({ dateRange: MAY, ...asked })
  const { results } = await store.run(paths.plan(question, context))
  return (results as readonly JsonObject[]).map(
    ({ source, target, value }) => `${source} > ${target} ${value}`,
  )
}

/** Events as "seconds name". */
const done = (person: string, ...events: readonly string[]) =>
  events.map((each) => {
    const [seconds, event = ""] = each.split(" ")
    const at = new Date(Date.parse("2021-05-01T00:00:00Z") + Number(seconds) * 1_000).toISOString()
    return { person, event, at }
  })

describe("a path", () => {
  test("ends where nothing happens for half an hour", async () => {
    const events = [...done("p", "0 a", "1799.999 b"), ...done("q", "0 a", "1800 b")]
    expect(await edgesOf({ events }, {})).toEqual(["1_a > 2_b 1"])
  })

  test("goes on in a funnel as long as an attempt may take", async () => {
    const funnelsFilter = { funnelWindowInterval: 1, funnelWindowIntervalUnit: "hour" }
    const funnelSource = { ...FUNNEL, funnelsFilter, series: [{ event: "a" }, { event: "z" }] }
    const funnelPathsFilter = { ...AFTER_FIRST, funnelSource }
    const events = [...done("p", "0 a", "3599 b", "7200 c"), ...done("q", "0 b", "60 c")]
    expect(await edgesOf({ events }, { funnelPathsFilter })).toEqual(["1_a > 2_b 1"])
  })

  const AFTER_FIRST = { funnelPathType: "funnel_path_after_step", funnelStep: 1 }

  test("is that of the person somebody became", async () => {
    const events = [...done("old", "0 a", "120 c"), ...done("now", "60 b")]
    const merged = [{ from: "old", into: "now" }]
    expect(await edgesOf({ events, merged }, {})).toEqual(["1_a > 2_b 1", "2_b > 3_c 1"])
  })

  test("of groups is what all their members do", async () => {
    const inGroup = (key: string | null) => ({ properties: { $group_0: key } })
    const events = [
      ...done("p", "0 a", "120 c").map((event) => ({ ...event, ...inGroup("org") })),
      ...done("q", "60 b").map((event) => ({ ...event, ...inGroup("org") })),
      ...done("r", "0 a", "60 b").map((event) => ({ ...event, ...inGroup(null) })),
    ]
    const asked = { aggregation_group_type_index: 0 }
    expect(await edgesOf({ events }, asked)).toEqual(["1_a > 2_b 1", "2_b > 3_c 1"])
  })

  test("shows what has no address as nothing, and a lone slash as it is", async () => {
    const urls = ["/", null, "//", "/a/"]
    const events = urls.map((url, index) => ({
      ...{ person: "p", event: "$pageview", at: `2021-05-01T00:0${index}:00Z` },
      properties: { $current_url: url },
    }))
    const pathsFilter = { includeEventTypes: ["$pageview"] }
    expect(await edgesOf({ events }, { pathsFilter })).toEqual([
      "1_/ > 2_ 1",
      "2_ > 3_/ 1",
      "3_/ > 4_/a 1",
    ])
  })

  test("of all events leaves out those that are excluded by name", async () => {
    const events = done("p", "0 a", "1 $pageview", "2 b", "3 $screen", "4 c")
    const pathsFilter = { excludeEvents: ["$pageview", "b"] }
    expect(await edgesOf({ events }, { pathsFilter })).toEqual(["1_a > 2_ 1", "2_ > 3_c 1"])
  })
})

describe("a grouping", () => {
  test("is found anywhere in an item, the first one first, and all but * means itself", async () => {
    const events = done("p", "0 shop/a.b/1", "1 x", "2 shop/aXb/2", "3 y", "4 shop/other")
    const pathGroupings = ["/a.b", "shop/*/2", "shop"]
    expect(await edgesOf({ events }, { pathsFilter: { pathGroupings } })).toEqual([
      "1_/a.b > 2_x 1",
      "2_x > 3_shop/*/2 1",
      "3_shop/*/2 > 4_y 1",
      "4_y > 5_shop 1",
    ])
  })
})

describe("paths of a funnel", () => {
  const asked = (funnelPathType: string, funnelStep: number | null) => ({
    funnelPathsFilter: { funnelPathType, funnelStep, funnelSource: FUNNEL },
  })

  test.each<[step: number | null, type: string]>([
    [null, "funnel_path_after_step"],
    [0, "funnel_path_after_step"],
    [-1, "funnel_path_before_step"],
    [4, "funnel_path_before_step"],
    [1, "funnel_path_between_steps"],
  ])("have no step %s for %s", async (step, type) => {
    await expect(edgesOf({ events: [] }, asked(type, step))).rejects.toMatchObject({
      attr: "funnelStep",
    })
  })

  test("after a step begin with it", async () => {
    expect(await edgesOf(P15, asked("funnel_path_after_step", 2))).toEqual([
      "1_step two > 2_between_step_2_a 10",
      "2_between_step_2_a > 3_between_step_2_b 10",
      "1_step two > 2_step three 5",
    ])
  })
})
