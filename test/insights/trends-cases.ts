/** The worked examples of trends. */
import type { JsonObject } from "../../src/lib/json.ts"
import type { InsightData, InsightEvent } from "../support/insight-store.ts"

interface TrendsCase {
  readonly name: string
  readonly data: InsightData
  /** When it is asked; 2020-01-20T12:00:00Z when not given. */
  readonly now?: string
  readonly asked: JsonObject
  /** What each row holds, among others. */
  readonly expected: readonly JsonObject[]
}

const january = (day: number) => `2020-01-${String(day).padStart(2, "0")}T12:00:00Z`
const on = (person: string, event: string, days: readonly number[]): readonly InsightEvent[] =>
  days.map((day) => ({ person, event, at: january(day) }))

const T1_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  p1: { $browser: "Chrome", prop: 10, bool_field: true },
  p2: { $browser: "Firefox", prop: 20, bool_field: false },
  p3: { $browser: "Edge", prop: 30, bool_field: true },
  p4: { $browser: "Safari", prop: 40, bool_field: false },
}

export const T1: InsightData = {
  persons: ["p1", "p2", "p3", "p4"].map((name) => ({ name, properties: { name } })),
  events: [
    ...on("p1", "$pageview", [11, 12, 13, 15, 17, 19]),
    ...on("p2", "$pageview", [9, 12]),
    ...on("p3", "$pageview", [12]),
    ...on("p4", "$pageview", [15]),
    ...on("p1", "$pageleave", [11, 12, 13]),
    ...on("p2", "$pageleave", [13]),
    ...on("p3", "$pageleave", [13]),
    ...on("p4", "$pageleave", [16]),
  ].map((event) => ({ ...event, properties: T1_PROPERTIES[event.person] ?? {} })),
}

const T2: InsightData = {
  events: [
    { person: "p0", event: "$pageview", at: "2020-01-03T11:00:00Z" },
    ...on("p0", "$pageview", [3, 12]),
    ...on("p1", "$pageview", [9, 10, 11]),
    ...on("p2", "$pageview", [9, 11]),
  ],
}

const video = (person: string, day: number, group?: string, distinct_id?: string) => ({
  ...{ person, event: "viewed video", at: january(day) },
  properties: group === undefined ? {} : { $group_0: group },
  ...(distinct_id === undefined ? {} : { distinct_id }),
})

const T3: InsightData = {
  events: [
    video("A", 1, "bouba"),
    video("A", 1, "bouba", "A2"),
    video("B", 1, "bouba"),
    video("C", 4, "kiki"),
    video("A", 5, "bouba"),
    video("C", 5),
    video("C", 5, "bouba"),
    video("C", 5, "kiki"),
  ],
}

export const pageview = { kind: "EventsNode", event: "$pageview" }
const pageleave = { kind: "EventsNode", event: "$pageleave" }
const videos = { kind: "EventsNode", event: "viewed video" }
const range = (date_from: string, date_to: string) => ({ dateRange: { date_from, date_to } })
const UNTIL_19 = range("2020-01-09", "2020-01-19")
const UNTIL_20 = range("2020-01-09", "2020-01-20")
const WEEK = range("2020-01-01", "2020-01-07")
const A_PLUS_B = [1, 0, 2, 4, 4, 0, 2, 1, 1, 0, 1]

