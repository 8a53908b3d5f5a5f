/**
 * Steps that one event could fill, for funnels of any order: equal steps are one class, and classes that can share
 * events are one family. Of a family, how many steps can be taken follows from how many events each set of its
 * classes has: c of its g steps are taken once every set of classes with s steps has s - g + c different events.
 */
import { invalid } from "../../lib/errors.ts"
import type { Series } from "../series.ts"
import { canShare, covers } from "./overlaps.ts"

/** The sets double with each class, and each set is looked up. */
const FAMILY_CLASSES_MAX = 5

/** Steps, by their places, that the same events fill. */
interface StepClass {
  readonly steps: readonly number[]
  readonly series: Series
}

/** `needs[c - 1]`: the sets that must have so many events before c steps of the family are taken. */
export interface Family {
  readonly needs: readonly (readonly Need[])[]
}

export interface Need {
  readonly classes: readonly StepClass[]
  readonly events: number
}

/** `apart`: a step of which only some events count, so that it shares none with others. */
export function listFamilies(steps: readonly Series[], apart?: number): readonly Family[] {
  const classes = listClasses(steps, apart)
  const families: StepClass[][] = []
  for (const each of classes) {
    const isApart = apart !== undefined && each.steps.includes(apart)
    const related = isApart ? [] : families.filter((family) => isRelated(family, each, apart))
    for (const family of related) families.splice(families.indexOf(family), 1)
    families.push([...related.flat(), each])
  }
  if (families.some(({ length }) => length > FAMILY_CLASSES_MAX)) {
    throw invalid(
      `In a funnel of any order at most ${FAMILY_CLASSES_MAX} different steps can be ones that the same event ` +
        "could fill: give them different events, or an order.",
      "series",
    )
  }
  return families.map(familyOf)
}

function listClasses(steps: readonly Series[], apart: number | undefined): readonly StepClass[] {
  const classes: { steps: number[]; series: Series }[] = []
  for (const [index, series] of steps.entries()) {
    const same = classes.find(
      (each) =>
        index !== apart &&
        !each.steps.includes(apart ?? -1) &&
        covers(each.series, series) &&
        covers(series, each.series),
    )
    if (same === undefined) classes.push({ steps: [index], series })
    else same.steps.push(index)
  }
  return classes
}

function isRelated(family: readonly StepClass[], one: StepClass, apart: number | undefined) {
  return family.some(
    (each) => !each.steps.includes(apart ?? -1) && canShare(each.series, one.series),
  )
}

function familyOf(classes: readonly StepClass[]): Family {
  const count = countSteps(classes)
  const sets = listSets(classes)
  return {
    needs: Array.from({ length: count }, (_, index) =>
      sets
        .map((set) => ({ classes: set, events: countSteps(set) - count + index + 1 }))
        .filter(({ events }) => events > 0),
    ),
  }
}

const countSteps = (classes: readonly StepClass[]): number =>
  classes.reduce((sum, { steps }) => sum + steps.length, 0)

/** All sets but the empty one. */
function listSets(classes: readonly StepClass[]): readonly (readonly StepClass[])[] {
  const sets: (readonly StepClass[])[] = []
  for (const each of classes) sets.push(...sets.map((set) => [...set, each]), [each])
  return sets
}
