/** The worked examples of funnels. */
import type { JsonObject } from "../../src/lib/json.ts"
import type { InsightData, InsightEvent } from "../support/insight-store.ts"
import {
  DAY,
  funnel,
  JANUARY,
  onDay,
  steps,
  type Timelines,
  times,
  withProperties,
} from "./funnels-words.ts"

interface FunnelCase {
  readonly name: string
  readonly data: InsightData
  readonly asked: JsonObject
  readonly timezone?: string
  readonly counts: readonly number[]
  /** Of the steps after the first, where they matter. */
  readonly averages?: readonly (number | null)[]
  readonly medians?: readonly (number | null)[]
}

const url = (value: string) => ({
  kind: "EventsNode",
  event: "p",
  properties: [{ key: "url", value, operator: "exact", type: "event" }],
})

/** "A" and "B" are pageviews of two addresses. */
const pageviews = (timelines: Timelines): readonly InsightEvent[] =>
  onDay(DAY, timelines).map((event) => {
    if (event.event === "A") return { ...event, event: "p", properties: { url: "aloha" } }
    if (event.event === "B") return { ...event, event: "p", properties: { url: "aloha2" } }
    return event
  })

const ordered: readonly FunnelCase[] = [
  {
    name: "F1: three steps, one person under two ids",
    data: {
      events: [
        ...onDay(DAY, { a: "S@1", b: "S@1 P@2", d: "M@1", e: "P@1 S@2 M@3" }),
        ...onDay(DAY, { c: "S@1 P@2 M@3" }).map((event, index) =>
          index === 0 ? { ...event, distinct_id: "c-other" } : event,
        ),
      ],
    },
    asked: funnel(["S", "P", "M"]),
    counts: [4, 2, 1],
  },
  {
    name: "F3: any event three times",
    data: {
      events: onDay(DAY, { a: "x@1", b: "x@1 y@2", c: "y@1 z@2", d: "z@1", e: "x@1 y@2 x@3" }),
    },
    asked: funnel([null, null, null]),
    counts: [5, 3, 1],
  },
  {
    name: "F4: a step left out",
    data: { events: onDay(DAY, { a: "S@1 M@2" }) },
    asked: funnel(["S", "P", "M"]),
    counts: [1, 0, 0],
  },
  {
    name: "F5: the same event twice",
    data: { events: onDay(DAY, { a: "S@1 S@2", b: "S@1" }) },
    asked: funnel(["S", "S"], { funnelWindowInterval: 2, funnelWindowIntervalUnit: "week" }),
    counts: [2, 1],
  },
  {
    name: "F7: a step that is repeated four times",
    data: {
      events: onDay(DAY, {
        a: "S@1",
        b: "S@1 p@2",
        c: "S@1 p@2 x@3 p@4",
        d: "S@1 p@2 x@3 p@4 p@5 x@6",
        e: "S@1 p@2 p@3 p@4 p@5",
      }),
    },
    asked: funnel(["S", "p", "p", "p", "p"]),
    counts: [5, 4, 3, 2, 1],
  },
  {
    name: "F9: steps of one event with different filters",
    data: {
      events: pageviews({
        a: "S@1",
        b: "S@1 A@2",
        c: "S@1 A@2 x@3 B@4",
        d: "S@1 A@2 B@3 B@4 x@5",
        e: "S@1 A@2 x@3 B@4 A@5 B@6",
      }),
    },
    asked: {
      ...funnel([]),
      series: [...steps("S"), url("aloha"), url("aloha2"), url("aloha2"), ...steps("p")],
    },
    counts: [5, 4, 3, 2, 0],
  },
  {
    name: "F10: a window of seven days",
    data: {
      events: [
        ...times(10, (index) => onDay(DAY, { [`a${index}`]: "one@0 two@24 three@48" }).slice(0, 2)),
        ...times(15, (index) => onDay(DAY, { [`b${index}`]: "one@0 two@216" })),
      ],
    },
    asked: funnel(["one", "two", "three"], { funnelWindowInterval: 7 }),
    counts: [25, 10, 0],
  },
  {
    name: "F11: a window of fifteen seconds",
    data: {
      events: [
        ...times(10, (index) => onDay(DAY, { [`a${index}`]: "one@0 two@0:00:10" })),
        ...times(15, (index) => onDay(DAY, { [`b${index}`]: "one@0 two@0:00:20" })),
      ],
    },
    asked: funnel(["one", "two", "three"], {
      funnelWindowInterval: 15,
      funnelWindowIntervalUnit: "second",
    }),
    counts: [25, 10, 0],
  },
  {
    name: "F13: a filter of the whole funnel",
    data: {
      events: [
        ...withProperties(onDay(DAY, { a: "S@1 P@2", c: "S@1" }), { $browser: "Safari" }),
        ...onDay(DAY, { b: "S@1 P@2", c: "P@2" }),
      ],
    },
    asked: {
      ...funnel(["S", "P", "M"]),
      properties: [{ key: "$browser", value: "Safari", type: "event" }],
    },
    counts: [2, 1, 0],
  },
  {
    name: "F14: eight days are in the default window",
    data: {
      events: [...onDay("2020-01-02", { a: "S@14" }), ...onDay("2020-01-10", { a: "P@14" })],
    },
    asked: { ...funnel(["S", "P"]), ...JANUARY },
    counts: [1, 1],
    averages: [691_200],
  },
  {
    name: "F15: days are those of the project's zone",
    data: { events: [{ person: "a", event: "S", at: "2020-01-01T01:00:00Z" }] },
    asked: { ...funnel(["S"]), ...JANUARY },
    timezone: "US/Pacific",
    counts: [0],
  },
  {
    name: "F17: any event with a filter follows",
    data: {
      events: [
        ...onDay(DAY, { a: "S@1" }),
        ...withProperties(onDay(DAY, { a: "cart@2" }), { is_saved: true }),
      ],
    },
    asked: {
      ...funnel([]),
      series: [
        ...steps("S"),
        {
          kind: "EventsNode",
          event: null,
          properties: [{ key: "is_saved", value: ["true"], operator: "exact", type: "event" }],
        },
      ],
    },
    counts: [1, 1],
  },
  {
    name: "F19: a step with a filter of persons",
    data: {
      persons: [
        { name: "a", properties: { email: "a@example.com" } },
        { name: "b", properties: { email: "b@example.com" } },
        { name: "c" },
      ],
      events: onDay(DAY, { a: "S@1", b: "S@1", c: "S@1" }),
    },
    asked: {
      ...funnel([]),
      series: [
        {
          kind: "EventsNode",
          event: "S",
          properties: [{ key: "email", operator: "is_set", value: "is_set", type: "person" }],
        },
      ],
    },
    counts: [2],
  },
]