const ofT1: readonly Omit<TrendsCase, "data">[] = [
  {
    name: "T1: totals by day",
    asked: { series: [pageview], ...UNTIL_19 },
    expected: [{ data: [1, 0, 1, 3, 1, 0, 2, 0, 1, 0, 1], count: 10, label: "$pageview" }],
  },
  {
    name: "T1: page leaves",
    asked: { series: [pageleave], ...UNTIL_19 },
    expected: [{ data: [0, 0, 1, 1, 3, 0, 0, 1, 0, 0, 0], count: 6 }],
  },
  {
    name: "T1: a formula",
    asked: { series: [pageview, pageleave], ...UNTIL_19, trendsFilter: { formula: "A+B" } },
    expected: [{ data: A_PLUS_B, count: 16, label: "Formula (A+B)" }],
  },
  {
    name: "T1: a formula as one number",
    asked: {
      ...{ series: [pageview, pageleave], ...UNTIL_19 },
      trendsFilter: { formula: "A+B", display: "BoldNumber" },
    },
    expected: [{ aggregated_value: 16, count: 0, data: [] }],
  },
  {
    name: "T1: a formula compared with the previous period",
    asked: {
      ...{ series: [pageview, pageleave], ...range("2020-01-15", "2020-01-19") },
      trendsFilter: { formula: "A+B", compare: true },
    },
    expected: [
      { count: 5, compare: true, compare_label: "current" },
      {
        ...{ count: 10, compare_label: "previous" },
        labels: ["day 0", "day 1", "day 2", "day 3", "day 4"],
        days: ["2020-01-10", "2020-01-11", "2020-01-12", "2020-01-13", "2020-01-14"],
      },
    ],
  },
  {
    name: "T1: persons by day",
    asked: { series: [{ ...pageview, math: "dau" }], ...UNTIL_20 },
    expected: [{ data: [1, 0, 1, 3, 1, 0, 2, 0, 1, 0, 1, 0] }],
  },
  {
    name: "T1: persons active in the month",
    asked: { series: [{ ...pageview, math: "monthly_active" }], ...UNTIL_20 },
    expected: [{ data: [1, 1, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4] }],
  },
  {
    name: "T1: the sum of a property",
    asked: { series: [{ ...pageview, math: "sum", math_property: "prop" }], ...UNTIL_20 },
    expected: [{ data: [20, 0, 10, 60, 10, 0, 50, 0, 10, 0, 10, 0] }],
  },
  {
    name: "T1: the sum of a property as an expression",
    asked: {
      series: [{ ...pageview, math: "hogql", math_hogql: "sum(properties.prop)" }],
      ...UNTIL_20,
    },
    expected: [{ data: [20, 0, 10, 60, 10, 0, 50, 0, 10, 0, 10, 0] }],
  },
  {
    name: "T1: the mean of a property",
    asked: { series: [{ ...pageview, math: "avg", math_property: "prop" }], ...UNTIL_20 },
    expected: [{ data: [20, 0, 10, 20, 10, 0, 25, 0, 10, 0, 10, 0] }],
  },
  {
    name: "T1: one number",
    asked: { series: [pageview], ...UNTIL_20, trendsFilter: { display: "BoldNumber" } },
    expected: [{ aggregated_value: 10, count: 0, data: [] }],
  },
  {
    name: "T1: cumulated",
    asked: {
      ...{ series: [pageview], ...UNTIL_20 },
      trendsFilter: { display: "ActionsLineGraphCumulative" },
    },
    expected: [{ data: [1, 1, 2, 5, 6, 6, 8, 8, 9, 9, 10, 10], count: 10 }],
  },
  {
    name: "T1: by browser, equals in the order of their names",
    asked: {
      ...{ series: [pageview], ...UNTIL_20 },
      breakdownFilter: { breakdown: "$browser", breakdown_type: "event" },
    },
    expected: [
      { label: "Chrome", breakdown_value: "Chrome", count: 6 },
      { label: "Firefox", count: 2 },
      { label: "Edge", count: 1 },
      { label: "Safari", count: 1 },
    ],
  },
  {
    name: "T1: two series by an expression",
    asked: {
      ...{ series: [pageview, pageleave], ...UNTIL_20 },
      breakdownFilter: { breakdown: "properties.$browser", breakdown_type: "hogql" },
    },
    expected: [
      { label: "$pageview - Chrome", breakdown_value: "Chrome", count: 6 },
      { label: "$pageview - Firefox", count: 2 },
      { label: "$pageview - Edge", count: 1 },
      { label: "$pageview - Safari", count: 1 },
      { label: "$pageleave - Chrome", count: 3 },
      { label: "$pageleave - Edge", count: 1 },
      { label: "$pageleave - Firefox", count: 1 },
      { label: "$pageleave - Safari", count: 1 },
    ],
  },
  {
    name: "T1: by true and false",
    asked: {
      ...{ series: [pageview], ...UNTIL_20 },
      breakdownFilter: { breakdown: "bool_field", breakdown_type: "event" },
    },
    expected: [
      { label: "true", breakdown_value: "true", count: 7 },
      { label: "false", count: 3 },
    ],
  },
  {
    name: "T1: by bins of a number",
    asked: {
      ...{ series: [pageview], ...UNTIL_20 },
      breakdownFilter: { breakdown: "prop", breakdown_histogram_bin_count: 4 },
    },
    expected: [
      { label: "[10,17.5]", breakdown_value: "[10,17.5]", count: 6 },
      { label: "[17.5,25]", count: 2 },
      { label: "[25,32.5]", count: 1 },
      { label: "[32.5,40.01]", count: 1 },
    ],
  },
]

