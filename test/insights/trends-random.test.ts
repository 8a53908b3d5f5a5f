/** Trends of random data, beside the plain reckoning of test/insights/reference. */
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { trends } from "../../src/insights/trends/trends.ts"
import type { JsonObject, JsonValue } from "../../src/lib/json.ts"
import { clickHouseUrl } from "../support/columnar-engine.ts"
import {
  type InsightData,
  type InsightStore,
  type LoadedProject,
  openInsightStore,
} from "../support/insight-store.ts"
import {
  type PlainQuestion,
  type PlainSeries,
  referenceActors,
  referenceTrends,
} from "./reference/trends.ts"

/** A thousand comparisons, and enough for a difference of engines. */
const RUNS =
  clickHouseUrl === undefined
    ? { projects: 25, questions: 1_000, lookups: 300 }
    : { projects: 8, questions: 100, lookups: 30 }
const TIMEOUT_MS = 240_000

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values)

/** Days around a change of clocks, with midnights of the zones among the hours. */
const moment = fc
  .tuple(
    fc.integer({ min: 0, max: 45 }),
    pick("00:00", "04:00", "05:00", "06:10", "18:30", "23:59"),
  )
  .map(([day, time]) => {
    const date = new Date(Date.UTC(2020, 1, 10 + day)).toISOString().slice(0, 10)
    return `${date}T${time}:00Z`
  })

const properties = fc
  .record(
    {
      browser: pick<JsonValue>("Chrome", "Edge", "Opera", "", null, 5, "zz"),
      value: pick<JsonValue>(1, 2, 7, "4", "x", null, true, -3),
      $group_0: pick<JsonValue>("g1", "g2", null),
      $session_id: pick<JsonValue>("s1", "s2", "s3"),
    },
    { requiredKeys: [] },
  )
  .map((record): JsonObject => record as JsonObject)

const data: fc.Arbitrary<InsightData> = fc
  .array(
    fc.record({
      person: pick("ana", "bo", "cy", "di"),
      event: pick("a", "b", "c"),
      at: moment,
      properties,
    }),
    { maxLength: 40 },
  )
  .map((events) => ({ events, merged: [{ from: "di", into: "ana" }] }))

const WHOLE_MATHS = [
  ...["total", "dau", "weekly_active", "monthly_active", "unique_session", "unique_group"],
  ...["sum", "min", "max", "max_count_per_actor", "min_count_per_actor"],
]
const BROKEN_MATHS = [
  ...["avg", "median", "p90", "p95", "p99"],
  ...["avg_count_per_actor", "median_count_per_actor", "p90_count_per_actor"],
]

const seriesOf = (maths: readonly string[]): fc.Arbitrary<PlainSeries> =>
  fc
    .record({
      event: pick("a", "b", null),
      math: pick(...maths),
      browser: fc.option(pick("Chrome", "Edge"), { nil: undefined, freq: 4 }),
    })
    .map(({ event, math, browser }) => ({
      ...{ event, math, math_property: "value", math_group_type_index: 0 },
      ...(browser === undefined ? {} : { browser }),
    }))

const day = (index: number) => new Date(Date.UTC(2020, 1, 14 + index)).toISOString().slice(0, 10)

const question: fc.Arbitrary<PlainQuestion> = fc
  .record({
    breakdown: fc.boolean(),
    limit: pick(1, 2, 3, 25),
    interval: pick<PlainQuestion["interval"]>("hour", "day", "day", "week", "month"),
    timezone: pick("UTC", "America/New_York", "Asia/Kolkata"),
    weekStartsOn: pick<0 | 1>(0, 1),
    shows: pick<PlainQuestion["shows"]>("buckets", "buckets", "cumulative", "total"),
    smoothing: pick(1, 1, 1, 3),
    from: fc.integer({ min: 0, max: 25 }),
    length: fc.integer({ min: 0, max: 15 }),
  })
  .chain(({ from, length, interval, timezone, ...rest }) => {
    const maths = rest.breakdown ? WHOLE_MATHS : [...WHOLE_MATHS, ...BROKEN_MATHS]
    // Texts of walls are no order of moments while an hour comes twice; totals count whole days.
    const isFine = interval === "hour" && timezone !== "America/New_York" && rest.shows !== "total"
    return fc.record({ series: fc.array(seriesOf(maths), { minLength: 1, maxLength: 3 }) }).map(
      ({ series }): PlainQuestion => ({
        ...rest,
        timezone,
        series,
        interval: isFine ? "hour" : interval === "hour" ? "day" : interval,
        date_from: isFine ? `${day(from)} 05:00:00` : day(from),
        date_to: isFine ? `${day(from + (length % 2))} 18:30:00` : day(from + length),
      }),
    )
  })

