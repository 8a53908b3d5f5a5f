/** The worked examples of retention. */
import type { JsonObject, JsonValue } from "../../src/lib/json.ts"
import type { InsightData, InsightEvent } from "../support/insight-store.ts"

export interface RetentionCase {
  readonly name: string
  readonly data: InsightData
  readonly testAccountFilters?: readonly JsonObject[]
  readonly asked: JsonObject
  /** The counts of each row; what is missing at the end of a row is 0. */
  readonly expected: readonly (readonly number[])[]
  readonly labels?: readonly string[]
  readonly dates?: readonly string[]
}

/** Five o'clock of the day so many after 2020-06-10. */
export const day = (count: number): string =>
  new Date(Date.UTC(2020, 5, 10 + count, 5)).toISOString().replace(".000", "")
const month = (count: number) =>
  new Date(Date.UTC(2020, 5 + count, 10, 5)).toISOString().replace(".000", "")
const hour = (count: number) => `2020-06-10T${String(count).padStart(2, "0")}:00:00Z`

type Times = Readonly<Record<string, readonly number[]>>

const did = (event: string, times: Times, at = day): readonly InsightEvent[] =>
  Object.entries(times).flatMap(([person, places]) =>
    places.map((place) => ({ person, event, at: at(place) })),
  )

const viaAlias = (event: InsightEvent): InsightEvent => ({ ...event, distinct_id: "alias of p1" })

/** The first person's second event of the fifth day comes by another of its ids. */
function r1Events(event = "$pageview"): readonly InsightEvent[] {
  const events = did(event, { p1: [0, 1, 2, 5, 5, 6], p2: [1, 2, 3, 6] })
  return events.map((each, index) => (index === 4 ? viaAlias(each) : each))
}

const R1: InsightData = { events: r1Events() }
const MONTHS: Times = { p1: [-5, -4, -3, -1, 0, 3], p2: [-5, -4, -3, 0, 1, 5] }
const HOURS: Times = { p1: [6, 7, 8, 10, 11, 14], p2: [6, 7, 8, 11, 12, 16] }
const R6_EXPECTED = [
  [2, 2, 2, 0, 1, 2, 1, 0, 1, 0, 1],
  [2, 2, 0, 1, 2, 1, 0, 1, 0, 1],
  [2, 0, 1, 2, 1, 0, 1, 0, 1],
  [],
  [1, 1, 0, 0, 1],
  [2, 1, 0, 1, 0, 1],
  [1, 0, 0, 0, 1],
  [],
  [1],
  [],
  [1],
]

const R9: InsightData = {
  events: [
    ...did("$some_event", { p1: [0, 1, 2, 3], p2: [0, 1, 2, 3], p3: [5] }),
    ...did("$pageview", { p1: [5, 6], p2: [5] }),
  ],
}

export const R12_DATA: InsightData = {
  events: [
    ...did("$user_signed_up", { x: [-5, -1], p1: [-1, 1, 2, 3, 4], p2: [-1], p3: [0], p4: [2] }),
    ...did("$pageview", {
      p1: [0, 1, 2, 5, 5, 6],
      p2: [1, 2, 3, 6],
      p3: [1, 3, 4, 5],
      p4: [3, 5],
    }),
  ],
}
const FIRST_TIME = {
  retentionType: "retention_first_time",
  targetEntity: { id: "$user_signed_up", type: "events" },
  returningEntity: { id: "$pageview", type: "events" },
}

const until = (date_to: string) => ({ dateRange: { date_to } })
const UNTIL_DAY_10 = until("2020-06-20T06:00:00Z")

