/** The events of a funnel's steps, as attempts are made of them. */
import { and, column, or, personOfEvent, selectEvents } from "../../query/build.ts"
import type { Expr, Select, SelectColumn } from "../../query/tree.ts"
import { isOfSeries, type Series, TIMESTAMP } from "../series.ts"
import { type Funnel, valueName } from "./funnel.ts"

/** `actor_id`, the values where they tell attempts apart, the moment `at`, and what more is wanted. */
export function stepEvents(
  funnel: Funnel,
  index: number,
  more: readonly SelectColumn[] = [],
): Select {
  const values = hasValues(funnel, index) ? valueColumns(funnel) : []
  return eventsOf(funnel, isOfStep(funnel, index), [
    ...values,
    { as: "at", expr: TIMESTAMP },
    ...more,
  ])
}

/** With `actor_id` first. */
export function eventsOf(funnel: Funnel, is: Expr, columns: readonly SelectColumn[]): Select {
  return selectEvents(funnel.context.project_id, {
    columns: [{ as: "actor_id", expr: funnel.actor }, ...columns],
    where: and(is, funnel.where),
  })
}

export function isOfStep({ steps, context }: Funnel, index: number): Expr {
  const step = steps[index]
  if (step === undefined) throw new Error(`the funnel has no step ${index}`)
  return isOfSeries(step, context)
}

/** Of any of them: the names first, which engines look up fastest. */
export function isOfAny(steps: readonly Series[], { context }: Funnel): Expr {
  const conditions = steps.map((step) => isOfSeries(step, context))
  return conditions.length === 1 ? and(...conditions) : or(...conditions)
}

/** Whether attempts with different values at this step are different ones. */
export function hasValues({ breakdown }: Funnel, index: number): boolean {
  if (breakdown?.attribution === "all_events") return true
  return breakdown?.attribution === "step" && breakdown.step === index
}

/** Whether attempts carry values at all. */
export function areValued({ breakdown }: Funnel): boolean {
  return breakdown?.attribution === "all_events" || breakdown?.attribution === "step"
}

export function valueColumns({ breakdown }: Funnel): readonly SelectColumn[] {
  return (breakdown?.values ?? []).map((expr, index) => ({ as: valueName(index), expr }))
}

export function valueNames({ breakdown }: Funnel): readonly string[] {
  return (breakdown?.values ?? []).map((_, index) => valueName(index))
}

/** Where attempts are not told apart by persons, they remember whose they are. */
export function ownerColumns({ actorKind }: Funnel): readonly SelectColumn[] {
  return actorKind.kind === "expression" ? [{ as: "person_id", expr: personOfEvent }] : []
}

export const columnsOf = (source: string, names: readonly string[]): readonly SelectColumn[] =>
  names.map((name) => ({ as: name, expr: column(source, name) }))

export const namesOf = ({ columns }: Select): readonly string[] => columns.map(({ as }) => as)
