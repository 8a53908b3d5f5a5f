/**
 * Which steps one event could fill. An event that could also have filled an earlier step must come later than the
 * event of the step before it; different steps may share a moment.
 */
import { type PropertyGroup, parsePropertyFilters } from "../../query/filters/parse.ts"
import type { Series } from "../series.ts"

/** Whether every event of the second is one of the first. */
export function covers(first: Series, second: Series): boolean {
  if (!isNamed(first)) return hasAllFilters(first, second)
  return first.event === second.event && isNamed(second) && hasAllFilters(first, second)
}

/** Whether there can be an event of both. */
export function canShare(first: Series, second: Series): boolean {
  const isNameShared = !isNamed(first) || !isNamed(second) || first.event === second.event
  if (!isNameShared) return false
  const others = listFilters(second)
  return !listFilters(first).some((filter) => others.some((other) => areDisjoint(filter, other)))
}

/** Whether they want one property to have different values. */
function areDisjoint(first: Filter, second: Filter): boolean {
  if (first.kind === "group" || second.kind === "group") return false
  const isOfSame =
    first.type === second.type &&
    first.key === second.key &&
    first.group_type_index === second.group_type_index
  const areValues = [first, second].every(
    ({ operator, values }) => operator === "exact" && values.length > 0,
  )
  return isOfSame && areValues && !first.values.some((value) => second.values.includes(value))
}

/** The second has the filters of the first, and maybe more. */
function hasAllFilters(first: Series, second: Series): boolean {
  const given = new Set(listFilters(second).map((filter) => JSON.stringify(filter)))
  return listFilters(first).every((filter) => given.has(JSON.stringify(filter)))
}

const isNamed = ({ kind, event }: Series): boolean =>
  kind === "EventsNode" && typeof event === "string"

type Filter = PropertyGroup["members"][number]

/** Filters that all have to hold. */
function listFilters({ properties, fixedProperties }: Series): readonly Filter[] {
  return [properties, fixedProperties].flatMap((filters): readonly Filter[] => {
    const group = parsePropertyFilters(filters)
    return group.type === "AND" || group.members.length === 1 ? group.members : [group]
  })
}

type Lateness =
  /** At the moment of the step before, or later. */
  | { readonly kind: "notBefore" }
  /** Later than the step before. */
  | { readonly kind: "after" }
  /** Later, if the event is of one of these steps too. */
  | { readonly kind: "afterIfOf"; readonly steps: readonly number[] }

/** How much later than the step before an event of a step has to be. */
export function latenessOf(steps: readonly Series[], index: number): Lateness {
  const step = steps[index]
  const before = steps[index - 1]
  if (step === undefined || before === undefined) return { kind: "notBefore" }
  const earlier = steps.slice(0, index)
  if (covers(step, before) || earlier.some((each) => covers(each, step))) return { kind: "after" }
  const shared = earlier.flatMap((each, place) => (canShare(each, step) ? [place] : []))
  return shared.length === 0 ? { kind: "notBefore" } : { kind: "afterIfOf", steps: shared }
}
