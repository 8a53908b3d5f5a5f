/**
 * Queries of cells: one row for each bucket and each combination of values, with the number of each series (`m0`,
 * `m1`, …) and, where there are values, how many events it is made of (`n0`, …), which tells 0 from nothing.
 */

import { type Buckets, bucketIndex, isInRange, isUntil } from "../../query/buckets.ts"
import {
  aggregate,
  aggregateIf,
  amongTexts,
  and,
  column,
  EVENTS,
  eq,
  number,
  selectEvents,
} from "../../query/build.ts"
import type { DateRange } from "../../query/date-range.ts"
import type { AggregateExpr, Expr, Select, SelectColumn } from "../../query/tree.ts"
import type { InsightContext } from "../insight.ts"
import { isOfSeries, type Series, TIMESTAMP } from "../series.ts"
import { isCounted, type Maths } from "./maths.ts"

export interface Scope {
  readonly context: InsightContext
  readonly range: DateRange
  /** None for one number of the whole range. */
  readonly buckets: Buckets | undefined
  /** What each event is broken down by. */
  readonly values: readonly Expr[]
  /** What is asked of every event besides its time. */
  readonly where: readonly Expr[]
}

export interface Member {
  readonly series: Series
  readonly maths: Maths
}

export type MemberOf<Kind extends Maths["kind"]> = Member & {
  readonly maths: Extract<Maths, { kind: Kind }>
}

export const valueName = (index: number): string => `v${index}`
export const metricName = (index: number): string => `m${index}`
export const countName = (index: number): string => `n${index}`
export const BUCKET = "bucket"
export const INNER = "c"

/** All series in one pass over the events. */
export function sharedCells(
  members: readonly MemberOf<"aggregate" | "unique">[],
  scope: Scope,
): Select {
  const [first] = members
  if (members.length === 1 && first !== undefined) {
    const metrics = [{ of: aggregateOf(first), filter: undefined }]
    return cells(metrics, { ...scope, where: [...conditionsOf(first, scope), ...scope.where] })
  }
  const names = members.map(({ series }) => series.event)
  const named = names.every((name) => typeof name === "string")
    ? [amongTexts(column(EVENTS, "event"), [...new Set(names)])]
    : []
  const metrics = members.map((member) => ({
    of: aggregateOf(member),
    filter: and(...conditionsOf(member, scope)),
  }))
  return cells(metrics, { ...scope, where: [...named, ...scope.where] })
}

/** An aggregate that the caller wrote has no filter of its own, so its series is read alone. */
export function expressionCells(member: MemberOf<"expression">, scope: Scope): Select {
  const query = cells([{ of: aggregate("count"), filter: undefined }], {
    ...scope,
    where: [...conditionsOf(member, scope), ...scope.where],
  })
  const columns = query.columns.map((each) =>
    each.as === metricName(0) ? { as: each.as, expr: member.maths.expr } : each,
  )
  return selectEvents(scope.context.project_id, { ...query, columns })
}

/** First how often each actor did it, then over the actors. */
export function perActorCells(member: MemberOf<"perActor">, scope: Scope): Select {
  const { actor, of } = member.maths
  const columns = [...keyColumns(scope), { as: "actor", expr: actor }]
  const perActor = selectEvents(scope.context.project_id, {
    columns: [...columns, { as: "events", expr: aggregate("count") }],
    where: isInScope(member, scope),
    groupBy: keysOf(columns, scope),
  })
  const events = column(INNER, "events")
  return overInner(perActor, scope, {
    metric: of(events),
    count: aggregate("sum", events),
    bucket: column(INNER, BUCKET),
  })
}

/** Each actor in the first bucket alone that it is seen in: the running sum counts it once. */
export function firstSeenCells(member: MemberOf<"unique">, scope: Scope): Select {
  const columns = [...valueColumns(scope), { as: "actor", expr: member.maths.of }]
  const firsts = selectEvents(scope.context.project_id, {
    columns: [...columns, { as: "first", expr: aggregate("min", TIMESTAMP) }],
    where: isInScope(member, scope),
    groupBy: columns.map(({ expr }) => expr),
  })
  return overInner(firsts, scope, {
    metric: aggregate("count"),
    count: aggregate("count"),
    bucket: bucketOf(column(INNER, "first"), scope),
  })
}

/** Each actor in the bucket of its first event ever, if that one is of the series. */
export function firstTimeCells(member: MemberOf<"firstTime">, scope: Scope): Select {
  const first = column(INNER, "first")
  return {
    ...overInner(firstTimes(member, scope), scope, {
      metric: aggregate("count"),
      count: aggregate("count"),
      bucket: bucketOf(first, scope),
    }),
    where: isFirstTime(scope),
  }
}