const X3 = onDay(DAY, {
  p1: "A@1 B@2 x@3 C@4 x@4:30 D@5 x@5:30 E@6",
  p2: "A@1 B@2 C@4 x@4:30 D@5 x@5:30 E@6",
  p3: "A@1 x@1:30 B@2 C@4 D@5 x@5:30 E@6",
})

const excluded = (from: number, to: number) => ({
  exclusions: [{ kind: "EventsNode", event: "x", funnelFromStep: from, funnelToStep: to }],
})

const exclusions: readonly FunnelCase[] = [
  {
    name: "X1: an excluded event between two steps",
    data: { events: onDay(DAY, { p1: "S@1 P@2", p2: "S@3 x@3:30 P@4", p3: "S@5 P@6" }) },
    asked: funnel(["S", "P"], excluded(0, 1)),
    counts: [2, 2],
  },
  ...(
    [
      [0, 1, 2],
      [1, 2, 2],
      [2, 3, 1],
      [3, 4, 0],
      [1, 3, 1],
    ] as const
  ).map(([from, to, count]) => ({
    name: `X3: an excluded event between steps ${from} and ${to} of five`,
    data: { events: X3 },
    asked: funnel(["A", "B", "C", "D", "E"], excluded(from, to)),
    counts: [count, count, count, count, count],
  })),
]

const strict = { funnelOrderType: "strict" }
const unordered = { funnelOrderType: "unordered" }

const U1 = onDay(DAY, {
  p1: "S@1",
  p2: "V@1 S@2",
  p3: "S@1 V@2 x@3 I@4",
  p4: "I@1 V@2 S@3",
  p5: "V@1 S@2 x@3 I@4",
  p6: "x@1 I@2",
  p7: "V@1 x@2",
  p8: "I@1 V@2",
})

