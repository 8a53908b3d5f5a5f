/** A funnel that is ready to be read: its rules, whose events count, and what it is broken down by. */
import { invalid } from "../../lib/errors.ts"
import { isInRange } from "../../query/buckets.ts"
import { and, call, eq, isNotNull, not, number, personOfEvent, text } from "../../query/build.ts"
import type { DateRange } from "../../query/date-range.ts"
import { compileCohortCondition } from "../../query/filters/cohort-conditions.ts"
import type { Expr, Query, Source } from "../../query/tree.ts"
import { findRange } from "../asked-range.ts"
import {
  breakdownValue,
  type CohortValue,
  isNumberBreakdown,
  parseBreakdown,
} from "../breakdown.ts"
import type { ActorSource, InsightContext, Plan } from "../insight.ts"
import { actorOf, isAskedFor, TIMESTAMP } from "../series.ts"
import { type ATTRIBUTIONS, type FunnelsQuery, parseRules, type Rules } from "./question.ts"

export interface Funnel extends Rules {
  readonly context: InsightContext
  readonly range: DateRange
  /** What every event has to be, whatever step it is of. */
  readonly where: Expr
  /** Who makes attempts. */
  readonly actor: Expr
  readonly actorKind: ActorSource["actor"] | { readonly kind: "expression" }
  readonly breakdown: FunnelBreakdown | undefined
}

interface FunnelBreakdown {
  /** Texts, "" for none. */
  readonly values: readonly Expr[]
  readonly attribution: (typeof ATTRIBUTIONS)[number]
  /** Of the step whose value counts, from 0. */
  readonly step: number
  readonly limit: number
  readonly hidesOther: boolean
}

const VALUES_DEFAULT = 25

export function* readFunnel(asked: FunnelsQuery, context: InsightContext): Plan<Funnel> {
  const rules = parseRules(asked)
  const interval = rules.view === "trends" ? (asked.interval ?? "day") : "day"
  const range = yield* findRange({ dateRange: asked.dateRange, interval }, context)
  const { actor, actorKind, isThere } = whoActs(asked, context)
  return {
    ...rules,
    context,
    range,
    where: and(isInRange(TIMESTAMP, range), isAskedFor(asked, context), ...isThere),
    actor,
    actorKind,
    breakdown: parseFunnelBreakdown(asked, rules, context),
  }
}

/** Only those of a cohort, or everybody. */
export function inCohort(funnel: Funnel, cohort: CohortValue): Funnel {
  if (cohort === "all") return funnel
  const { project_id } = funnel.context
  const place = { person: personOfEvent, project_id, cohort_id: cohort, isNegated: false }
  return { ...funnel, where: and(funnel.where, compileCohortCondition(place)) }
}

function whoActs(
  { aggregation_group_type_index: index, funnelsFilter }: FunnelsQuery,
  context: InsightContext,
): Pick<Funnel, "actor" | "actorKind"> & { readonly isThere: readonly Expr[] } {
  const expression = funnelsFilter?.funnelAggregateByHogQL ?? ""
  if (expression.trim() !== "" && expression.trim() !== "person_id") {
    const { expr, isAggregate } = context.compileExpression(expression)
    if (isAggregate) {
      throw invalid(
        `"${expression}" aggregates: a funnel needs a value of each event to tell attempts apart.`,
        "funnelAggregateByHogQL",
      )
    }
    return { actor: expr, actorKind: { kind: "expression" }, isThere: [isNotNull(expr)] }
  }
  const actor = actorOf(index)
  if (typeof index !== "number") return { actor, actorKind: { kind: "person" }, isThere: [] }
  const isThere = [isNotNull(actor), not(eq(actor, text("")))]
  return { actor, actorKind: { kind: "group", index }, isThere }
}

function parseFunnelBreakdown(
  { breakdownFilter, funnelsFilter }: FunnelsQuery,
  { steps, view }: Rules,
  context: InsightContext,
): FunnelBreakdown | undefined {
  const breakdown = parseBreakdown(breakdownFilter)
  if (breakdown?.kind !== "values" || view === "time_to_convert") return undefined
  const attribution = funnelsFilter?.breakdownAttributionType ?? "first_touch"
  const step = funnelsFilter?.breakdownAttributionValue ?? 0
  if (attribution === "step" && (step < 0 || step >= steps.length)) {
    throw invalid(
      `The funnel has no step ${step} to take the values of: its steps are 0 to ${steps.length - 1}.`,
      "breakdownAttributionValue",
    )
  }
  return {
    values: breakdown.parts.map((part) => {
      const value = breakdownValue(part, context)
      return isNumberBreakdown(part) ? call("coalesce", call("numberText", value), text("")) : value
    }),
    attribution,
    step,
    limit: breakdownFilter?.breakdown_limit ?? VALUES_DEFAULT,
    hidesOther: breakdownFilter?.breakdown_hide_other_aggregation === true,
  }
}

/** Names of columns that all queries of funnels share. */
export const stepName = (index: number): string => `step_${index}`
export const valueName = (index: number): string => `value_${index}`

export const subquery = (query: Query, alias: string): Source => ({
  kind: "subquery",
  query,
  alias,
})

const NOTHING: Expr = { kind: "value", value: { type: "null" } }

export const given = (when: Expr, result: Expr, otherwise: Expr = NOTHING): Expr => ({
  kind: "case",
  branches: [{ when, result }],
  otherwise,
})

/** The last moment at which an attempt that began then can still take a step. */
export const endOfWindow = ({ windowSeconds }: Funnel, began: Expr): Expr =>
  call("addSeconds", began, number(windowSeconds))