const DISPLAYS = {
  buckets: "ActionsLineGraph",
  cumulative: "ActionsLineGraphCumulative",
  total: "BoldNumber",
}

function askedOf(plain: PlainQuestion) {
  return trends.schema.parse({
    series: plain.series.map(({ browser, ...series }) => ({
      ...series,
      kind: "EventsNode",
      properties: browser === undefined ? [] : [{ key: "browser", value: browser, type: "event" }],
    })),
    interval: plain.interval,
    dateRange: { date_from: plain.date_from, date_to: plain.date_to },
    trendsFilter: { display: DISPLAYS[plain.shows], smoothingIntervals: plain.smoothing },
    ...(plain.breakdown
      ? { breakdownFilter: { breakdown: "browser", breakdown_limit: plain.limit } }
      : {}),
  })
}

let store: InsightStore
let projects: readonly { readonly data: InsightData; readonly loaded: LoadedProject }[]

beforeAll(async () => {
  store = await openInsightStore()
  const samples = fc.sample(data, { numRuns: RUNS.projects, seed: 4 })
  projects = await Promise.all(
    samples.map(async (sample) => ({ data: sample, loaded: await store.load(sample) })),
  )
}, TIMEOUT_MS)
afterAll(() => store[Symbol.asyncDispose]())

const project = fc.nat(RUNS.projects - 1)
const contextOf = (loaded: LoadedProject, { timezone, weekStartsOn }: PlainQuestion) =>
  loaded.context({ timezone, weekStartsOn })
const near = (value: number) => Number(value.toPrecision(10))

test(
  "random trends are what loops over all events reckon",
  async () => {
    await fc.assert(
      fc.asyncProperty(project, question, async (index, plain) => {
        const { data: held, loaded } = projects[index] as (typeof projects)[number]
        const { results } = await store.run(trends.plan(askedOf(plain), contextOf(loaded, plain)))
        const lines = (results as readonly JsonObject[]).map((row) => ({
          series: (row.action as { order: number }).order,
          value: row.breakdown_value ?? null,
          data: (plain.shows === "total" ? [row.aggregated_value] : row.data) as number[],
        }))
        const expected = referenceTrends(held, plain)
        const rounded = (all: readonly { data: readonly number[] }[]) =>
          all.map((line) => ({ ...line, data: line.data.map(near) }))
        expect(rounded(lines)).toEqual(rounded(expected))
      }),
      { numRuns: RUNS.questions, seed: 7 },
    )
  },
  TIMEOUT_MS,
)

test(
  "random persons behind trends are those whose events loops find",
  async () => {
    await fc.assert(
      fc.asyncProperty(project, question, fc.nat(), async (index, plain, place) => {
        const { data: held, loaded } = projects[index] as (typeof projects)[number]
        const [series] = plain.series
        const math = ["total", "dau", "weekly_active", "monthly_active"][place % 4] ?? "total"
        const lookup = { ...plain, breakdown: false, series: [{ event: null, ...series, math }] }
        const context = contextOf(loaded, lookup)
        const { results } = await store.run(trends.plan(askedOf(lookup), context))
        const days = (results as readonly { days: readonly string[] }[])[0]?.days ?? []
        const bucket = days.length === 0 ? undefined : place % days.length
        const selected = { series: 0, ...(bucket === undefined ? {} : { day: days[bucket] }) }
        const source = await store.run(trends.actors(askedOf(lookup), selected, context))
        const rows = await store.engine.rows(source.query, { timeoutMs: TIMEOUT_MS })
        const found = new Map(
          rows.map(({ actor_id, value_at_data_point }) => [
            loaded.nameOf(actor_id),
            Number(value_at_data_point),
          ]),
        )
        expect(found).toEqual(referenceActors(held, lookup, bucket))
      }),
      { numRuns: RUNS.lookups, seed: 11 },
    )
  },
  TIMEOUT_MS,
)
