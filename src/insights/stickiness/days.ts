/** In how many intervals each actor was active. */

import { bucketIndex, isInRange, listBuckets } from "../../query/buckets.ts"
import { aggregate, aggregateIf, asc, column, eq, gt, number } from "../../query/build.ts"
import type { DateRange } from "../../query/date-range.ts"
import type { Expr, Select, SubquerySource } from "../../query/tree.ts"
import { activeBuckets } from "../active-buckets.ts"
import type { InsightContext } from "../insight.ts"
import { isAskedFor, type Series, TIMESTAMP } from "../series.ts"
import type { Counted, Stickiness } from "./question.ts"

export interface DaysAsked {
  readonly asked: Stickiness
  /** All of them counted alike. */
  readonly series: readonly Series[]
  readonly counted: Counted
  readonly range: DateRange
}

const PER_ACTOR = "per_actor"
const FOUND = "found"

/** Rows of `series` (its place), `days` and `actors`. */
export function countDays(days: DaysAsked, context: InsightContext): Select {
  const from: SubquerySource = {
    kind: "subquery",
    query: daysPerActor(days, context),
    alias: PER_ACTOR,
  }
  const actors = { as: "actors", expr: aggregate("count") }
  const counts = days.series.map((_, place) => column(PER_ACTOR, `days_${place}`))
  const [only] = counts
  if (only !== undefined && counts.length === 1) {
    const columns = [{ as: "series", expr: number(0) }, { as: "days", expr: only }, actors]
    return { columns, from, groupBy: [only], orderBy: [asc(only)] }
  }
  const [place, found] = [column(FOUND, "series"), column(FOUND, "days")]
  const arrayOf = (items: readonly Expr[]): Expr => ({ kind: "array", items })
  return {
    columns: [{ as: "series", expr: place }, { as: "days", expr: found }, actors],
    from,
    joins: [
      {
        kind: "arrays",
        alias: FOUND,
        items: [
          { as: "series", expr: arrayOf(counts.map((_, index) => number(index))) },
          { as: "days", expr: arrayOf(counts) },
        ],
      },
    ],
    where: gt(found, number(0)),
    groupBy: [place, found],
    orderBy: [asc(place), asc(found)],
  }
}

/** Those who were active in exactly so many intervals, in the first of the series. */
export function actorsOfDays(days: DaysAsked, wanted: number, context: InsightContext): Select {
  return {
    columns: [{ as: "actor_id", expr: column(PER_ACTOR, "actor_id") }],
    from: { kind: "subquery", query: daysPerActor(days, context), alias: PER_ACTOR },
    where: eq(column(PER_ACTOR, "days_0"), number(wanted)),
  }
}

function daysPerActor(
  { asked, series, counted, range }: DaysAsked,
  context: InsightContext,
): Select {
  const bucket = bucketIndex(TIMESTAMP, listBuckets(range))
  const where = [isInRange(TIMESTAMP, range), ...counted.where, isAskedFor(asked, context)]
  const active = activeBuckets({ series, actor: counted.by, bucket, where }, context)
  const daysOf = (place: number): Expr =>
    series.length === 1 ? aggregate("count") : aggregateIf(aggregate("count"), active.isOf(place))
  return {
    columns: [
      { as: "actor_id", expr: active.actor },
      ...series.map((_, place) => ({ as: `days_${place}`, expr: daysOf(place) })),
    ],
    from: active.source,
    groupBy: [active.actor],
  }
}
