/**
 * Attempts of strict funnels: each step is the very next event of the actor, of any name. Events of one moment are
 * taken in the order of the steps they can fill; those alike count once, and those that fill no step do not stand
 * between others of their moment.
 */
import {
  and,
  call,
  column,
  eq,
  gt,
  lte,
  not,
  number,
  or,
  orFalse,
  text,
} from "../../query/build.ts"
import type { Expr, OrderBy, Select, SelectColumn, WindowExpr } from "../../query/tree.ts"
import { TIMESTAMP } from "../series.ts"
import { endOfWindow, type Funnel, given, stepName, subquery } from "./funnel.ts"
import { latenessOf } from "./overlaps.ts"
import {
  areValued,
  columnsOf,
  eventsOf,
  isOfStep,
  namesOf,
  ownerColumns,
  valueColumns,
  valueNames,
} from "./step-events.ts"

const EVENT = "v"
const flagName = (index: number): string => `is_${index}`
const aheadName = (index: number): string => `ahead_${index}`
const isAheadName = (index: number): string => `is_ahead_${index}`
const isLaterName = (index: number): string => `is_later_${index}`

export function strictAttempts(funnel: Funnel): Select {
  return attemptsFrom(withEventsAhead(distinctEvents(allEvents(funnel), funnel), funnel), funnel)
}

/** All events of the range, each with the steps that it can fill. */
function allEvents(funnel: Funnel): Select {
  const flags = funnel.steps.map((_, index) => orFalse(isOfStep(funnel, index)))
  const events = eventsOf(funnel, and(), [
    ...(areValued(funnel) ? valueColumns(funnel) : []),
    ...ownerColumns(funnel),
    { as: "at", expr: TIMESTAMP },
    ...flags.map((expr, index) => ({ as: flagName(index), expr })),
  ])
  const isOf = flags.map((_, index) => column(EVENT, flagName(index)))
  return {
    columns: [
      ...columnsOf(EVENT, namesOf(events)),
      { as: "first", expr: firstOf(isOf) },
      { as: "fills", expr: sumOf(isOf) },
    ],
    from: subquery(events, EVENT),
  }
}

/** The first step that an event can fill; after all others, what fills none. */
function firstOf(isOf: readonly Expr[]): Expr {
  return {
    kind: "case",
    branches: isOf.map((when, index) => ({ when, result: number(index) })),
    otherwise: number(isOf.length),
  }
}

/** A number that is the same for events that fill the same steps. */
function sumOf(isOf: readonly Expr[]): Expr {
  return isOf
    .map((when, index) => given(when, number(2 ** index), number(0)))
    .reduce((left, right) => ({ kind: "arithmetic", operator: "+", left, right }))
}

function distinctEvents(events: Select, funnel: Funnel): Select {
  const before = (name: string) =>
    over(funnel, { kind: "windowCall", name: "lag", args: [column(EVENT, name)] })
  const marked: Select = {
    columns: [
      ...columnsOf(EVENT, namesOf(events)),
      { as: "at_before", expr: before("at") },
      { as: "fills_before", expr: before("fills") },
    ],
    from: subquery(events, EVENT),
  }
  const fills = column(EVENT, "fills")
  const isNeedless = and(
    eq(column(EVENT, "at_before"), column(EVENT, "at")),
    or(eq(fills, number(0)), eq(fills, column(EVENT, "fills_before"))),
  )
  return {
    columns: columnsOf(EVENT, namesOf(events)),
    from: subquery(marked, EVENT),
    where: not(orFalse(isNeedless)),
  }
}

function withEventsAhead(events: Select, funnel: Funnel): Select {
  const ahead = (expr: Expr, index: number) =>
    over(funnel, { kind: "windowCall", name: "lead", args: [expr, number(index)] })
  const columns = funnel.steps.flatMap((_, index): readonly SelectColumn[] => {
    if (index === 0) return []
    const lateness = latenessOf(funnel.steps, index)
    const earlier = lateness.kind === "afterIfOf" ? lateness.steps : []
    const isOfEarlier = or(...earlier.map((step) => column(EVENT, flagName(step))))
    return [
      { as: aheadName(index), expr: ahead(column(EVENT, "at"), index) },
      { as: isAheadName(index), expr: ahead(column(EVENT, flagName(index)), index) },
      ...(earlier.length === 0
        ? []
        : [{ as: isLaterName(index), expr: ahead(isOfEarlier, index) }]),
    ]
  })
  const { breakdown } = funnel
  const values =
    breakdown?.attribution === "step" && breakdown.step > 0
      ? valueNames(funnel).map((name) => ({
          as: `${name}_ahead`,
          expr: ahead(column(EVENT, name), breakdown.step),
        }))
      : []
  return {
    columns: [...columnsOf(EVENT, namesOf(events)), ...columns, ...values],
    from: subquery(events, EVENT),
  }
}

function over(funnel: Funnel, of: WindowExpr["of"]): Expr {
  const isValued = funnel.breakdown?.attribution === "all_events"
  const keys = ["actor_id", ...(isValued ? valueNames(funnel) : [])]
  const order = ["at", "first", "fills"]
  return {
    kind: "window",
    of,
    partitionBy: keys.map((name) => column(EVENT, name)),
    orderBy: order.map(
      (name): OrderBy => ({ expr: column(EVENT, name), direction: "asc", nulls: "last" }),
    ),
  }
}

/** Step after step, as long as what comes next is of the next step and in time. */
function attemptsFrom(events: Select, funnel: Funnel): Select {
  const { steps } = funnel
  const isTaken: Expr[] = []
  const moments = steps.map((_, index): SelectColumn => {
    const at = column(EVENT, index === 0 ? "at" : aheadName(index))
    if (index > 0) isTaken.push(isNextStep(funnel, index))
    return { as: stepName(index), expr: index === 0 ? at : given(and(...isTaken), at) }
  })
  const isAhead = funnel.breakdown?.attribution === "step" && funnel.breakdown.step > 0
  const values = (areValued(funnel) ? valueNames(funnel) : []).map((name) => ({
    as: name,
    expr: call("coalesce", column(EVENT, isAhead ? `${name}_ahead` : name), text("")),
  }))
  return {
    columns: [
      { as: "actor_id", expr: column(EVENT, "actor_id") },
      ...values,
      ...columnsOf(
        EVENT,
        ownerColumns(funnel).map(({ as }) => as),
      ),
      ...moments,
    ],
    from: subquery(events, EVENT),
    where: column(EVENT, flagName(0)),
  }
}

function isNextStep(funnel: Funnel, index: number): Expr {
  const at = column(EVENT, aheadName(index))
  const isLater = gt(at, column(EVENT, index === 1 ? "at" : aheadName(index - 1)))
  const lateness = latenessOf(funnel.steps, index)
  const isLateEnough = {
    notBefore: and(),
    after: isLater,
    afterIfOf: or(not(column(EVENT, isLaterName(index))), isLater),
  }[lateness.kind]
  const isInTime = lte(at, endOfWindow(funnel, column(EVENT, "at")))
  return orFalse(and(column(EVENT, isAheadName(index)), isInTime, isLateEnough))
}
