/** Which value each attempt or actor counts for, and what stands for the values past the limit. */
import { aggregate, aggregateIf, and, call, column, eq, not, or, text } from "../../query/build.ts"
import type { Expr, Select } from "../../query/tree.ts"
import { TIMESTAMP } from "../series.ts"
import { type Funnel, given, subquery } from "./funnel.ts"
import {
  areValued,
  columnsOf,
  eventsOf,
  isOfAny,
  namesOf,
  valueColumns,
  valueNames,
} from "./step-events.ts"

/** The values that are shown; all others are one. */
export type ShownValues = readonly (readonly string[])[]

const ROWS = "r"
const TOUCHED = "f"

/** Attempts whose values past the limit are "" and `is_other`. */
export function withShownValues(rows: Select, funnel: Funnel, shown: ShownValues): Select {
  const names = valueNames(funnel)
  const isShown = or(
    ...shown.map((values) =>
      and(...names.map((name, index) => eq(column(ROWS, name), text(values[index] ?? "")))),
    ),
  )
  const others = namesOf(rows).filter((name) => !names.includes(name))
  return {
    columns: [
      ...columnsOf(ROWS, others),
      ...names.map((name) => ({ as: name, expr: given(isShown, column(ROWS, name), text("")) })),
      { as: "is_other", expr: not(isShown) },
    ],
    from: subquery(rows, ROWS),
  }
}

/** Actors with the first or the last value that they had at any step. */
export function withTouchedValues(actors: Select, funnel: Funnel): Select {
  const touched = column(TOUCHED, "touched")
  const names = valueNames(funnel)
  return {
    columns: [
      ...columnsOf(ROWS, namesOf(actors)),
      ...names.map((name, index) => ({
        as: name,
        expr: call("coalesce", { kind: "tupleItem", tuple: touched, index: index + 1 }, text("")),
      })),
    ],
    from: subquery(actors, ROWS),
    joins: [
      {
        kind: "left",
        source: subquery(touchedValues(funnel), TOUCHED),
        on: eq(column(TOUCHED, "actor_id"), column(ROWS, "actor_id")),
      },
    ],
  }
}

function touchedValues(funnel: Funnel): Select {
  const events = eventsOf(funnel, isOfAny(funnel.steps, funnel), [
    ...valueColumns(funnel),
    { as: "at", expr: TIMESTAMP },
  ])
  const values = valueNames(funnel).map((name) => column("e", name))
  const isLast = funnel.breakdown?.attribution === "last_touch"
  const tuple = (items: readonly Expr[]): Expr => ({ kind: "tuple", items })
  // Of values at the same moment the smallest (last: the largest) counts, so that all engines agree.
  const chosen = aggregate(
    isLast ? "argMax" : "argMin",
    tuple(values),
    tuple([column("e", "at"), ...values]),
  )
  const isAny = or(...values.map((value) => not(eq(value, text("")))))
  return {
    columns: [
      { as: "actor_id", expr: column("e", "actor_id") },
      { as: "touched", expr: aggregateIf(chosen, isAny) },
    ],
    from: subquery(events, "e"),
    groupBy: [column("e", "actor_id")],
  }
}

/** Whether values are found out by actor, after the attempts. */
export const areTouched = (funnel: Funnel): boolean =>
  funnel.breakdown !== undefined && !areValued(funnel)