const otherOrders: readonly FunnelCase[] = [
  {
    name: "S1: strict, each step is the very next event",
    data: {
      events: onDay(DAY, {
        p1: "S@1",
        p2: "V@1 S@2",
        p3: "S@1 V@2 x@3 I@4",
        p4: "I@1 x@2 V@3 S@4",
        p5: "V@1 S@2 x@3 V@4 I@5",
        p6: "x@1 S@2 x@3 V@4",
        p7: "x@1 S@2 V@3 I@4 x@5",
        p8: "I@1 V@2",
      }),
    },
    asked: funnel(["S", "V", "I"], strict),
    counts: [7, 2, 1],
  },
  {
    name: "S3: strict, with times",
    data: { events: onDay("2021-05-02", { a: "S@0", b: "S@0 V@1", c: "S@0 V@2 I@4" }) },
    asked: funnel(["S", "V", "I"], strict),
    counts: [3, 2, 1],
    averages: [5_400, 7_200],
  },
  {
    name: "U1: steps in any order",
    data: { events: U1 },
    asked: funnel(["S", "V", "I"], unordered),
    counts: [8, 5, 3],
  },
  {
    name: "U3: any order, with the times of the single best attempt as the newer generation takes them",
    data: {
      events: [
        ...onDay("2021-05-02", { p1: "S@0", p2: "V@0 S@1", p3: "I@0 S@2 V@4" }),
        ...onDay("2021-05-03", { p3: "V@0 I@3 S@6" }),
      ],
    },
    asked: funnel(["S", "V", "I"], { ...unordered, funnelWindowInterval: 1 }),
    counts: [3, 2, 1],
    averages: [5_400, 7_200],
  },
  {
    name: "U4: one step in any order",
    data: { events: onDay(DAY, { a: "S@1", b: "V@1 S@2" }) },
    asked: funnel(["S"], unordered),
    counts: [2],
  },
  {
    name: "U5: any order, an excluded event leaves the steps before it",
    data: { events: onDay(DAY, { a: "S@1 P@2", b: "S@1 x@2 P@3", c: "S@1 P@2" }) },
    asked: funnel(["S", "P"], { ...unordered, ...excluded(0, 1) }),
    counts: [3, 2],
  },
]

const conversionTimes: readonly FunnelCase[] = [
  {
    name: "C1: times of the steps",
    data: {
      events: onDay(DAY, {
        p1: "S@12 play@13 buy@15",
        p2: "S@14 play@16",
        p3: "S@14 play@16 buy@17",
      }),
    },
    asked: funnel(["S", "play", "buy"], { funnelWindowInterval: 7 }),
    counts: [3, 3, 2],
    averages: [6_000, 5_400],
    medians: [7_200, 5_400],
  },
  {
    name: "C3: times of two who convert, of three",
    data: { events: onDay(DAY, { a: "S@14 p@14:05", b: "S@14:03", c: "S@12 p@12:15" }) },
    asked: funnel(["S", "p"]),
    counts: [3, 2],
    averages: [600],
  },
]

export const funnelCases: readonly FunnelCase[] = [
  ...ordered,
  ...exclusions,
  ...otherOrders,
  ...conversionTimes,
]

/** Questions that are refused, with the field at fault. */
export const refusedFunnels: readonly (readonly [string, JsonObject])[] = [
  ...(
    [
      [1, 1],
      [1, 2],
      [2, 1],
      [0, 2],
      [-1, 1],
    ] as const
  ).map(
    ([from, to]) =>
      [
        `X5: an exclusion from ${from} to ${to} of two steps`,
        funnel(["S", "P"], excluded(from, to)),
      ] as const,
  ),
  [
    "an excluded event that is a step",
    funnel(["S", "P"], {
      exclusions: [{ kind: "EventsNode", event: "P", funnelFromStep: 0, funnelToStep: 1 }],
    }),
  ],
  [
    "U7: a partial exclusion in any order",
    funnel(["S", "V", "I"], { ...unordered, ...excluded(0, 1) }),
  ],
  [
    "steps of a time to convert out of order",
    funnel(["S", "P"], { funnelVizType: "time_to_convert", funnelFromStep: 1, funnelToStep: 0 }),
  ],
]

/** 35 take the first step, 15 the second and 5 the third. */
export const ACTORS_DATA: InsightData = {
  events: [
    ...times(35, (user) => onDay(DAY, { [`user${user}`]: "one@0" })),
    ...times(15, (user) => onDay(DAY, { [`user${user}`]: "two@48" })),
    ...times(5, (user) => onDay(DAY, { [`user${user}`]: "three@96" })),
  ],
}
export const ACTORS_ASKED = funnel(["one", "two", "three"], { funnelWindowInterval: 7 })
export const U1_DATA: InsightData = { events: U1 }
export const U1_ASKED = funnel(["S", "V", "I"], unordered)

/** Of answers by value, or of one without a value. */
export function numbersByValue(parts: readonly (readonly JsonObject[])[]) {
  return Object.fromEntries(
    parts.map((rows) => [
      JSON.stringify(rows[0]?.breakdown_value) ?? "undefined",
      {
        counts: rows.map(({ count }) => count),
        averages: rows.slice(1).map((row) => row.average_conversion_time),
        medians: rows.slice(1).map((row) => row.median_conversion_time),
      },
    ]),
  )
}
