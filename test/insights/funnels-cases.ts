/** The worked examples of funnels. */
import type { JsonObject, JsonValue } from "../../src/lib/json.ts"
import type { InsightData, InsightEvent } from "../support/insight-store.ts"

export interface FunnelCase {
  readonly name: string
  readonly data: InsightData
  readonly asked: JsonObject
  readonly timezone?: string
  readonly counts: readonly number[]
  /** Of the steps after the first, where they matter. */
  readonly averages?: readonly (number | null)[]
  readonly medians?: readonly (number | null)[]
}

type Timelines = Readonly<Record<string, string>>

/** Events of a day written as "S@1 P@2:30 M@4:00:10", by person; "S@26" is two o'clock of the next day. */
export function onDay(day: string, timelines: Timelines): readonly InsightEvent[] {
  return Object.entries(timelines).flatMap(([person, line]) =>
    line
      .split(" ")
      .filter((word) => word !== "")
      .map((word) => {
        const [event = "", time = "0"] = word.split("@")
        const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number)
        const ms = Date.parse(`${day}T00:00:00Z`) + ((hours * 60 + minutes) * 60 + seconds) * 1000
        return { person, event, at: new Date(ms).toISOString() }
      }),
  )
}

const withProperties = (
  events: readonly InsightEvent[],
  properties: JsonObject,
): readonly InsightEvent[] =>
  events.map((event) => ({ ...event, properties: { ...event.properties, ...properties } }))

export const steps = (...events: readonly (string | null)[]): readonly JsonObject[] =>
  events.map((event) => ({ kind: "EventsNode", event }))

const MAY = { dateRange: { date_from: "2021-05-01", date_to: "2021-05-31" } }
const JANUARY = { dateRange: { date_from: "2020-01-01", date_to: "2020-01-14" } }

const funnel = (events: readonly (string | null)[], filter: JsonObject = {}): JsonObject => ({
  kind: "FunnelsQuery",
  series: [...steps(...events)],
  ...MAY,
  funnelsFilter: filter,
})

const DAY = "2021-05-01"
const times = (count: number, of: (index: number) => readonly InsightEvent[]) =>
  Array.from({ length: count }, (_, index) => of(index)).flat()

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

export interface BreakdownCase {
  readonly name: string
  readonly data: InsightData
  readonly asked: JsonObject
  /** By the values as JSON text: counts, and the averages after the first step where given. */
  readonly expected: Readonly<
    Record<string, { readonly counts: readonly number[]; readonly averages?: readonly number[] }>
  >
}

const brokenBy = (
  breakdown: JsonValue,
  events: readonly string[],
  filter: JsonObject = {},
): JsonObject => ({
  ...funnel(events, filter),
  breakdownFilter: { breakdown, breakdown_type: "event" },
})

/** Signs up at noon and buys at one, each with the browser given. */
const signsUp = (
  person: string,
  first: JsonObject,
  then: JsonObject | undefined,
  hours = 1,
): readonly InsightEvent[] => [
  ...withProperties(onDay(DAY, { [person]: "S@12" }), first),
  ...(then === undefined ? [] : withProperties(onDay(DAY, { [person]: `B@${12 + hours}` }), then)),
]

const B5 = [
  ...signsUp("p1", { $browser: "Chrome" }, {}),
  ...signsUp("p2", {}, { $browser: "Safari" }, 24),
  ...signsUp("p3", { $browser: "Mac" }, {}),
  ...signsUp("p4", { $browser: 0 }, { $browser: "alakazam" }),
]
const hour = { counts: [1, 1], averages: [3_600] }
const dayLong = { counts: [1, 1], averages: [86_400] }

