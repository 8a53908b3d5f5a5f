/**
 * What an actor is in each bucket. Every active bucket is new, returning or resurrecting, by the active bucket
 * before it; a bucket right after an active one that is not active itself is dormant.
 */

import { type Buckets, bucketIndex, momentOf } from "../../query/buckets.ts"
import {
  aggregate,
  and,
  column,
  eq,
  gte,
  lt,
  not,
  number,
  or,
  PERSONS,
  table,
  text,
} from "../../query/build.ts"
import type { Expr, Select, TableSource, WindowExpr } from "../../query/tree.ts"
import { type ActiveBuckets, activeBuckets, isSomeActor } from "../active-buckets.ts"
import type { InsightContext } from "../insight.ts"
import { actorOf, isAskedFor, type Series, TIMESTAMP } from "../series.ts"

export const STATUSES = ["new", "returning", "resurrecting", "dormant"] as const
export type Status = (typeof STATUSES)[number]

export interface LifecycleAsked {
  readonly series: Series
  readonly properties?: unknown
  readonly filterTestAccounts?: boolean | null | undefined
  readonly aggregation_group_type_index?: number | null | undefined
  /** The first is the one before those that are asked for. */
  readonly buckets: Buckets
}

/** Rows of `bucket`, `status` (of those who are active in it), `is_followed` and `actors`. */
export function countStatuses(asked: LifecycleAsked, context: InsightContext): Select {
  return {
    columns: [
      { as: "bucket", expr: BUCKET },
      { as: "status", expr: status },
      { as: "is_followed", expr: isFollowed },
      { as: "actors", expr: aggregate("count") },
    ],
    from: { kind: "subquery", query: neighbouringBuckets(asked, context), alias: ACTIVITY },
    groupBy: [BUCKET, status, isFollowed],
  }
}

/** `index` as in `asked.buckets`; those who are in no bucket are nobody. */
export function actorsOfStatus(
  asked: LifecycleAsked,
  { wanted, index }: { readonly wanted: Status; readonly index: number | undefined },
  context: InsightContext,
): Select {
  const isWanted = wanted === "dormant" ? becomesDormant : isActiveAs
  return {
    columns: [{ as: "actor_id", expr: column(ACTIVITY, "actor_id") }],
    from: { kind: "subquery", query: neighbouringBuckets(asked, context), alias: ACTIVITY },
    where: index === undefined ? or() : isWanted(wanted, index),
  }
}

const becomesDormant = (_: Status, index: number): Expr =>
  and(eq(BUCKET, number(index - 1)), not(isFollowed))

const isActiveAs = (wanted: Status, index: number): Expr =>
  and(eq(BUCKET, number(index)), eq(status, text(wanted)))

const ACTIVITY = "activity"
const BUCKET = column(ACTIVITY, "bucket")
/** Stands for no bucket: next to none that there is. */
const NO_BUCKET = -2

const isAt = (bucket: Expr, steps: number): Expr =>
  eq(bucket, { kind: "arithmetic", operator: "+", left: BUCKET, right: number(steps) })

const isFollowed = isAt(column(ACTIVITY, "next"), 1)

const status: Expr = {
  kind: "case",
  branches: [
    { when: isAt(column(ACTIVITY, "previous"), -1), result: text("returning") },
    {
      when: and(
        eq(column(ACTIVITY, "previous"), number(NO_BUCKET)),
        eq(column(ACTIVITY, "created"), BUCKET),
      ),
      result: text("new"),
    },
  ],
  otherwise: text("resurrecting"),
}

/** Each actor's active buckets with the ones before and after, and the bucket in which the actor was created. */
function neighbouringBuckets(asked: LifecycleAsked, context: InsightContext): Select {
  const { series, buckets, aggregation_group_type_index: groupTypeIndex } = asked
  const actor = actorOf(groupTypeIndex)
  const active = activeBuckets(
    {
      series: [series],
      actor,
      bucket: bucketIndex(TIMESTAMP, buckets),
      where: [
        isWithin(TIMESTAMP, buckets),
        ...isSomeActor(actor, groupTypeIndex),
        isAskedFor(asked, context),
      ],
    },
    context,
  )
  const created = createdActors(active, asked, context)
  return {
    columns: [
      { as: "actor_id", expr: active.actor },
      { as: "bucket", expr: active.bucket },
      { as: "previous", expr: neighbour("lag", active) },
      { as: "next", expr: neighbour("lead", active) },
      { as: "created", expr: bucketIndex(column(created.source.alias, "created_at"), buckets) },
    ],
    from: active.source,
    joins: [{ kind: "left", ...created }],
  }
}

function neighbour(name: "lag" | "lead", { actor, bucket }: ActiveBuckets): WindowExpr {
  return {
    kind: "window",
    of: { kind: "windowCall", name, args: [bucket, number(1), number(NO_BUCKET)] },
    partitionBy: [actor],
    orderBy: [{ expr: bucket, direction: "asc", nulls: "last" }],
  }
}

/** Only those of the buckets: nobody else can be new. */
function createdActors(
  { actor }: ActiveBuckets,
  { buckets, aggregation_group_type_index: groupTypeIndex }: LifecycleAsked,
  { project_id }: InsightContext,
): { readonly source: TableSource; readonly on: Expr } {
  if (typeof groupTypeIndex !== "number") {
    const source = table("persons", PERSONS, project_id)
    const isCreated = isWithin(column(PERSONS, "created_at"), buckets)
    return { source, on: and(eq(column(PERSONS, "uuid"), actor), isCreated) }
  }
  const source = table("groups", GROUPS, project_id)
  const isOfType = eq(column(GROUPS, "group_type_index"), number(groupTypeIndex))
  const isCreated = isWithin(column(GROUPS, "created_at"), buckets)
  return { source, on: and(isOfType, eq(column(GROUPS, "group_key"), actor), isCreated) }
}

const GROUPS = "g"

function isWithin(moment: Expr, { startsMs, endMs }: Buckets): Expr {
  return and(gte(moment, momentOf(startsMs[0] ?? endMs)), lt(moment, momentOf(endMs)))
}
