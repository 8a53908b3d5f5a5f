/** Who took how many steps of a funnel, or began it at a certain time and converted or not. */
import { z } from "zod"
import { invalid } from "../../lib/errors.ts"
import { type Buckets, listBuckets } from "../../query/buckets.ts"
import { among, and, column, eq, gt, gte, lte, number, text } from "../../query/build.ts"
import { parseDateInput } from "../../query/dates.ts"
import type { Expr } from "../../query/tree.ts"
import { parseBreakdown } from "../breakdown.ts"
import type { ActorSource, InsightContext, Plan } from "../insight.ts"
import { bestAttempts } from "./best-attempts.ts"
import { type Funnel, inCohort, readFunnel, subquery } from "./funnel.ts"
import type { FunnelsQuery } from "./question.ts"
import { valueNames } from "./step-events.ts"
import { findShownValues, OTHER } from "./steps-view.ts"

const CUSTOM_STEPS_MAX = 100
const BEST = "q"
const value = z.union([z.string(), z.number()])

export const FunnelSelection = z.object({
  /** n: took at least n steps; -n: took exactly n - 1 of them. */
  funnelStep: z.number().int().nullish(),
  /** Took exactly so many steps. */
  funnelCustomSteps: z.array(z.number().int().min(1)).max(CUSTOM_STEPS_MAX).nullish(),
  funnelStepBreakdown: z.union([value, z.array(value)]).nullish(),
  funnelTrendsDropOff: z.boolean().nullish(),
  funnelTrendsEntrancePeriodStart: z.string().nullish(),
})
export type FunnelSelection = z.output<typeof FunnelSelection>

export function* findActors(
  asked: FunnelsQuery,
  selected: FunnelSelection,
  context: InsightContext,
): Plan<ActorSource> {
  const funnel = yield* readFunnel(asked, context)
  if (funnel.steps.length === 0) throw invalid("A funnel without steps has no actors.", "series")
  const { broken, shown, isOfValue } = yield* withChosenValue(funnel, asked, selected)
  const buckets = funnel.view === "trends" ? listBuckets(funnel.range) : undefined
  const isChosen =
    buckets === undefined
      ? hasTaken(selected, funnel)
      : hasBegun(selected, { funnel, buckets, context })
  const isExpression = funnel.actorKind.kind === "expression"
  return {
    query: {
      distinct: true,
      columns: [{ as: "actor_id", expr: column(BEST, isExpression ? "person_id" : "actor_id") }],
      from: subquery(bestAttempts(broken, { withMoments: false, buckets, shown }), BEST),
      where: and(isChosen, ...isOfValue),
    },
    actor: funnel.actorKind.kind === "expression" ? { kind: "person" } : funnel.actorKind,
    extras: [],
    orderBy: [],
  }
}

interface Chosen {
  readonly broken: Funnel
  readonly shown: Awaited<ReturnType<typeof findShownValues> extends Plan<infer T> ? T : never>
  readonly isOfValue: readonly Expr[]
}

/** Without a value that is asked for, a breakdown makes no difference. */
function* withChosenValue(
  funnel: Funnel,
  { breakdownFilter }: FunnelsQuery,
  { funnelStepBreakdown: chosen }: FunnelSelection,
): Plan<Chosen> {
  const whole = { broken: { ...funnel, breakdown: undefined }, shown: undefined, isOfValue: [] }
  if (chosen === null || chosen === undefined) return whole
  const values = (Array.isArray(chosen) ? chosen : [chosen]).map(String)
  if (parseBreakdown(breakdownFilter)?.kind === "cohorts") {
    const [id = ""] = values
    return {
      ...whole,
      broken: inCohort(whole.broken, id === "0" || id === "all" ? "all" : Number(id)),
    }
  }
  if (funnel.breakdown === undefined) return whole
  const names = valueNames(funnel)
  const isOther = values.length === 1 && values[0] === OTHER
  const shown = isOther ? yield* findShownValues(funnel) : undefined
  if (shown !== undefined) {
    return { broken: funnel, shown, isOfValue: [column(BEST, "is_other")] }
  }
  const isOfValue = names.map((name, index) => eq(column(BEST, name), text(values[index] ?? "")))
  return { broken: funnel, shown, isOfValue }
}

/** How many steps were taken, as a step is asked for. */
function hasTaken(
  { funnelStep, funnelCustomSteps }: FunnelSelection,
  { steps }: Pick<Funnel, "steps">,
): Expr {
  const taken = column(BEST, "steps")
  if (funnelCustomSteps !== null && funnelCustomSteps !== undefined) {
    return among(
      taken,
      funnelCustomSteps.map((count) => ({ type: "number", value: count })),
    )
  }
  if (funnelStep === null || funnelStep === undefined) {
    throw invalid("Say which step: give funnelStep or funnelCustomSteps.", "funnelStep", "required")
  }
  if (funnelStep === 0 || funnelStep === -1 || Math.abs(funnelStep) > steps.length) {
    throw invalid(
      `${funnelStep} is no step: 1 to ${steps.length} are those who took it, ` +
        `-2 to -${steps.length} those who stopped before it.`,
      "funnelStep",
    )
  }
  return funnelStep > 0 ? gte(taken, number(funnelStep)) : eq(taken, number(-funnelStep - 1))
}

interface Place {
  readonly funnel: Funnel
  readonly buckets: Buckets
  readonly context: InsightContext
}

/** Who began in a bucket and got to the wanted step, or dropped off before it. */
function hasBegun(
  { funnelTrendsEntrancePeriodStart: start, funnelTrendsDropOff }: FunnelSelection,
  { funnel, buckets, context }: Place,
): Expr {
  if (start === null || start === undefined || start === "") {
    throw invalid(
      "Say when the attempts began: give funnelTrendsEntrancePeriodStart.",
      "funnelTrendsEntrancePeriodStart",
      "required",
    )
  }
  const attr = "funnelTrendsEntrancePeriodStart"
  const { time } = parseDateInput(start, { now: context.now, timezone: context.timezone, attr })
  const startMs = Date.parse(`${time.slice(0, 23).replace(" ", "T")}Z`)
  const bucket = buckets.startsMs.findLastIndex((each) => each <= startMs)
  const taken = column(BEST, "steps")
  const isInBucket = eq(column(BEST, "bucket"), number(bucket))
  if (funnelTrendsDropOff !== true) return and(isInBucket, gt(taken, number(funnel.toStep)))
  return and(isInBucket, gt(taken, number(funnel.fromStep)), lte(taken, number(funnel.toStep)))
}
