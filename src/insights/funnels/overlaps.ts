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
  return !isNamed(first) || !isNamed(second) || first.event === second.event
}

/** The second has the filters of the first, and maybe more. */
function hasAllFilters(first: Series, second: Series): boolean {
  const wanted = listFilters(first)
  const given = new Set(listFilters(second))
  return wanted.every((filter) => given.has(filter))
}

const isNamed = ({ kind, event }: Series): boolean =>
  kind === "EventsNode" && typeof event === "string"

/** Filters that all have to hold, each as a text that is the same for the same filter. */
function listFilters({ properties, fixedProperties }: Series): readonly string[] {
  return [properties, fixedProperties].flatMap((filters) => {
    const group = parsePropertyFilters(filters)
    return group.type === "AND" || group.members.length === 1
      ? group.members.map((member) => JSON.stringify(member))
      : [JSON.stringify(group satisfies PropertyGroup)]
  })
}

export type Lateness =
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