export const retentionCases: readonly RetentionCase[] = [
  {
    name: "R1: days",
    data: R1,
    asked: UNTIL_DAY_10,
    expected: [
      [1, 1, 1, 0, 0, 1, 1],
      [2, 2, 1, 0, 1, 2],
      [2, 1, 0, 1, 2],
      [1, 0, 0, 1],
      [],
      [1, 1],
      [2],
      ...[[], [], [], []],
    ],
    labels: Array.from({ length: 11 }, (_, index) => `Day ${index}`),
    dates: Array.from({ length: 11 }, (_, index) => `${day(index).slice(0, 10)}T00:00:00Z`),
  },
  {
    name: "R2: without test accounts",
    data: { ...R1, persons: [{ name: "p1", properties: { email: "p1@example.com" } }] },
    testAccountFilters: [
      { key: "email", value: "@example.com", operator: "not_icontains", type: "person" },
    ],
    asked: { ...UNTIL_DAY_10, filterTestAccounts: true },
    expected: [
      ...[[], [1, 1, 1, 0, 0, 1], [1, 1, 0, 0, 1], [1, 0, 0, 1]],
      ...[[], [], [1], [], [], [], []],
    ],
  },
  {
    name: "R4: an event of its own, seven days (an action there; there are none here)",
    data: { events: r1Events("sign up") },
    asked: {
      ...until(day(6)),
      retentionFilter: { targetEntity: { id: "sign up" }, totalIntervals: 7 },
    },
    expected: [
      [1, 1, 1, 0, 0, 1, 1],
      [2, 2, 1, 0, 1, 2],
      [2, 1, 0, 1, 2],
      [1, 0, 0, 1],
      [],
      [1, 1],
      [2],
    ],
  },
  {
    name: "R5: with a property",
    data: {
      events: r1Events().map((event, index) =>
        [0, 2, 4, 6, 8].includes(index)
          ? { ...event, properties: { $some_property: "value" } }
          : event,
      ),
    },
    asked: { ...UNTIL_DAY_10, properties: [{ key: "$some_property", value: "value" }] },
    expected: [[1, 0, 1, 0, 0, 1], [1, 0, 1], [1, 0, 0, 1], [1], [], [1], ...[[], [], [], [], []]],
  },
  {
    name: "R6: months, each dated by its first day as the newer engine does",
    data: { events: did("$pageview", MONTHS, month) },
    asked: { ...until(month(5)), retentionFilter: { period: "Month", totalIntervals: 11 } },
    expected: R6_EXPECTED,
    labels: Array.from({ length: 11 }, (_, index) => `Month ${index}`),
    dates: Array.from({ length: 11 }, (_, index) => `${month(index - 5).slice(0, 7)}-01T00:00:00Z`),
  },
  {
    name: "R7: hours",
    data: { events: did("$pageview", HOURS, hour) },
    asked: { ...until("2020-06-10T16:13:00Z"), retentionFilter: { period: "Hour" } },
    expected: R6_EXPECTED,
    labels: Array.from({ length: 11 }, (_, index) => `Hour ${index}`),
    dates: Array.from({ length: 11 }, (_, index) => hour(6 + index)),
  },
  {
    name: "R9: something else afterwards",
    data: R9,
    asked: {
      ...until(day(6)),
      retentionFilter: {
        targetEntity: { id: "$some_event", type: "events" },
        returningEntity: { id: "$pageview", type: "events" },
        totalIntervals: 7,
      },
    },
    expected: [
      [2, 0, 0, 0, 0, 2, 1],
      [2, 0, 0, 0, 2, 1],
      [2, 0, 0, 2, 1],
      [2, 0, 2, 1],
      [],
      [1],
      [],
    ],
  },
  {
    name: "R10: any event",
    data: R9,
    asked: {
      ...until(day(6)),
      retentionFilter: {
        targetEntity: { id: null, type: "events" },
        returningEntity: { id: null, type: "events" },
        totalIntervals: 7,
      },
    },
    expected: [
      [2, 2, 2, 2, 0, 2, 1],
      [2, 2, 2, 0, 2, 1],
      [2, 2, 0, 2, 1],
      [2, 0, 2, 1],
      [],
      [3, 1],
      [1],
    ],
  },
  {
    name: "R12: the first time",
    data: R12_DATA,
    asked: { ...until(day(5)), retentionFilter: { ...FIRST_TIME, totalIntervals: 7 } },
    expected: [[2, 1, 2, 2, 1, 0, 1], [1, 1, 0, 1, 1, 1], [], [1, 1, 0, 1], [], [], []],
  },
]

export const R15_PARAMETERS: JsonObject = {
  ...{ date_to: day(10), selected_interval: 0, retention_type: FIRST_TIME.retentionType },
  ...{ target_entity: FIRST_TIME.targetEntity, returning_entity: FIRST_TIME.returningEntity },
}
export const R15_APPEARANCES = [1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0]

interface Row {
  readonly values: readonly { readonly count: number }[]
  readonly label: string
  readonly date: string
}

/** What a case says of an answer. */
export function shownRows(results: JsonValue, { labels, dates }: RetentionCase) {
  const rows = results as unknown as readonly Row[]
  return {
    counts: rows.map(({ values }) => values.map(({ count }) => count)),
    ...(labels === undefined ? {} : { labels: rows.map(({ label }) => label) }),
    ...(dates === undefined ? {} : { dates: rows.map(({ date }) => date) }),
  }
}

export function expectedRows({ expected, labels, dates }: RetentionCase) {
  const counts = expected.map((row, index) =>
    Array.from({ length: expected.length - index }, (_, place) => row[place] ?? 0),
  )
  return {
    counts,
    ...(labels === undefined ? {} : { labels }),
    ...(dates === undefined ? {} : { dates }),
  }
}
