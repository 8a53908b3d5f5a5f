/** The worked examples of stickiness. */
import type { JsonObject } from "../../src/lib/json.ts"
import type { InsightData } from "../support/insight-store.ts"
import { pageviews } from "./lifecycle-cases.ts"

export interface StickinessCase {
  readonly name: string
  readonly data: InsightData
  readonly asked: JsonObject
  /** Parts of the rows. */
  readonly expected: readonly JsonObject[]
}

const day = (date: number) => `2020-01-${date}T12:00:00Z`
const DAYS: Readonly<Record<string, readonly number[]>> = {
  p1: [11, 12, 13, 14, 15, 16, 17, 18, 19],
  p2: [11, 13, 15, 17, 19],
}

const K1_DATA: InsightData = {
  events: Object.entries(DAYS).flatMap(([person, days]) =>
    days.map((date) => ({
      ...{ person, event: "$pageview", at: day(date) },
      properties: {
        $browser: person === "p1" ? "Chrome" : "Safari",
        $group_0: "org:1",
        $groups: { organization: "org:1" },
      },
    })),
  ),
}
const K1_RANGE = { dateRange: { date_from: "2020-01-11", date_to: "2020-01-20" } }

const numbered = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${index + 1} ${word}${index === 0 ? "" : "s"}`)
const only = (total: number, counts: Readonly<Record<number, number>>) =>
  Array.from({ length: total }, (_, index) => counts[index + 1] ?? 0)

const UNITS = {
  hour: (count: number) => `2020-01-01T${12 + count}:00:00Z`,
  day: (count: number) => `2020-01-0${1 + count}T12:00:00Z`,
  week: (count: number) =>
    new Date(Date.UTC(2020, 0, 1 + 7 * count, 12)).toISOString().replace(".000", ""),
  month: (count: number) => `2020-0${1 + count}-01T12:00:00Z`,
} as const

type Unit = keyof typeof UNITS

/** The other id of the third person is an alias of it. */
function watched(unit: Unit): InsightData {
  const at = UNITS[unit]
  const by = (person: string, count: number, distinct_id = person) => ({
    ...{ person, distinct_id, event: "watched movie", at: at(count) },
    properties: { $browser: person === "p4" ? "Safari" : "Chrome" },
  })
  return {
    events: [
      by("p1", 0),
      ...[by("p2", 0), by("p2", 1), by("p2", 1)],
      ...[by("p3", 0), by("p3", 1, "other id of p3"), by("p3", 2)],
      by("p4", 4),
    ],
  }
}

function k10(unit: Unit, date_from: string): StickinessCase {
  const isHours = unit === "hour"
  const date_to = isHours ? UNITS.hour(7) : UNITS[unit](7).slice(0, 10)
  return {
    name: `K10: by the ${unit}, from ${date_from}`,
    data: watched(unit),
    asked: {
      series: [{ kind: "EventsNode", event: "watched movie" }],
      interval: unit,
      dateRange: { date_from, date_to },
    },
    expected: [{ label: "watched movie", count: 4, data: only(8, { 1: 2, 2: 1, 3: 1 }) }],
  }
}

export const stickinessCases: readonly StickinessCase[] = [
  {
    name: "K1: days",
    data: K1_DATA,
    asked: { series: pageviews, interval: "day", ...K1_RANGE },
    expected: [
      {
        label: "$pageview",
        count: 2,
        data: only(10, { 5: 1, 9: 1 }),
        days: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        labels: numbered("day", 10),
      },
    ],
  },
  {
    name: "K2: weeks",
    data: K1_DATA,
    asked: { series: pageviews, interval: "week", ...K1_RANGE },
    expected: [{ data: [0, 0, 2], labels: ["1 week", "2 weeks", "3 weeks"] }],
  },
  {
    name: "K3: months",
    data: K1_DATA,
    asked: { series: pageviews, interval: "month", ...K1_RANGE },
    expected: [{ data: [2], labels: ["1 month"] }],
  },
  {
    name: "K4: hours",
    data: K1_DATA,
    asked: {
      series: pageviews,
      interval: "hour",
      dateRange: { date_from: "2020-01-11", date_to: "2020-01-12" },
    },
    expected: [{ count: 2, data: only(25, { 1: 2 }), labels: numbered("hour", 25) }],
  },
  {
    name: "K7: with a property",
    data: K1_DATA,
    asked: {
      series: pageviews,
      ...K1_RANGE,
      properties: [{ key: "$browser", value: "Chrome", operator: "exact" }],
    },
    expected: [{ count: 1, data: only(10, { 9: 1 }) }],
  },
  {
    name: "K8: groups",
    data: K1_DATA,
    asked: {
      series: [{ event: "$pageview", math: "unique_group", math_group_type_index: 0 }],
      ...K1_RANGE,
    },
    expected: [{ count: 1, data: only(10, { 9: 1 }) }],
  },
  {
    name: "K9: compared",
    data: K1_DATA,
    asked: { series: pageviews, ...K1_RANGE, stickinessFilter: { compare: true } },
    expected: [
      { compare: true, compare_label: "current", count: 2 },
      { compare: true, compare_label: "previous", count: 0 },
    ],
  },
  k10("hour", "2020-01-01T12:00:00Z"),
  k10("day", "2020-01-01"),
  k10("week", "2020-01-01"),
  k10("month", "2020-01-01"),
  k10("day", "all"),
  {
    name: "K11: with a property",
    data: watched("day"),
    asked: {
      series: [
        { event: "watched movie", properties: [{ key: "$browser", value: "Chrome" }] },
        { event: "watched movie" },
      ],
      dateRange: { date_from: "2020-01-01", date_to: "2020-01-08" },
    },
    expected: [
      { count: 3, data: only(8, { 1: 1, 2: 1, 3: 1 }) },
      { count: 4, data: only(8, { 1: 2, 2: 1, 3: 1 }) },
    ],
  },
]
