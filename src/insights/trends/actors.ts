/** Who is behind a number of a trend: those whose events made it, the busiest first. */
import { z } from "zod"
import { invalid } from "../../lib/errors.ts"
import { momentOf } from "../../query/buckets.ts"
import { aggregate, and, call, column, lte, number, selectEvents } from "../../query/build.ts"
import { bucketStartMs, DAY_MS, type DateRange, nextBucketMs } from "../../query/date-range.ts"
import { parseDateInput } from "../../query/dates.ts"
import { momentMs, wallClockMs } from "../../query/time-zone.ts"
import type { Expr, Query } from "../../query/tree.ts"
import { type Breakdown, OTHER_VALUES, parseCohort } from "../breakdown.ts"
import type { ActorSource, InsightContext, Plan } from "../insight.ts"
import { actorOf, TIMESTAMP } from "../series.ts"
import { isActiveIn } from "./active.ts"
import { hasOtherValues, hasShownValues } from "./axes.ts"
import { conditionsOf, firstTimes, INNER, isFirstTime, isInScope, type Scope } from "./cells.ts"
import { groupTypeOf } from "./maths.ts"
import type { PlacedMember } from "./passes.ts"
import { type Period, parseTrends, type Trends, type TrendsQuery } from "./question.ts"
import { isInCohort, listMembers, scopeOf } from "./read.ts"
import { findShownValues } from "./series-numbers.ts"

const key = z.union([z.string(), z.number()])

export const TrendsSelection = z.object({
  /** A moment of the bucket; none is the whole range. */
  day: key.nullish(),
  series: z.number().int().min(0).nullish(),
  breakdown: z.union([key, z.array(key)]).nullish(),
  compare: z.enum(["current", "previous"]).nullish(),
})
export type TrendsSelection = z.output<typeof TrendsSelection>

const VALUE = "value_at_data_point"

export function* planActors(
  asked: TrendsQuery,
  selected: TrendsSelection,
  context: InsightContext,
): Plan<ActorSource> {
  const trends = yield* parseTrends(asked, context)
  const member = getMember(trends, selected, context)
  const { range } = getPeriod(trends, selected)
  const whole = scopeOf(trends, range, context)
  const isOfValue = yield* compileValue(trends, { member, selected, scope: whole })
  const scope = { ...whole, buckets: undefined, where: [...whole.where, ...isOfValue] }
  const groupType = groupTypeOf({ ...asked, series: member.series })
  const bucket = findBucket(selected, range, context)
  return {
    query: queryOf(member, { scope, bucket, trends, actor: actorOf(groupType) }),
    actor: groupType === undefined ? { kind: "person" } : { kind: "group", index: groupType },
    extras: [VALUE],
    orderBy: [{ column: VALUE, direction: "desc" }],
  }
}

function getMember(
  trends: Trends,
  selected: TrendsSelection,
  context: InsightContext,
): PlacedMember {
  const index = selected.series ?? 0
  const member = listMembers(trends, context)[index]
  if (member !== undefined) return member
  throw invalid(`There is no series ${index}: the question has ${trends.series.length}.`, "series")
}

function getPeriod({ periods }: Trends, { compare }: TrendsSelection): Period {
  const wanted = compare === "previous" ? "previous" : "current"
  const [first] = periods
  const found = periods.find(({ label }) => label === wanted)
  if (found !== undefined) return found
  if (first !== undefined && wanted === "current") return first
  throw invalid("The question compares with no previous period.", "compare")
}

interface Bucket {
  readonly startMs: number
  /** When the next begins. */
  readonly endMs: number
}

function findBucket(
  { day }: TrendsSelection,
  range: DateRange,
  { now, timezone }: InsightContext,
): Bucket | undefined {
  if (day === null || day === undefined || day === "") return undefined
  const { time } = parseDateInput(String(day), { now, timezone, attr: "day" })
  const startMs = bucketStartMs(Date.parse(`${time.replace(" ", "T")}Z`), range)
  return { startMs, endMs: nextBucketMs(startMs, range) }
}

interface Place {
  readonly scope: Scope
  readonly bucket: Bucket | undefined
  readonly trends: Trends
  readonly actor: Expr
}

function queryOf({ series, maths }: PlacedMember, place: Place): Query {
  const scope = { ...place.scope, range: narrowed(place) }
  if (maths.kind === "firstTime") {
    const from = {
      kind: "subquery",
      query: firstTimes({ series, maths }, scope),
      alias: INNER,
    } as const
    const columns = [
      { as: "actor_id", expr: column(INNER, "actor") },
      { as: VALUE, expr: number(1) },
    ]
    return { columns, from, where: isFirstTime(scope) }
  }
  const isCounted =
    maths.kind === "active"
      ? and(
          ...conditionsOf({ series, maths }, scope),
          isActiveAt(place, maths.days),
          ...scope.where,
        )
      : isInScope({ series, maths }, scope)
  const value =
    maths.kind === "aggregate" ? call("coalesce", maths.of, number(0)) : aggregate("count")
  return selectEvents(scope.context.project_id, {
    columns: [
      { as: "actor_id", expr: place.actor },
      { as: VALUE, expr: value },
    ],
    where: isCounted,
    groupBy: [place.actor],
  })
}

/** The part of the range that the bucket is of; what is cumulated counts from the start. */
function narrowed({ scope: { range }, bucket, trends }: Place): DateRange {
  if (bucket === undefined) return range
  const { startMs, endMs } = bucket
  const fromMs = trends.shows === "cumulative" ? range.eventsFromMs : startMs
  return {
    ...range,
    eventsFromMs: Math.max(fromMs, range.eventsFromMs),
    toMs: Math.min(endMs - 1, range.toMs),
  }
}

/** The days up to the bucket, or to the end of the range; windows end a day after the bucket's start. */
function isActiveAt({ scope: { range }, bucket }: Place, days: number): Expr {
  const startMs = bucket?.startMs ?? bucketStartMs(range.toMs, { ...range, interval: "day" })
  const endMs =
    range.interval === "hour"
      ? startMs + DAY_MS
      : momentMs(wallClockMs(startMs, range.timezone) + DAY_MS, range.timezone)
  return and(isActiveIn(range, { startMs, days }), lte(TIMESTAMP, momentOf(endMs)))
}

interface Valued {
  readonly member: PlacedMember
  readonly selected: TrendsSelection
  readonly scope: Scope
}

/** What events of the selected value are; nothing where none is selected. */
function* compileValue(trends: Trends, { member, selected, scope }: Valued): Plan<readonly Expr[]> {
  const { breakdown } = trends
  const { breakdown: wanted } = selected
  if (breakdown === undefined || wanted === null || wanted === undefined) return []
  const [first = "", ...others] = shownTexts(wanted, breakdown)
  if (breakdown.kind === "cohorts") return [isInCohort(parseCohort(first), scope.context)]
  if (first !== OTHER_VALUES) {
    return [hasShownValues(breakdown.parts, [first, ...others], scope.context)]
  }
  const { axes, values } = yield* findShownValues(member, scope, trends)
  return [hasOtherValues(axes, values)]
}

/** A bin in an address looks like a list of its two ends. */
function shownTexts(
  wanted: NonNullable<TrendsSelection["breakdown"]>,
  breakdown: Breakdown,
): readonly string[] {
  const isOfOneBin =
    breakdown.kind === "values" &&
    breakdown.parts.length === 1 &&
    breakdown.parts[0]?.binCount !== undefined
  if (isOfOneBin && Array.isArray(wanted) && wanted.length === 2) return [JSON.stringify(wanted)]
  return [wanted].flat().map(String)
}
