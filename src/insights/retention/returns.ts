/** Who did the target in which bucket, and in which buckets each of them returned. */

import { bucketIndex, momentOf } from "../../query/buckets.ts"
import {
  aggregate,
  aggregateIf,
  and,
  asc,
  call,
  column,
  eq,
  gt,
  gte,
  lt,
  number,
  or,
} from "../../query/build.ts"
import type { Expr, Select } from "../../query/tree.ts"
import { type ActiveBuckets, activeBuckets, isSomeActor } from "../active-buckets.ts"
import type { InsightContext } from "../insight.ts"
import { actorOf, isAskedFor, isOfSeries, TIMESTAMP } from "../series.ts"
import type { RetentionQuestion } from "./question.ts"

const [TARGET, RETURNING] = [0, 1]
const PER_ACTOR = "per_actor"

/**
 * Rows of `target` (a bucket), `mark` and `actors`. A mark is twice the bucket, and one more where the actor
 * returned in it: the bucket of the target itself is always there, whether the actor returned in it or not.
 */
export function countReturns(question: RetentionQuestion, context: InsightContext): Select {
  const active = activity(question, context)
  const { isFirstTime } = question
  const target = isFirstTime ? column(PER_ACTOR, "first") : column("targets", "target")
  const item = column("marks", "mark")
  // Who returns by doing the same has one list of buckets, which stands for both.
  const isSame = active.isUniform
  return {
    columns: [
      { as: "target", expr: target },
      { as: "mark", expr: isSame ? plus(twice(item), number(1)) : item },
      { as: "actors", expr: aggregate("count") },
    ],
    from: { kind: "subquery", query: listsPerActor(active, isFirstTime), alias: PER_ACTOR },
    joins: [
      ...(isFirstTime ? [] : [itemsOf(isSame ? "marks" : "targets", "targets", "target")]),
      itemsOf("marks", "marks", "mark"),
    ],
    where: gte(item, isSame ? target : twice(target)),
    groupBy: [target, item],
    orderBy: [asc(target), asc(item)],
  }
}

/** Each actor of a row with the buckets from it on: 1 for those it was there in, its own first. */
export function actorsOfRow(
  question: RetentionQuestion,
  row: number,
  context: InsightContext,
): Select {
  const active = activity(question, context)
  const { buckets, isFirstTime } = question
  const isLater = (bucket: number): Expr =>
    and(active.isOf(RETURNING), eq(active.bucket, number(bucket)))
  const later = buckets.startsMs.slice(row + 1).map((_, index) => countOf(isLater(row + 1 + index)))
  const isReturn = and(active.isOf(RETURNING), gt(active.bucket, number(row)))
  const isMember = isFirstTime
    ? eq(firstBucket(active), number(row))
    : gt(countOf(and(active.isOf(TARGET), eq(active.bucket, number(row)))), number(0))
  return {
    columns: [
      { as: "actor_id", expr: active.actor },
      { as: "appearances", expr: { kind: "array", items: [number(1), ...later] } },
      { as: "appearance_count", expr: countOf(isReturn) },
    ],
    from: active.source,
    groupBy: [active.actor],
    having: isMember,
  }
}

const countOf = (filter: Expr): Expr => aggregateIf(aggregate("count"), filter)

const firstBucket = (active: ActiveBuckets): Expr =>
  aggregateIf(aggregate("min", active.bucket), active.isOf(TARGET))

const twice = (bucket: Expr): Expr => ({
  kind: "arithmetic",
  operator: "*",
  left: bucket,
  right: number(2),
})

const plus = (left: Expr, right: Expr): Expr => ({
  kind: "arithmetic",
  operator: "+",
  left,
  right,
})

const itemsOf = (array: string, alias: string, as: string) =>
  ({ kind: "arrays", alias, items: [{ as, expr: column(PER_ACTOR, array) }] }) as const

function listsPerActor(active: ActiveBuckets, isFirstTime: boolean): Select {
  const { actor, bucket, isOf, isUniform, source } = active
  const whether: Expr = {
    kind: "case",
    branches: [{ when: isOf(RETURNING), result: number(1) }],
    otherwise: number(0),
  }
  const mark = isUniform ? bucket : plus(twice(bucket), whether)
  const targets = aggregateIf(aggregate("groupArray", bucket), isOf(TARGET))
  return {
    columns: [
      { as: "marks", expr: aggregate("groupArray", mark) },
      ...(isFirstTime ? [{ as: "first", expr: firstBucket(active) }] : []),
      ...(isFirstTime || isUniform ? [] : [{ as: "targets", expr: targets }]),
    ],
    from: source,
    groupBy: [actor],
    // A first time before all buckets is none of theirs.
    ...(isFirstTime ? { having: gte(firstBucket(active), number(0)) } : {}),
  }
}

/** First times are looked for in all that was before, too; it counts as the bucket -1. */
function activity(question: RetentionQuestion, context: InsightContext): ActiveBuckets {
  const { asked, target, returning, buckets, isFirstTime } = question
  const { aggregation_group_type_index: groupTypeIndex } = asked
  const actor = actorOf(groupTypeIndex)
  const index = bucketIndex(TIMESTAMP, buckets)
  const isFromStart = gte(TIMESTAMP, momentOf(buckets.startsMs[0] ?? buckets.endMs))
  return activeBuckets(
    {
      series: [target, returning],
      actor,
      bucket: isFirstTime ? call("greatest", index, number(-1)) : index,
      where: [
        lt(TIMESTAMP, momentOf(buckets.endMs)),
        isFirstTime ? or(isFromStart, isOfSeries(target, context)) : isFromStart,
        ...isSomeActor(actor, groupTypeIndex),
        isAskedFor(asked, context),
      ],
    },
    context,
  )
}
