/** What is reckoned from the events of a series. */
import { invalid } from "../../lib/errors.ts"
import { aggregate, EVENTS, isNotNull, personOfEvent, property } from "../../query/build.ts"
import type { AggregateExpr, Expr } from "../../query/tree.ts"
import type { InsightContext } from "../insight.ts"
import { actorOf, type Series } from "../series.ts"

/**
 * aggregate: one aggregate over events. unique: different values. active: different actors in the days up to a
 * bucket. perActor: an aggregate over the actors' own counts. expression: one that the caller wrote.
 * firstTime: actors who did it for the first time.
 */
export type Maths =
  | { readonly kind: "aggregate"; readonly of: AggregateExpr; readonly isAdditive: boolean }
  | { readonly kind: "unique"; readonly of: Expr }
  | { readonly kind: "active"; readonly days: number; readonly actor: Expr }
  | { readonly kind: "perActor"; readonly of: (count: Expr) => AggregateExpr; readonly actor: Expr }
  | { readonly kind: "expression"; readonly expr: Expr }
  | { readonly kind: "firstTime"; readonly actor: Expr; readonly ofAllEvents: boolean }

interface Aim {
  readonly series: Series
  /** Counted instead of persons, where the whole question is about groups. */
  readonly aggregation_group_type_index?: number | null | undefined
}

export function parseMaths(aim: Aim, context: InsightContext): Maths {
  const { series } = aim
  const math = series.math ?? "total"
  const actor = actorOf(aim.aggregation_group_type_index)
  const perActor = math.endsWith(PER_ACTOR) ? math.slice(0, -PER_ACTOR.length) : ""
  const overCounts = OVER_NUMBERS.get(perActor)
  if (overCounts !== undefined && perActor !== "sum")
    return { kind: "perActor", of: overCounts, actor }
  const overNumbers = OVER_NUMBERS.get(math)
  if (overNumbers !== undefined) {
    return { kind: "aggregate", of: overNumbers(numberOf(series)), isAdditive: math === "sum" }
  }
  switch (math) {
    case "total":
      return { kind: "aggregate", of: aggregate("count"), isAdditive: true }
    case "dau":
      return { kind: "unique", of: actor }
    case "weekly_active":
      return { kind: "active", days: 7, actor }
    case "monthly_active":
      return { kind: "active", days: 30, actor }
    case "unique_session":
      return { kind: "unique", of: property({ table: EVENTS, of: "event", key: "$session_id" }) }
    case "unique_group":
      return { kind: "unique", of: actorOf(series.math_group_type_index ?? 0) }
    case "hogql":
      return { kind: "expression", expr: expressionOf(series, context) }
    case "first_time_for_user":
      return { kind: "firstTime", actor, ofAllEvents: true }
    case "first_matching_event_for_user":
      return { kind: "firstTime", actor, ofAllEvents: false }
    default:
      throw invalid(`There is no math "${math}": use total, dau, sum, avg or another.`, "math")
  }
}

/** The type of group whose keys are the actors of a series; persons are without one. */
export function groupTypeOf({ series, aggregation_group_type_index }: Aim): number | undefined {
  if (series.math === "unique_group") return series.math_group_type_index ?? 0
  return aggregation_group_type_index ?? undefined
}

/** Events that name nobody do not count where actors are counted; every event has a person. */
export function isCounted(maths: Maths): readonly Expr[] {
  const counted = countedOf(maths)
  return counted === undefined || counted === personOfEvent ? [] : [isNotNull(counted)]
}

function countedOf(maths: Maths): Expr | undefined {
  if (maths.kind === "unique") return maths.of
  return "actor" in maths ? maths.actor : undefined
}

const PER_ACTOR = "_count_per_actor"

type OfNumber = (number: Expr) => AggregateExpr

const quantile =
  (level: number): OfNumber =>
  (number) => ({
    ...aggregate("quantile", number),
    params: [level],
  })

const OVER_NUMBERS: ReadonlyMap<string, OfNumber> = new Map<string, OfNumber>([
  ["sum", (number) => aggregate("sum", number)],
  ["avg", (number) => aggregate("avg", number)],
  ["min", (number) => aggregate("min", number)],
  ["max", (number) => aggregate("max", number)],
  ["median", quantile(0.5)],
  ["p75", quantile(0.75)],
  ["p90", quantile(0.9)],
  ["p95", quantile(0.95)],
  ["p99", quantile(0.99)],
])

function numberOf({ math, math_property }: Series): Expr {
  if (typeof math_property === "string" && math_property !== "") {
    return property({ table: EVENTS, of: "event", key: math_property }, "number")
  }
  throw invalid(`The math ${math} needs the name of a property.`, "math_property", "required")
}

function expressionOf({ math_hogql }: Series, context: InsightContext): Expr {
  if (typeof math_hogql !== "string" || math_hogql.trim() === "") {
    throw invalid("The math hogql needs an expression.", "math_hogql", "required")
  }
  const { expr, isAggregate } = context.compileExpression(math_hogql)
  if (isAggregate) return expr
  throw invalid(
    `"${math_hogql}" does not aggregate: write one like count() or sum(…).`,
    "math_hogql",
  )
}
