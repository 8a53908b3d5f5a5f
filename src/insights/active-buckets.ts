/**
 * Who was active in which bucket: one pass over the events, one row for each actor and bucket. What follows from
 * it works on these few rows.
 */
import {
  aggregate,
  among,
  and,
  column,
  compare,
  EVENTS,
  isNotNull,
  or,
  orFalse,
  selectEvents,
  text,
} from "../query/build.ts"
import type { Expr, SelectColumn, SubquerySource } from "../query/tree.ts"
import type { InsightContext } from "./insight.ts"
import { isOfSeries, type Series } from "./series.ts"

interface ActivityAsked {
  readonly series: readonly Series[]
  readonly actor: Expr
  /** The place of an event's bucket. */
  readonly bucket: Expr
  /** What every event must be. */
  readonly where: readonly Expr[]
}

export interface ActiveBuckets {
  readonly source: SubquerySource
  readonly actor: Expr
  readonly bucket: Expr
  /** Whether all series ask for the same events. */
  readonly isUniform: boolean
  /** Whether an event of a series, by its place, was among those of the bucket. */
  readonly isOf: (series: number) => Expr
}

const ACTIVE = "active"

export function activeBuckets(asked: ActivityAsked, context: InsightContext): ActiveBuckets {
  const { series, actor, bucket, where } = asked
  const conditions = series.map((each) => isOfSeries(each, context))
  const texts = conditions.map((condition) => JSON.stringify(condition))
  const different = [...new Map(conditions.map((each, index) => [texts[index], each]))]
  const flags: readonly SelectColumn[] =
    different.length === 1
      ? []
      : different.map(([, condition], index) => ({
          as: `of_${index}`,
          expr: aggregate("max", orFalse(condition)),
        }))
  const query = selectEvents(context.project_id, {
    columns: [{ as: "actor_id", expr: actor }, { as: "bucket", expr: bucket }, ...flags],
    where: and(
      ...isOfAny(
        series,
        different.map(([, condition]) => condition),
      ),
      ...where,
    ),
    groupBy: [actor, bucket],
  })
  const flagOf = (place: number) =>
    column(ACTIVE, `of_${different.findIndex(([id]) => id === texts[place])}`)
  return {
    source: { kind: "subquery", query, alias: ACTIVE },
    actor: column(ACTIVE, "actor_id"),
    bucket: column(ACTIVE, "bucket"),
    isUniform: flags.length === 0,
    isOf: (place) => (flags.length === 0 ? and() : flagOf(place)),
  }
}

/** The names stand first and alone, so that an engine can skip what has none of them. */
function isOfAny(series: readonly Series[], conditions: readonly Expr[]): readonly Expr[] {
  const [only] = conditions
  if (only !== undefined && conditions.length === 1) return [only]
  const names = new Set(series.map(({ event }) => event))
  const values = [...names].flatMap((name) =>
    typeof name === "string" ? [{ type: "text", value: name } as const] : [],
  )
  if (values.length !== names.size) return [or(...conditions)]
  return [among(column(EVENTS, "event"), values), or(...conditions)]
}

/** An actor of a group's type is one only where the event names its group. */
export function isSomeActor(
  actor: Expr,
  groupTypeIndex: number | null | undefined,
): readonly Expr[] {
  if (typeof groupTypeIndex !== "number") return []
  return [isNotNull(actor), compare("!=", actor, text(""))]
}
