/** The part of each actor's best attempt at a funnel that paths are asked of. */
import { invalid } from "../../lib/errors.ts"
import { and, column, eq, gte, lte, number } from "../../query/build.ts"
import type { Expr, Select } from "../../query/tree.ts"
import { stepName, subquery } from "../funnels/funnel.ts"
import type { FunnelsQuery } from "../funnels/question.ts"
import { findStepMoments } from "../funnels/step-moments.ts"
import type { InsightContext, Plan } from "../insight.ts"
import type { PathsQuery } from "./question.ts"

export const FUNNEL_PATHS = [
  "funnel_path_before_step",
  "funnel_path_between_steps",
  "funnel_path_after_step",
] as const

export interface FunnelStretch {
  /** `actor_id` with the moments `starts_at` and `ends_at`, where there are any. */
  readonly query: Select
  readonly hasStart: boolean
  readonly hasEnd: boolean
  /** What is one attempt at a funnel is one path. */
  readonly pauseSeconds: number
}

const MOMENTS = "m"

export function* readStretch(
  { funnelPathsFilter, aggregation_group_type_index, dateRange }: PathsQuery,
  context: InsightContext,
): Plan<FunnelStretch | undefined> {
  if (funnelPathsFilter === undefined || funnelPathsFilter === null) return undefined
  const { funnelPathType: type, funnelSource, funnelStep } = funnelPathsFilter
  const source = {
    ...funnelSource,
    dateRange: funnelSource.dateRange ?? dateRange,
    aggregation_group_type_index,
  }
  checkActors(funnelSource)
  const { funnel, query } = yield* findStepMoments(source, context)
  const { last, isTaken } = parseStep(funnelStep, funnel.steps.length)
  const hasStart = type !== "funnel_path_before_step"
  const hasEnd = type !== "funnel_path_after_step"
  if (hasStart && hasEnd && last === 0) {
    throw invalid(
      `Nothing lies between step ${funnelStep} of a funnel and the one before: take a later funnelStep.`,
      "funnelStep",
    )
  }
  const first = hasEnd ? last - 1 : last
  return {
    query: {
      columns: [
        { as: "actor_id", expr: column(MOMENTS, "actor_id") },
        ...(hasStart ? [{ as: "starts_at", expr: column(MOMENTS, stepName(first)) }] : []),
        ...(hasEnd ? [{ as: "ends_at", expr: column(MOMENTS, stepName(last)) }] : []),
      ],
      from: subquery(query, MOMENTS),
      where: isTaken,
    },
    hasStart,
    hasEnd,
    pauseSeconds: funnel.windowSeconds,
  }
}

function checkActors({ funnelsFilter }: FunnelsQuery): void {
  if ((funnelsFilter?.funnelAggregateByHogQL ?? "") === "") return
  throw invalid(
    "Paths are of persons or groups: the funnel cannot be by an expression.",
    "funnelAggregateByHogQL",
  )
}

/** n: who took step n; -n: who stopped before it. `last`, from 0, is the last step that all of them took. */
function parseStep(
  step: number | null | undefined,
  count: number,
): { readonly last: number; readonly isTaken: Expr } {
  if (step === null || step === undefined) {
    throw invalid("Say of which step of the funnel: give funnelStep.", "funnelStep", "required")
  }
  if (step === 0 || step === -1 || Math.abs(step) > count) {
    throw invalid(
      `${step} is no step: 1 to ${count} are those who took it, -2 to -${count} those who stopped before it.`,
      "funnelStep",
    )
  }
  const steps = column(MOMENTS, "steps")
  return step > 0
    ? { last: step - 1, isTaken: gte(steps, number(step)) }
    : { last: -step - 2, isTaken: eq(steps, number(-step - 1)) }
}

/** The events (with `actor_id` and `at`) that lie in the stretch. */
export function inStretch(events: Select, { query, hasStart, hasEnd }: FunnelStretch): Select {
  const [EVENT, STRETCH] = ["v", "f"]
  const at = column(EVENT, "at")
  return {
    columns: events.columns.map(({ as }) => ({ as, expr: column(EVENT, as) })),
    from: subquery(events, EVENT),
    joins: [
      {
        kind: "inner",
        source: subquery(query, STRETCH),
        on: eq(column(EVENT, "actor_id"), column(STRETCH, "actor_id")),
      },
    ],
    where: and(
      ...(hasStart ? [gte(at, column(STRETCH, "starts_at"))] : []),
      ...(hasEnd ? [lte(at, column(STRETCH, "ends_at"))] : []),
    ),
  }
}
