/** What stickiness is asked of. */
import { z } from "zod"
import { invalid } from "../../lib/errors.ts"
import { isNotNull } from "../../query/build.ts"
import { type DateRange, INTERVALS, previousRange, shiftedRange } from "../../query/date-range.ts"
import type { Expr } from "../../query/tree.ts"
import { isSomeActor } from "../active-buckets.ts"
import { findRange } from "../asked-range.ts"
import type { ActorSource, InsightContext, Plan } from "../insight.ts"
import { actorOf, QUESTION_FIELDS, type Series } from "../series.ts"

const PERIODS = ["current", "previous"] as const
export type Period = (typeof PERIODS)[number]

export const StickinessSchema = z.object({
  ...QUESTION_FIELDS,
  interval: z.enum(INTERVALS).nullish(),
  stickinessFilter: z.object({ compare: z.boolean().nullish() }).nullish(),
  compareFilter: z
    .object({ compare: z.boolean().nullish(), compare_to: z.string().nullish() })
    .nullish(),
})
export type Stickiness = z.output<typeof StickinessSchema>

/** `day`: in how many intervals. */
export const StickinessSelection = z.object({
  day: z.coerce.number().int().min(1),
  series: z.number().int().min(0).nullish(),
  compare: z.enum(PERIODS).nullish(),
})
export type SelectedDays = z.output<typeof StickinessSelection>

/** The ranges that are asked for, the current one first. */
export function* findRanges(
  asked: Stickiness,
  context: InsightContext,
): Plan<ReadonlyMap<Period, DateRange>> {
  const { dateRange, stickinessFilter, compareFilter } = asked
  const interval = asked.interval ?? "day"
  const current = yield* findRange({ dateRange, interval }, context)
  if (stickinessFilter?.compare !== true && compareFilter?.compare !== true) {
    return new Map([["current", current]])
  }
  const by = compareFilter?.compare_to
  const previous =
    typeof by === "string"
      ? shiftedRange(current, by)
      : previousRange(current, { ...dateRange, interval })
  return new Map([
    ["current", current],
    ["previous", previous],
  ])
}

/** Whose active intervals a series counts; `actor` is missing where it is nobody that could be listed. */
export interface Counted {
  readonly by: Expr
  /** What an event must be to count. */
  readonly where: readonly Expr[]
  readonly actor?: ActorSource["actor"]
}

export function countedOf(series: Series, asked: Stickiness, context: InsightContext): Counted {
  if (series.math === "hogql") return countedExpression(series, context)
  const index =
    series.math === "unique_group"
      ? (series.math_group_type_index ?? 0)
      : asked.aggregation_group_type_index
  const by = actorOf(index)
  return {
    by,
    where: isSomeActor(by, index),
    actor: typeof index === "number" ? { kind: "group", index } : { kind: "person" },
  }
}

function countedExpression({ math_hogql }: Series, context: InsightContext): Counted {
  if (typeof math_hogql !== "string" || math_hogql.trim() === "") {
    throw invalid("An expression is missing: give math_hogql.", "math_hogql", "required")
  }
  const { expr, isAggregate } = context.compileExpression(math_hogql)
  if (isAggregate) {
    throw invalid("Stickiness counts values, not aggregates: give a plain one.", "math_hogql")
  }
  return { by: expr, where: [isNotNull(expr)] }
}
