/** Funnels: how many get from one step to the next, in which time, and who does not. */
import { invalid } from "../../lib/errors.ts"
import type { JsonValue } from "../../lib/json.ts"
import { type CohortValue, parseBreakdown } from "../breakdown.ts"
import type { Insight, InsightAnswer, InsightContext, Plan } from "../insight.ts"
import { FunnelSelection, findActors } from "./actors.ts"
import { type Funnel, inCohort, readFunnel } from "./funnel.ts"
import { parseLookup } from "./lookup.ts"
import { FunnelsQuery } from "./question.ts"
import { readSteps, type ShownBreakdown, shownSteps } from "./steps-view.ts"
import { readTimeToConvert } from "./time-to-convert.ts"
import { readTrends } from "./trends-view.ts"

export const funnels: Insight<FunnelsQuery, FunnelSelection> = {
  kind: "FunnelsQuery",
  schema: FunnelsQuery,
  *plan(asked, context) {
    const funnel = yield* readFunnel(asked, context)
    if (funnel.steps.length === 0) return { results: [] }
    const breakdown = parseBreakdown(asked.breakdownFilter)
    switch (funnel.view) {
      case "time_to_convert":
        return { results: yield* readTimeToConvert(funnel, asked.funnelsFilter?.binCount ?? null) }
      case "trends":
        if (breakdown?.kind === "cohorts") return yield* trendsOfCohorts(funnel, breakdown.cohorts)
        return { results: yield* readTrends(funnel) }
      case "steps":
        if (breakdown?.kind === "cohorts") {
          return yield* stepsOfCohorts(funnel, { cohorts: breakdown.cohorts, asked })
        }
        return { results: yield* stepsOf(funnel, asked) }
    }
  },
  selection: FunnelSelection,
  actors: findActors,
  parseLookup,
}

function* stepsOf(funnel: Funnel, asked: FunnelsQuery): Plan<JsonValue> {
  const parts = yield* readSteps(funnel)
  const shown = parts.map((numbers) => {
    if (funnel.breakdown === undefined) {
      return shownSteps(funnel, numbers, { urlOf: linkTo(funnel, asked) })
    }
    const broken = { breakdown: numbers.values, breakdown_value: numbers.values }
    return shownSteps(funnel, numbers, { broken, urlOf: linkTo(funnel, asked, numbers.values) })
  })
  return funnel.breakdown === undefined ? (shown[0] ?? []) : shown
}

function* stepsOfCohorts(
  funnel: Funnel,
  { cohorts, asked }: { readonly cohorts: readonly CohortValue[]; readonly asked: FunnelsQuery },
): Plan<InsightAnswer> {
  const results: JsonValue[] = []
  for (const cohort of cohorts) {
    const broken = cohortShown(cohort, funnel.context)
    const urlOf = linkTo(funnel, asked, broken.breakdown_value)
    for (const numbers of yield* readSteps(inCohort(funnel, cohort))) {
      results.push(shownSteps(funnel, numbers, { broken, urlOf }))
    }
  }
  return { results }
}

function* trendsOfCohorts(funnel: Funnel, cohorts: readonly CohortValue[]): Plan<InsightAnswer> {
  const results: JsonValue[] = []
  for (const cohort of cohorts) {
    const { breakdown_value } = cohortShown(cohort, funnel.context)
    for (const line of yield* readTrends(inCohort(funnel, cohort))) {
      results.push({ ...(line as object), breakdown_value })
    }
  }
  return { results }
}

function cohortShown(cohort: CohortValue, context: InsightContext): ShownBreakdown {
  if (cohort === "all") return { breakdown: "all users", breakdown_value: 0 }
  const breakdown = context.cohortNames.get(cohort)
  if (breakdown === undefined) throw invalid(`There is no cohort ${cohort}.`, "breakdown")
  return { breakdown, breakdown_value: cohort }
}

/** Where those who took a step, or stopped before it, are listed. */
function linkTo(
  { context }: Funnel,
  asked: FunnelsQuery,
  values?: JsonValue,
): (step: number) => string {
  const query = JSON.stringify({ kind: "FunnelsQuery", ...asked })
  return (step) => {
    const parameters = new URLSearchParams({ funnel_step: String(step), query })
    if (values !== undefined) parameters.set("funnel_step_breakdown", JSON.stringify(values))
    return `/api/projects/${context.project_id}/persons/funnel?${parameters}`
  }
}
