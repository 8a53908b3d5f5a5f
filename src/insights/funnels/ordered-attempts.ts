/**
 * Attempts of ordered funnels. Every event of the first step begins one, and each further step is the earliest event
 * that can follow: no other choice gets further, or there sooner.
 */
import { momentOf } from "../../query/buckets.ts"
import { aggregate, call, column, lte, number, or, orFalse } from "../../query/build.ts"
import type { ClosestJoin, Expr, Select } from "../../query/tree.ts"
import { TIMESTAMP } from "../series.ts"
import { withCandidates } from "./candidates.ts"
import { endOfWindow, type Funnel, given, stepName, subquery } from "./funnel.ts"
import { latenessOf } from "./overlaps.ts"
import {
  columnsOf,
  eventsOf,
  hasValues,
  isOfStep,
  namesOf,
  ownerColumns,
  stepEvents,
  valueColumns,
  valueNames,
} from "./step-events.ts"

const ATTEMPTS = "a"
const NEXT = "n"
const MICROSECOND_SECONDS = 0.000001

/**
 * A row for each attempt: who, which values, and the moments of all steps, null for those not reached. Where only the
 * best is wanted, those that another one surely beats are left out early.
 */
export function orderedAttempts(funnel: Funnel, { onlyBest }: { onlyBest: boolean }): Select {
  return funnel.steps.slice(1).reduce((attempts, _, index) => {
    const further = withStep(attempts, funnel, index + 1)
    return onlyBest && index === 0 && funnel.steps.length > 2 ? latestStarts(further) : further
  }, startsOf(funnel))
}

/** Of the attempts that take the second step at the same moment, the one that has most time left. */
function latestStarts(attempts: Select): Select {
  const keys = namesOf(attempts).filter((name) => name !== stepName(0))
  return {
    columns: [
      ...columnsOf("l", keys),
      { as: stepName(0), expr: aggregate("max", column("l", stepName(0))) },
    ],
    from: subquery(attempts, "l"),
    groupBy: keys.map((name) => column("l", name)),
  }
}

function startsOf(funnel: Funnel): Select {
  const { breakdown } = funnel
  const values = hasValues(funnel, 0) ? valueColumns(funnel) : []
  const starts = eventsOf(funnel, isOfStep(funnel, 0), [
    ...values,
    ...ownerColumns(funnel),
    { as: stepName(0), expr: TIMESTAMP },
  ])
  const isOfLaterStep = breakdown?.attribution === "step" && breakdown.step > 0
  return isOfLaterStep ? withCandidates(starts, funnel) : starts
}

function withStep(attempts: Select, funnel: Funnel, index: number): Select {
  const at = column(NEXT, "at")
  const isInTime = lte(at, endOfWindow(funnel, column(ATTEMPTS, stepName(0))))
  return {
    columns: [
      ...columnsOf(ATTEMPTS, namesOf(attempts)),
      { as: stepName(index), expr: given(isInTime, at) },
    ],
    from: subquery(attempts, ATTEMPTS),
    joins: [nextEvent(funnel, index)],
  }
}

function nextEvent(funnel: Funnel, index: number): ClosestJoin {
  const names = ["actor_id", ...(hasValues(funnel, index) ? valueNames(funnel) : [])]
  const before = column(ATTEMPTS, stepName(index - 1))
  const place = {
    kind: "leftClosest",
    keys: names.map((name) => ({ left: column(ATTEMPTS, name), right: column(NEXT, name) })),
    ours: index === 1 ? before : orNever(before, funnel),
  } as const
  const lateness = latenessOf(funnel.steps, index)
  if (lateness.kind === "afterIfOf") {
    const events = eventsWithSince(funnel, index, lateness.steps)
    const theirs = column(NEXT, "since")
    return { ...place, source: subquery(events, NEXT), theirs, operator: ">=" }
  }
  const operator = lateness.kind === "after" ? ">" : ">="
  const source = subquery(stepEvents(funnel, index), NEXT)
  return { ...place, source, theirs: column(NEXT, "at"), operator }
}

/** Nothing follows a step that was not reached; engines would let anything follow a null. */
export function orNever(moment: Expr, { range }: Funnel): Expr {
  return call("coalesce", moment, momentOf(range.toMs + 1))
}

/**
 * Events that could have filled an earlier step count as if one moment sooner, which makes "not before" mean "after"
 * for them alone. Of those that then count as one moment the first is taken.
 */
function eventsWithSince(funnel: Funnel, index: number, earlier: readonly number[]): Select {
  const isOfEarlier = orFalse(or(...earlier.map((step) => isOfStep(funnel, step))))
  const sooner = call("addSeconds", TIMESTAMP, number(-MICROSECOND_SECONDS))
  const since = { as: "since", expr: given(isOfEarlier, sooner, TIMESTAMP) }
  const events = stepEvents(funnel, index, [since])
  const keys = namesOf(events).filter((name) => name !== "at")
  return {
    columns: [...columnsOf("s", keys), { as: "at", expr: aggregate("min", column("s", "at")) }],
    from: subquery(events, "s"),
    groupBy: keys.map((name) => column("s", name)),
  }
}