/** One row for each actor: its first event (`first`), its first one that counts (`matched`), and values of that. */
export function firstTimes({ series, maths }: MemberOf<"firstTime">, scope: Scope): Select {
  const { project_id } = scope.context
  const isOf = and(...conditionsOf({ series, maths }, scope), ...scope.where)
  const isEarlyEnough = isUntil(TIMESTAMP, scope.range.toMs)
  const named = { ...series, properties: undefined, fixedProperties: undefined }
  const candidates = maths.ofAllEvents ? isOfSeries(named, scope.context) : isOf
  const where = and(candidates, isEarlyEnough, ...isCounted(maths))
  const ofMatching = (of: AggregateExpr) => (maths.ofAllEvents ? aggregateIf(of, isOf) : of)
  return selectEvents(project_id, {
    columns: [
      { as: "actor", expr: maths.actor },
      { as: "first", expr: aggregate("min", TIMESTAMP) },
      { as: "matched", expr: ofMatching(aggregate("min", TIMESTAMP)) },
      ...scope.values.map((expr, index) => ({
        as: valueName(index),
        expr: ofMatching(aggregate("argMin", expr, TIMESTAMP)),
      })),
    ],
    where,
    groupBy: [maths.actor],
  })
}

/** Of the rows of `firstTimes`. */
export function isFirstTime({ range }: Scope): Expr {
  const first = column(INNER, "first")
  return and(eq(first, column(INNER, "matched")), isInRange(first, range))
}

/** What an event must be to count for the series, its time aside. */
export function conditionsOf({ series, maths }: Member, { context }: Scope): readonly Expr[] {
  return [isOfSeries(series, context), ...isCounted(maths)]
}

export function isInScope(member: Member, scope: Scope): Expr {
  return and(...conditionsOf(member, scope), isInRange(TIMESTAMP, scope.range), ...scope.where)
}

interface Metric {
  readonly of: AggregateExpr
  readonly filter: Expr | undefined
}

function cells(metrics: readonly Metric[], scope: Scope): Select {
  const keys = keyColumns(scope)
  const filtered = ({ of, filter }: Metric) => (filter === undefined ? of : aggregateIf(of, filter))
  const counts = scope.values.length === 0 ? [] : metrics
  return selectEvents(scope.context.project_id, {
    columns: [
      ...keys,
      ...metrics.map((metric, index) => ({ as: metricName(index), expr: filtered(metric) })),
      ...counts.map(({ filter }, index) => ({
        as: countName(index),
        expr: filtered({ of: aggregate("count"), filter }),
      })),
    ],
    where: and(...scope.where, isInRange(TIMESTAMP, scope.range)),
    groupBy: keysOf(keys, scope),
  })
}

function aggregateOf({ maths }: MemberOf<"aggregate" | "unique">): AggregateExpr {
  return maths.kind === "aggregate" ? maths.of : aggregate("countDistinct", maths.of)
}

interface Outer {
  readonly metric: Expr
  readonly count: Expr
  readonly bucket: Expr
}

/** Cells of one series over rows that carry its values. */
function overInner(inner: Select, scope: Scope, { metric, count, bucket }: Outer): Select {
  const keys = [
    { as: BUCKET, expr: scope.buckets === undefined ? number(0) : bucket },
    ...scope.values.map((_, index) => ({
      as: valueName(index),
      expr: column(INNER, valueName(index)),
    })),
  ]
  const counts = scope.values.length === 0 ? [] : [{ as: countName(0), expr: count }]
  return {
    columns: [...keys, { as: metricName(0), expr: metric }, ...counts],
    from: { kind: "subquery", query: inner, alias: INNER },
    groupBy: keysOf(keys, scope),
  }
}

const keyColumns = (scope: Scope): readonly SelectColumn[] => [
  { as: BUCKET, expr: bucketOf(TIMESTAMP, scope) },
  ...valueColumns(scope),
]

export const valueColumns = ({ values }: Scope): readonly SelectColumn[] =>
  values.map((expr, index) => ({ as: valueName(index), expr }))

/** The one bucket of a total is no key: without rows there is still a row. */
const keysOf = (columns: readonly SelectColumn[], { buckets }: Scope): readonly Expr[] =>
  columns.filter(({ as }) => buckets !== undefined || as !== BUCKET).map(({ expr }) => expr)

function bucketOf(moment: Expr, { buckets }: Scope): Expr {
  return buckets === undefined ? number(0) : bucketIndex(moment, buckets)
}