const TABLE = { trendsFilter: { display: "ActionsTable" } }
const weekly = { ...pageview, math: "weekly_active" }

const ofT2: readonly Omit<TrendsCase, "data">[] = [
  {
    name: "T2: persons active in the week, by day",
    asked: { series: [weekly], ...range("2020-01-08", "2020-01-19") },
    expected: [{ data: [1, 3, 2, 2, 3, 3, 3, 3, 3, 3, 1, 0] }],
  },
  {
    name: "T2: persons active in the week, by hour",
    asked: {
      ...{ series: [weekly], interval: "hour" },
      ...range("2020-01-09 06:00:00", "2020-01-09 17:00:00"),
    },
    expected: [{ data: [3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2] }],
  },
  {
    name: "T2: persons active in the week before the end of a range",
    asked: { series: [weekly], ...range("2020-01-01", "2020-01-08"), ...TABLE },
    expected: [{ aggregated_value: 1 }],
  },
  {
    name: "T2: persons active in a week that is longer than the range",
    asked: { series: [weekly], ...range("2020-01-11", "2020-01-12"), ...TABLE },
    expected: [{ aggregated_value: 3 }],
  },
]

const perActor = (math: string) => ({ series: [{ ...videos, math: `${math}_count_per_actor` }] })

const ofT3: readonly Omit<TrendsCase, "data">[] = [
  {
    name: "T3: mean count of a person, by day",
    asked: { ...perActor("avg"), ...WEEK },
    expected: [{ data: [1.5, 0, 0, 1, 2, 0, 0] }],
  },
  {
    name: "T3: mean count of a person, by week",
    asked: { ...perActor("avg"), interval: "week", ...WEEK },
    expected: [{ data: [1.3333333333333333, 2], days: ["2019-12-29", "2020-01-05"] }],
  },
  {
    name: "T3: mean count of a person in all",
    asked: { ...perActor("avg"), ...WEEK, ...TABLE },
    expected: [{ aggregated_value: 2.6666666666666665 }],
  },
  {
    name: "T3: largest count of a person, by day",
    asked: { ...perActor("max"), ...WEEK },
    expected: [{ data: [2, 0, 0, 1, 3, 0, 0] }],
  },
  {
    name: "T3: different groups, by day",
    now: "2020-01-06T12:00:00Z",
    asked: {
      series: [{ ...videos, math: "unique_group", math_group_type_index: 0 }],
      dateRange: { date_from: "-7d" },
    },
    expected: [{ data: [0, 0, 1, 0, 0, 1, 2, 0] }],
  },
]

const viewsAt = (...moments: readonly string[]): InsightData => ({
  events: moments.map((at) => ({ person: "ana", event: "$pageview", at })),
})
const november = (...days: readonly number[]) =>
  viewsAt(...days.map((day) => `2020-11-${String(day).padStart(2, "0")}T12:00:00Z`))
const MORNINGS = ["2020-11-01T05:20:00Z", "2020-11-01T10:22:00Z", "2020-11-01T10:25:00Z"]

