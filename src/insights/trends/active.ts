/**
 * Actors who were active in the days up to each bucket. An event counts for a run of buckets; the runs of an
 * actor are cut where its next one begins, so that each bucket is covered once. What is answered is how many
 * runs begin and end at each bucket: the running sum is the number of actors. No row is multiplied.
 */

import { type Buckets, bucketIndex, isUntil, momentOf, wallClock } from "../../query/buckets.ts"
import { aggregate, and, call, column, gt, lt, number, selectEvents } from "../../query/build.ts"
import { DAY_MS, type DateRange } from "../../query/date-range.ts"
import { momentMs, wallClockMs } from "../../query/time-zone.ts"
import type { Expr, Select } from "../../query/tree.ts"
import { TIMESTAMP } from "../series.ts"
import {
  BUCKET,
  conditionsOf,
  countName,
  INNER,
  type MemberOf,
  metricName,
  type Scope,
  valueColumns,
  valueName,
} from "./cells.ts"

interface BucketScope extends Scope {
  readonly buckets: Buckets
}

const DAY_SECONDS = DAY_MS / 1000
/** Windows hold their end and not their start: a moment counts as if it were this much earlier. */
const MOMENT_SECONDS = 0.000_001

export function activeCells(member: MemberOf<"active">, scope: BucketScope): Select {
  const { buckets } = scope
  const size = buckets.startsMs.length
  const edges = column("edges", "at")
  const values = scope.values.map((_, index) => column(INNER, valueName(index)))
  return {
    columns: [
      { as: BUCKET, expr: edges },
      ...values.map((expr, index) => ({ as: valueName(index), expr })),
      { as: metricName(0), expr: aggregate("sum", column("edges", "step")) },
      ...(values.length === 0 ? [] : [{ as: countName(0), expr: aggregate("count") }]),
    ],
    from: { kind: "subquery", query: cutRuns(member, scope, size), alias: INNER },
    joins: [
      {
        kind: "arrays",
        alias: "edges",
        items: [
          {
            as: "at",
            expr: { kind: "array", items: [column(INNER, "start"), column(INNER, "stop")] },
          },
          { as: "step", expr: { kind: "array", items: [number(1), number(-1)] } },
        ],
      },
    ],
    where: and(lt(column(INNER, "start"), column(INNER, "stop")), lt(edges, number(size))),
    groupBy: [edges, ...values],
  }
}

/** Runs within the buckets, each cut at the actor's next. */
function cutRuns(member: MemberOf<"active">, scope: BucketScope, size: number): Select {
  const [start, stop] = [column("r", "start"), column("r", "stop")]
  const values = scope.values.map((_, index) => column("r", valueName(index)))
  const next: Expr = {
    kind: "window",
    of: { kind: "windowCall", name: "lead", args: [start] },
    partitionBy: [column("r", "actor"), ...values],
    orderBy: [
      { expr: start, direction: "asc", nulls: "last" },
      { expr: stop, direction: "asc", nulls: "last" },
    ],
  }
  return {
    columns: [
      ...values.map((expr, index) => ({ as: valueName(index), expr })),
      { as: "start", expr: call("greatest", start, number(0)) },
      { as: "stop", expr: call("least", stop, call("coalesce", next, stop), number(size)) },
    ],
    from: { kind: "subquery", query: runs(member, scope), alias: "r" },
  }
}

/** The first bucket that each event counts for, and the first one after. */
function runs(member: MemberOf<"active">, scope: BucketScope): Select {
  const { days, actor } = member.maths
  const { buckets } = scope
  const [firstMs = 0] = buckets.startsMs
  const indexAfter = (seconds: number): Expr => ({
    kind: "arithmetic",
    operator: "+",
    left: shiftedIndex(seconds - MOMENT_SECONDS, buckets, days),
    right: number(1),
  })
  return selectEvents(scope.context.project_id, {
    distinct: true,
    columns: [
      ...valueColumns(scope),
      { as: "actor", expr: actor },
      { as: "start", expr: indexAfter(-DAY_SECONDS) },
      { as: "stop", expr: indexAfter((days - 1) * DAY_SECONDS) },
    ],
    where: and(
      ...conditionsOf(member, scope),
      isActiveIn(scope.range, { startMs: firstMs, days }),
      ...scope.where,
    ),
  })
}

/** The place of the bucket that holds a moment so much later, on the wall clock for buckets of days. */
function shiftedIndex(seconds: number, buckets: Buckets, days: number): Expr {
  const { startsMs, endMs, interval, timezone } = buckets
  const shifted = (moment: Expr) => call("addSeconds", moment, number(seconds))
  if (interval === "hour") return bucketIndex(shifted(TIMESTAMP), buckets)
  const [firstMs = 0] = startsMs
  const wall = wallClock(
    TIMESTAMP,
    { fromMs: firstMs - (days + 1) * DAY_MS, toMs: endMs },
    timezone,
  )
  return bucketIndex(shifted(wall), {
    ...buckets,
    timezone: "UTC",
    startsMs: [wallClockMs(firstMs, timezone)],
    endMs: wallClockMs(endMs, timezone),
  })
}

/** Whether an event lies in the days that end with the day (or begin with the last one at the hour) of `startMs`. */
export function isActiveIn(
  { toMs, interval, timezone }: DateRange,
  { startMs, days }: { readonly startMs: number; readonly days: number },
): Expr {
  const lookbackMs = (days - 1) * DAY_MS
  const afterMs =
    interval === "hour"
      ? startMs - lookbackMs
      : momentMs(wallClockMs(startMs, timezone) - lookbackMs, timezone)
  return and(gt(TIMESTAMP, momentOf(afterMs)), isUntil(TIMESTAMP, toMs))
}
