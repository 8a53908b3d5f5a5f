/** Random small data sets and parts of questions: few people, coarse times, so that ties and boundaries happen. */
import fc from "fast-check"
import type { JsonValue } from "../../src/lib/json.ts"
import { clickHouseUrl } from "../support/columnar-engine.ts"
import type { InsightData } from "../support/insight-store.ts"
import type { PlainFilter, PlainSeries } from "./reference/activity.ts"

const DAY_MS = 86_400_000
/** Around a change of clocks in New York. */
const FIRST_DAY_MS = Date.UTC(2021, 2, 6)
const DAYS = 18
const PEOPLE = ["a", "b", "c", "d"]

/** Midnights of the zones below among them. */
const minutes = fc.constantFrom(
  0,
  1,
  4 * 60,
  5 * 60 - 1,
  5 * 60,
  12 * 60,
  18 * 60 + 30,
  23 * 60 + 59,
)
const moment = fc
  .tuple(fc.integer({ min: 0, max: DAYS - 1 }), minutes)
  .map(([day, minute]) => new Date(FIRST_DAY_MS + day * DAY_MS + minute * 60_000).toISOString())

const properties = fc.record(
  {
    plan: fc.constantFrom<JsonValue>("a", "b", 1, true, null, "", [1]),
    $group_0: fc.constantFrom<JsonValue>("g1", "g2", "", null, 5),
  },
  { requiredKeys: [] },
)

const event = fc.record({
  person: fc.constantFrom(...PEOPLE),
  event: fc.constantFrom("x", "y"),
  at: moment,
  properties,
})

export const someData: fc.Arbitrary<InsightData> = fc
  .record({
    events: fc.array(event, { maxLength: 40 }),
    created: fc.array(fc.record({ name: fc.constantFrom("a", "b"), created_at: moment }), {
      maxLength: 2,
    }),
    isMerged: fc.boolean(),
  })
  .map(({ events, created, isMerged }) => ({
    events,
    persons: [...new Map(created.map((person) => [person.name, person])).values()],
    ...(isMerged ? { merged: [{ from: "d", into: "a" }] } : {}),
  }))

const filter: fc.Arbitrary<PlainFilter> = fc.record({
  key: fc.constant("plan"),
  operator: fc.constantFrom("exact", "is_not"),
  value: fc.constantFrom("a", "1"),
})
export const someFilters = fc.array(filter, { maxLength: 1 })

export const someSeries: fc.Arbitrary<PlainSeries> = fc.record({
  event: fc.constantFrom("x", "y", null),
  properties: someFilters,
})

const someZone = fc.record({
  timezone: fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata"),
  weekStartsOn: fc.constantFrom<0 | 1>(0, 1),
})

/** Days as a caller writes them, with the calendar they are read in. */
export const someRange = fc
  .record({
    first: fc.integer({ min: 2, max: DAYS - 1 }),
    length: fc.integer({ min: 0, max: 9 }),
    interval: fc.constantFrom("hour" as const, "day" as const, "week" as const, "month" as const),
    zone: someZone,
  })
  .map(({ first, length, interval, zone }) => {
    const day = (count: number) =>
      new Date(FIRST_DAY_MS + count * DAY_MS).toISOString().slice(0, 10)
    const days = interval === "hour" ? Math.min(length, 2) : length
    return {
      dateRange: { date_from: day(first), date_to: day(first + days) },
      calendar: { ...zone, interval },
    }
  })

/** Loads of data times questions about each: a thousand comparisons, and enough for a difference of engines. */
export const RUNS =
  clickHouseUrl === undefined
    ? { dataSets: 50, questionsEach: 20 }
    : { dataSets: 5, questionsEach: 12 }
export const RANDOM_TIMEOUT_MS = 240_000
