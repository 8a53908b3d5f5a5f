/** The worked examples of funnels over time, and of the time that they take. */
import type { JsonObject } from "../../src/lib/json.ts"
import type { InsightData } from "../support/insight-store.ts"
import { DAY, funnel, onDay } from "./funnels-words.ts"

const D = onDay("2021-05-01", {
  u1: "one@0 two@48 three@96",
  u6: "one@0 two@48 three@96",
  u2: "one@24 two@72",
  u7: "one@24 two@72",
  u3: "one@120",
  u4: "none@0",
  u5: "one@1 two@2 three@3",
})

const trend = (filter: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...funnel(["one", "two", "three"], { funnelVizType: "trends", ...filter }),
  dateRange: { date_from: "2021-05-01", date_to: "2021-05-07" },
  interval: "day",
  ...more,
})

export const trendCases: readonly {
  readonly name: string
  readonly data: InsightData
  readonly asked: JsonObject
  readonly rates?: readonly number[]
  readonly days?: { readonly count: number; readonly first: string }
}[] = [
  {
    name: "T1: by the day on which attempts begin",
    data: { events: D },
    asked: trend({ funnelWindowInterval: 7 }),
    rates: [100, 0, 0, 0, 0, 0, 0],
  },
  {
    name: "T2: a window of one day",
    data: { events: D },
    asked: trend({ funnelWindowInterval: 1 }),
    rates: [33.33, 0, 0, 0, 0, 0, 0],
  },
  {
    name: "T3: two full runs of one person on one day count once",
    data: { events: onDay(DAY, { a: "one@1 two@2 three@3 one@4 two@5 three@6" }) },
    asked: trend({}),
    rates: [100, 0, 0, 0, 0, 0, 0],
  },
  {
    name: "T4: steps in reverse order",
    data: { events: onDay(DAY, { a: "three@1 two@2 one@3" }) },
    asked: trend({}),
    rates: [0, 0, 0, 0, 0, 0, 0],
  },
  {
    name: "T7: up to the second step",
    data: {
      events: [
        ...onDay(DAY, { a: "one@1 two@2", b: "one@1" }),
        ...onDay("2021-05-02", { c: "one@1 two@2 three@3" }),
      ],
    },
    asked: trend({ funnelToStep: 1 }),
    rates: [50, 100, 0, 0, 0, 0, 0],
  },
  {
    name: "T8: hours",
    data: { events: D },
    asked: trend(
      {},
      {
        interval: "hour",
        dateRange: { date_from: "2021-05-01 00:00:00", date_to: "2021-05-06 23:40:00" },
      },
    ),
    days: { count: 144, first: "2021-05-01 00:00:00" },
  },
  {
    name: "T8: weeks",
    data: { events: D },
    asked: trend({}, { interval: "week" }),
    days: { count: 2, first: "2021-04-25" },
  },
  {
    name: "T8: months",
    data: { events: D },
    asked: trend(
      {},
      {
        interval: "month",
        dateRange: { date_from: "2020-01-01", date_to: "2020-07-01" },
      },
    ),
    days: { count: 7, first: "2020-01-01" },
  },
  {
    name: "T8: all since the first event",
    data: { events: D },
    asked: trend({}, { dateRange: { date_from: "all", date_to: "2021-05-20" } }),
    days: { count: 20, first: "2021-05-01" },
  },
]

const K1 = onDay(DAY, {
  a: "one@0 two@1 three@3",
  b: "one@0 two@0:37",
  c: "one@0 two@23",
})
const converts = (filter: JsonObject, events = ["one", "two", "three"]): JsonObject =>
  funnel(events, { funnelVizType: "time_to_convert", ...filter })

const K1_RESULT = {
  bins: [
    [2_220, 2],
    [42_510, 0],
    [82_800, 1],
  ],
  average_conversion_time: 29_540,
}

export const timeCases: readonly {
  readonly name: string
  readonly data: InsightData
  readonly asked: JsonObject
  readonly expected: JsonObject
}[] = [
  {
    name: "K1: from the first step to the second",
    data: { events: K1 },
    asked: converts({ funnelFromStep: 0, funnelToStep: 1 }),
    expected: K1_RESULT,
  },
  {
    name: "K3: from the first step to the last, which one person takes",
    data: { events: K1 },
    asked: converts({}),
    expected: {
      bins: [
        [10_800, 1],
        [10_860, 0],
      ],
      average_conversion_time: 10_800,
    },
  },
  {
    name: "K4: all steps are the same event",
    data: {
      events: onDay(DAY, {
        a: "one@0 one@1 one@3",
        b: "one@0 one@0:37 one@2",
        c: "one@0 one@23 one@25",
      }),
    },
    asked: converts({ funnelFromStep: 0, funnelToStep: 1 }, ["one", "one", "one"]),
    expected: K1_RESULT,
  },
  {
    name: "K6: strict, one who does something else does not convert",
    data: { events: [...K1, ...onDay(DAY, { d: "one@0 blah@1 two@2" })] },
    asked: converts({ funnelOrderType: "strict", funnelFromStep: 0, funnelToStep: 1 }),
    expected: K1_RESULT,
  },
]