const ofRanges: readonly TrendsCase[] = [
  {
    name: "ranges: weeks",
    data: november(1, 10, 11, 18),
    asked: { series: [pageview], interval: "week", ...range("2020-10-29", "2020-11-24") },
    expected: [
      {
        data: [0, 1, 2, 1, 0],
        labels: ["25-Oct-2020", "1-Nov-2020", "8-Nov-2020", "15-Nov-2020", "22-Nov-2020"],
      },
    ],
  },
  {
    name: "ranges: a week counts from its first day",
    data: november(1, 10, 11, 18),
    asked: { series: [pageview], interval: "week", ...range("2020-11-04", "2020-11-24") },
    expected: [{ data: [1, 2, 1, 0] }],
  },
  {
    name: "ranges: months, with the newer labels",
    data: viewsAt("2020-07-10T12:00:00Z", "2020-07-30T12:00:00Z", "2020-10-18T12:00:00Z"),
    asked: { series: [pageview], interval: "month", ...range("2020-6-01", "2020-11-24") },
    expected: [
      {
        data: [0, 2, 0, 0, 1, 0],
        labels: ["Jun 2020", "Jul 2020", "Aug 2020", "Sep 2020", "Oct 2020", "Nov 2020"],
      },
    ],
  },
  {
    name: "ranges: today holds what is later today",
    now: "2020-11-01T10:20:00Z",
    data: viewsAt("2020-11-01T10:20:00Z", "2020-11-01T10:22:00Z", "2020-11-01T10:25:00Z"),
    asked: { series: [pageview], dateRange: { date_from: "dStart" } },
    expected: [{ data: [3] }],
  },
  {
    name: "ranges: yesterday is a whole day",
    now: "2020-11-02T10:20:00Z",
    data: viewsAt(...MORNINGS),
    asked: { series: [pageview], ...range("-1d", "-1d") },
    expected: [{ data: [3] }],
  },
  {
    name: "ranges: 24 hours begin at an hour",
    now: "2020-11-02T10:20:00Z",
    data: viewsAt(...MORNINGS, "2020-11-02T08:25:00Z"),
    asked: { series: [pageview], dateRange: { date_from: "-24h" } },
    expected: [{ data: [2, 1] }],
  },
  {
    name: "ranges: seven days are eight buckets",
    now: "2020-11-07T12:00:00Z",
    data: november(1, 2, 4, 5),
    asked: { series: [pageview], dateRange: { date_from: "-7d" } },
    expected: [{ data: [0, 1, 1, 0, 1, 1, 0, 0] }],
  },
  {
    name: "ranges: up to now",
    now: "2020-01-10T12:00:00Z",
    data: viewsAt(...[5, 5, 4, 11, 9].map(january)),
    asked: { series: [pageview], dateRange: { date_from: "2020-01-05" } },
    expected: [{ data: [2, 0, 0, 0, 1, 0] }],
  },
]

const withValues = (values: readonly (number | string | null)[]): InsightData => ({
  events: values.map((value) => ({
    ...{ person: "ana", event: "$pageview", at: january(2) },
    properties: { value },
  })),
})
const ofValues = (math: string) => ({
  ...{ series: [{ ...pageview, math, math_property: "value" }], ...WEEK },
  trendsFilter: { display: "BoldNumber" },
})
const MIXED = withValues([2, 3, 5.5, 7.5, null])
const HUNDRED = withValues(Array.from({ length: 100 }, (_, index) => 101 + index))

const ofNumbers: readonly TrendsCase[] = [
  ...Object.entries({ sum: 18, avg: 4.5, min: 2, max: 7.5 }).map(([math, value]) => ({
    name: `values: ${math}`,
    data: MIXED,
    asked: ofValues(math),
    expected: [{ aggregated_value: value }],
  })),
  ...Object.entries({ median: 150.5, p90: 190.1, p95: 195.05, p99: 199.01 }).map(
    ([math, value]) => ({
      name: `values: exact ${math}`,
      data: HUNDRED,
      asked: ofValues(math),
      expected: [{ aggregated_value: value }],
    }),
  ),
  {
    name: "values: what is no number is left out",
    data: withValues([2, "x", null, 8]),
    asked: ofValues("avg"),
    expected: [{ aggregated_value: 5 }],
  },
  {
    name: "values: a formula of parts",
    data: {
      events: [...on("p1", "$pageview", [2, 2, 2]), ...on("p1", "$pageleave", [2])],
    },
    asked: {
      ...{ series: [pageview, pageleave], ...range("2020-01-02", "2020-01-02") },
      trendsFilter: { formula: "B/A" },
    },
    expected: [{ data: [0.3333333333333333] }],
  },
  {
    name: "values: persons cumulated are those seen so far",
    data: {
      events: [...on("ana", "$pageview", [1, 1, 1, 2]), ...on("bo", "$pageview", [3])],
    },
    asked: {
      ...{ series: [{ ...pageview, math: "dau" }], ...range("2019-12-28", "2020-01-04") },
      trendsFilter: { display: "ActionsLineGraphCumulative" },
    },
    expected: [{ data: [0, 0, 0, 0, 1, 1, 2, 2] }],
  },
]

export const trendsCases: readonly TrendsCase[] = [
  ...ofT1.map((each) => ({ ...each, data: T1 })),
  ...ofT2.map((each) => ({ ...each, data: T2 })),
  ...ofT3.map((each) => ({ ...each, data: T3 })),
  ...ofRanges,
  ...ofNumbers,
]

/** Without what the last digits of broken numbers are. */
export function rounded(results: unknown): unknown {
  return JSON.parse(
    JSON.stringify(results, (_, value: unknown) =>
      typeof value === "number" ? Number(value.toPrecision(12)) : value,
    ),
  )
}
