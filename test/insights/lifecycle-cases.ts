/** The worked examples of lifecycles. */
import type { JsonObject, JsonValue } from "../../src/lib/json.ts"
import type { InsightData } from "../support/insight-store.ts"

export interface LifecycleCase {
  readonly name: string
  readonly data: InsightData
  readonly testAccountFilters?: readonly JsonObject[]
  readonly asked: JsonObject
  /** The data of the four rows. */
  readonly expected: readonly (readonly number[])[]
}

type Times = Readonly<Record<string, readonly string[]>>

/** Noon of the days, by person. */
export function activity(times: Times, event: (person: string) => string = () => "$pageview") {
  return Object.entries(times).flatMap(([person, days]) =>
    days.map((day) => ({ person, event: event(person), at: `${day}T12:00:00Z` })),
  )
}

const january = (...days: readonly number[]) =>
  days.map((day) => `2020-01-${String(day).padStart(2, "0")}`)

const DAYS: Times = {
  p1: january(11, 12, 13, 15, 17, 19),
  p2: january(9, 12),
  p3: january(12),
  p4: january(15),
}
const MONTHS: Times = {
  p1: ["2020-01-11", "2020-02-12", "2020-03-13", "2020-05-15", "2020-07-17", "2020-09-19"],
  p2: ["2019-12-09", "2020-02-12"],
  p3: ["2020-02-12"],
  p4: ["2020-05-15"],
}

export const pageviews = [{ kind: "EventsNode", event: "$pageview" }]
const range = (date_from: string, date_to: string) => ({ dateRange: { date_from, date_to } })
const ZEROS = [0, 0, 0, 0, 0, 0, 0, 0]

const L1 = [
  [1, 0, 0, 1, 0, 0, 0, 0],
  [1, 1, 0, 0, 0, 0, 0, 0],
  [1, 0, 0, 1, 0, 1, 0, 1],
  [0, -2, -1, 0, -2, 0, -1, 0],
]

/** Created long after the range. */
const createdLater = ["p1", "p2", "p3", "p4"].map((name) => ({
  name,
  created_at: "2026-03-01T12:00:00Z",
}))

export const L1_DATA: InsightData = { events: activity(DAYS) }

export const lifecycleCases: readonly LifecycleCase[] = [
  {
    name: "L1: days",
    data: L1_DATA,
    asked: { series: pageviews, interval: "day", ...range("2020-01-12", "2020-01-19") },
    expected: L1,
  },
  {
    name: "L3: all days up to the 17th",
    data: L1_DATA,
    asked: { series: pageviews, ...range("all", "2020-01-17") },
    expected: [
      [1, 0, 1, 1, 0, 0, 1, 0, 0],
      [0, 0, 0, 1, 1, 0, 0, 0, 0],
      [0, 0, 0, 1, 0, 0, 1, 0, 1],
      [0, -1, 0, 0, -2, -1, 0, -2, 0],
    ],
  },
  {
    name: "L4: events with a property of persons who are created out of the range",
    data: {
      persons: createdLater,
      events: activity(DAYS).map((event) => ({
        ...event,
        properties: event.person === "p1" ? { $number: 1 } : {},
      })),
    },
    asked: {
      series: pageviews,
      ...range("2020-01-12", "2020-01-19"),
      properties: [{ key: "$number", value: 1, type: "event" }],
    },
    expected: [
      ZEROS,
      [1, 1, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 1, 0, 1, 0, 1],
      [0, 0, -1, 0, -1, 0, -1, 0],
    ],
  },
  {
    name: "L6: without test accounts",
    data: { ...L1_DATA, persons: [{ name: "p1", properties: { name: "p1" } }] },
    testAccountFilters: [{ key: "name", value: "p1", operator: "is_not", type: "person" }],
    asked: {
      series: pageviews,
      ...range("2020-01-12", "2020-01-19"),
      filterTestAccounts: true,
    },
    expected: [
      [1, 0, 0, 1, 0, 0, 0, 0],
      ZEROS,
      [1, 0, 0, 0, 0, 0, 0, 0],
      [0, -2, 0, 0, -1, 0, 0, 0],
    ],
  },
  {
    name: "L8: months",
    data: { events: activity(MONTHS) },
    asked: { series: pageviews, interval: "month", ...range("2020-02-01", "2020-09-01") },
    expected: L1,
  },
  {
    name: "L10: any event",
    data: { events: activity(DAYS, (person) => (person > "p2" ? "$other" : "$pageview")) },
    asked: { series: [{ kind: "EventsNode", event: null }], ...range("2020-01-12", "2020-01-19") },
    expected: L1,
  },
]

export const dataOfRows = (results: JsonValue): JsonValue =>
  (results as readonly { readonly data: JsonValue }[]).map(({ data }) => data)
