/**
 * How far each attempt got, and whether an excluded event spoilt it: one between two of its steps, or, where the
 * later one was not reached, within the window after the earlier one. A spoilt attempt ends with its next step.
 */
import { and, call, column, isNotNull, isNull, lt, lte, number, or } from "../../query/build.ts"
import type { Expr, Select } from "../../query/tree.ts"
import { isOfSeries, TIMESTAMP } from "../series.ts"
import { endOfWindow, type Funnel, given, stepName, subquery } from "./funnel.ts"
import { orNever } from "./ordered-attempts.ts"
import type { Exclusion } from "./question.ts"
import { columnsOf, eventsOf, namesOf, valueColumns, valueNames } from "./step-events.ts"

const ATTEMPTS = "a"
const EXCLUDED = "x"
const spoiltName = (index: number): string => `spoilt_${index}`

/** The attempts with `steps`, the number of steps taken, and `is_spoilt` where there are exclusions. */
export function judged(attempts: Select, funnel: Funnel): Select {
  const { steps, exclusions } = funnel
  if (!hasSpoilt(funnel)) {
    const taken = takenUntil(steps.length, (moment) => isNotNull(moment))
    return {
      columns: [...columnsOf(ATTEMPTS, namesOf(attempts)), { as: "steps", expr: taken }],
      from: subquery(attempts, ATTEMPTS),
    }
  }
  const marked = exclusions.reduce(
    (query, exclusion, index) => withSpoilt(query, funnel, { exclusion, index }),
    attempts,
  )
  const spoilt = exclusions.map((_, index) => column(ATTEMPTS, spoiltName(index)))
  const taken = takenUntil(steps.length, (moment) => isNotNull(moment))
  const ends = spoilt.map((at) => given(isNotNull(at), endOf(at, steps.length), taken))
  return {
    columns: [
      ...columnsOf(ATTEMPTS, namesOf(attempts)),
      { as: "steps", expr: call("least", taken, ...ends) },
      { as: "is_spoilt", expr: or(...spoilt.map(isNotNull)) },
    ],
    from: subquery(marked, ATTEMPTS),
  }
}

/** Funnels of any order just leave out what comes after an excluded event. */
export const hasSpoilt = ({ order, exclusions }: Funnel): boolean =>
  order !== "unordered" && exclusions.length > 0

/** One step after those taken before the excluded event. */
function endOf(at: Expr, count: number): Expr {
  const before = takenUntil(count, (moment) => and(isNotNull(moment), lte(moment, at)))
  return { kind: "arithmetic", operator: "+", left: before, right: number(1) }
}

/** How many of the first steps are so; the first always is. */
function takenUntil(count: number, isSo: (moment: Expr) => Expr): Expr {
  const later = Array.from({ length: count - 1 }, (_, index) => count - 1 - index)
  return {
    kind: "case",
    branches: later.map((index) => ({
      when: isSo(column(ATTEMPTS, stepName(index))),
      result: number(index + 1),
    })),
    otherwise: number(1),
  }
}

interface Placed {
  readonly exclusion: Exclusion
  readonly index: number
}

/** The moment of the first excluded event that spoils the attempt, or null. */
function withSpoilt(attempts: Select, funnel: Funnel, { exclusion, index }: Placed): Select {
  const { from, to } = exclusion
  const at = column(EXCLUDED, "at")
  const end = column(ATTEMPTS, stepName(to))
  const isInTime = lte(at, endOfWindow(funnel, column(ATTEMPTS, stepName(0))))
  const isBetween = or(isNull(end), lt(at, end))
  return {
    columns: [
      ...columnsOf(ATTEMPTS, namesOf(attempts)),
      { as: spoiltName(index), expr: given(and(isInTime, isBetween), at) },
    ],
    from: subquery(attempts, ATTEMPTS),
    joins: [firstExcluded(funnel, [exclusion], stepName(from))],
  }
}

/** The first excluded event after a step of the attempts, which are called `a`. */
export function firstExcluded(funnel: Funnel, exclusions: readonly Exclusion[], after: string) {
  const isValued = funnel.breakdown?.attribution === "all_events"
  const names = ["actor_id", ...(isValued ? valueNames(funnel) : [])]
  const is = or(...exclusions.map(({ series }) => isOfSeries(series, funnel.context)))
  const events = eventsOf(funnel, is, [
    ...(isValued ? valueColumns(funnel) : []),
    { as: "at", expr: TIMESTAMP },
  ])
  return {
    kind: "leftClosest",
    source: subquery(events, EXCLUDED),
    keys: names.map((name) => ({ left: column(ATTEMPTS, name), right: column(EXCLUDED, name) })),
    theirs: column(EXCLUDED, "at"),
    operator: ">",
    ours: orNever(column(ATTEMPTS, after), funnel),
  } as const
}