export const breakdownCases: readonly BreakdownCase[] = [
  {
    name: "B1: counts and times by browser",
    data: {
      events: [
        ...withProperties(onDay(DAY, { p1: "S@12 play@13 buy@15" }), { $browser: "Chrome" }),
        ...withProperties(onDay(DAY, { p2: "S@14 play@16", p3: "S@14" }), { $browser: "Safari" }),
      ],
    },
    asked: brokenBy("$browser", ["S", "play", "buy"]),
    expected: {
      '["Chrome"]': { counts: [1, 1, 1], averages: [3_600, 7_200] },
      '["Safari"]': { counts: [2, 1, 0] },
    },
  },
  {
    name: "B3: values past the limit are one",
    data: {
      events: times(9, (index) =>
        times(index + 1, (user) =>
          withProperties(onDay(DAY, { [`u${index}-${user}`]: "S@12" }), { n: index + 1 }),
        ),
      ),
    },
    asked: {
      ...funnel(["S"]),
      breakdownFilter: { breakdown: "n", breakdown_type: "event", breakdown_limit: 5 },
    },
    expected: {
      '["9"]': { counts: [9] },
      '["8"]': { counts: [8] },
      '["7"]': { counts: [7] },
      '["6"]': { counts: [6] },
      '["5"]': { counts: [5] },
      '["Other"]': { counts: [10] },
    },
  },
  {
    name: "B5: the first value that a person has",
    data: { events: [...B5, ...signsUp("p5", {}, {})] },
    asked: brokenBy("$browser", ["S", "B"], { breakdownAttributionType: "first_touch" }),
    expected: {
      '[""]': hour,
      '["0"]': hour,
      '["Chrome"]': hour,
      '["Mac"]': hour,
      '["Safari"]': dayLong,
    },
  },
  {
    name: "B6: the last value that a person has",
    data: { events: [...B5, ...signsUp("p5", {}, {})] },
    asked: brokenBy("$browser", ["S", "B"], { breakdownAttributionType: "last_touch" }),
    expected: {
      '[""]': hour,
      '["alakazam"]': hour,
      '["Chrome"]': hour,
      '["Mac"]': hour,
      '["Safari"]': dayLong,
    },
  },
  {
    name: "B7: the value at the first step",
    data: { events: B5 },
    asked: brokenBy("$browser", ["S", "B"], {
      breakdownAttributionType: "step",
      breakdownAttributionValue: 0,
    }),
    expected: { '[""]': dayLong, '["0"]': hour, '["Chrome"]': hour, '["Mac"]': hour },
  },
  {
    name: "B9: the value at the second step, which some never take",
    data: {
      events: [
        ...signsUp("p1", { $browser: "Chrome" }, {}),
        ...signsUp("p2", {}, undefined),
        ...signsUp("p3", { $browser: "Mac" }, undefined),
        ...signsUp("p4", { $browser: 0 }, { $browser: "alakazam" }),
      ],
    },
    asked: brokenBy("$browser", ["S", "B"], {
      breakdownAttributionType: "step",
      breakdownAttributionValue: 1,
    }),
    expected: { '[""]': hour, '["alakazam"]': hour },
  },
  {
    name: "B10: one person with four values at the first step",
    data: {
      events: ["Chrome", "Safari", "Mac", 0].flatMap((value) =>
        signsUp("p1", { $browser: value }, undefined),
      ),
    },
    asked: brokenBy("$browser", ["S"], {
      breakdownAttributionType: "step",
      breakdownAttributionValue: 0,
    }),
    expected: {
      '["0"]': { counts: [1] },
      '["Chrome"]': { counts: [1] },
      '["Mac"]': { counts: [1] },
      '["Safari"]': { counts: [1] },
    },
  },
  {
    name: "B12: by two properties",
    data: {
      events: [
        ...signsUp("p1", { $browser: "Chrome", $version: "xyz" }, {}),
        ...signsUp("p2", {}, { $browser: "Safari", $version: "xyz" }, 24),
        ...signsUp("p3", { $browser: "Mac" }, undefined),
        ...signsUp("p4", { $browser: 0, $version: 0 }, undefined),
        ...signsUp("p5", {}, {}),
      ],
    },
    asked: brokenBy(["$browser", "$version"], ["S", "B"]),
    expected: {
      '["",""]': { counts: [1, 1] },
      '["0","0"]': { counts: [1, 0] },
      '["Chrome","xyz"]': { counts: [1, 1] },
      '["Mac",""]': { counts: [1, 0] },
      '["Safari","xyz"]': dayLong,
    },
  },
  {
    name: "C5: only the address that is filtered for",
    data: {
      events: [
        ...withProperties(
          [...onDay("2020-01-02", { a: "S@14" }), ...onDay("2020-01-10", { a: "P@14" })],
          { $current_url: "https://example.com/docs/x" },
        ),
        ...times(40, (index) =>
          withProperties(onDay("2020-01-02", { [`b${index}`]: "S@14" }), {
            $current_url: `https://example.com/blog/${index}`,
          }),
        ),
      ],
    },
    asked: {
      ...brokenBy("$current_url", ["S", "P"]),
      ...JANUARY,
      properties: [
        { key: "$current_url", value: "https://example.com/docs", operator: "icontains" },
      ],
    },
    expected: {
      '["https://example.com/docs/x"]': { counts: [1, 1], averages: [691_200] },
    },
  },
]

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
