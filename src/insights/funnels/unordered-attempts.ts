/**
 * Attempts of funnels whose steps may come in any order. Every event of any step begins one; a further step is taken
 * when the events from there on suffice for it, each filling one step only. What comes after an excluded event is
 * left out.
 */
import { momentOf } from "../../query/buckets.ts"
import { aggregate, and, asc, call, column, isNotNull, lt, lte, number } from "../../query/build.ts"
import type { Expr, Select, SelectColumn } from "../../query/tree.ts"
import { TIMESTAMP } from "../series.ts"
import { withCandidates } from "./candidates.ts"
import { firstExcluded } from "./exclusions.ts"
import { endOfWindow, type Funnel, given, stepName, subquery } from "./funnel.ts"
import { type Family, listFamilies, type Need } from "./step-classes.ts"
import {
  columnsOf,
  eventsOf,
  isOfAny,
  namesOf,
  ownerColumns,
  valueColumns,
  valueNames,
} from "./step-events.ts"

const ATTEMPTS = "a"
const NEXT = "n"

/** The events of a set of classes that attempts look ahead to. */
interface Lookout {
  readonly need: Need
  readonly name: string
}

export function unorderedAttempts(funnel: Funnel): Select {
  const { breakdown } = funnel
  const apart = breakdown?.attribution === "step" ? breakdown.step : undefined
  const families = listFamilies(funnel.steps, apart)
  const lookouts = listLookouts(families)
  const ahead = [...lookouts.values()].reduce(
    (attempts, lookout) => withNextEvents(attempts, funnel, lookout),
    startsOf(funnel),
  )
  return withSortedSteps(withExcluded(ahead, funnel), funnel, momentsOf(families, lookouts, funnel))
}

function startsOf(funnel: Funnel): Select {
  const isValued = funnel.breakdown?.attribution === "all_events"
  const starts = eventsOf(funnel, isOfAny(funnel.steps, funnel), [
    ...(isValued ? valueColumns(funnel) : []),
    ...ownerColumns(funnel),
    { as: "start", expr: TIMESTAMP },
  ])
  return funnel.breakdown?.attribution === "step" ? withCandidates(starts, funnel) : starts
}

/** One for each set of classes, for as many events as are needed of it at most. */
function listLookouts(families: readonly Family[]): ReadonlyMap<string, Lookout> {
  const lookouts = new Map<string, Lookout>()
  for (const need of families.flatMap(({ needs }) => needs.flat())) {
    const key = keyOf(need)
    const known = lookouts.get(key)
    const name = known?.name ?? `set_${lookouts.size}`
    if ((known?.need.events ?? 0) < need.events) lookouts.set(key, { need, name })
  }
  return lookouts
}

const keyOf = ({ classes }: Need): string => classes.map(({ steps }) => steps.join("+")).join(",")

const aheadName = (name: string, event: number): string => `${name}_${event}`

/** The moments of the next events of a set, the start's own included. */
function withNextEvents(attempts: Select, funnel: Funnel, { need, name }: Lookout): Select {
  const keys = ["actor_id", ...keyValues(funnel, need)]
  const places = Array.from({ length: need.events }, (_, index) => index + 1)
  return {
    columns: [
      ...columnsOf(ATTEMPTS, namesOf(attempts)),
      ...places.map((place) => ({
        as: aheadName(name, place),
        expr: column(NEXT, place === 1 ? "at" : `at_${place}`),
      })),
    ],
    from: subquery(attempts, ATTEMPTS),
    joins: [
      {
        kind: "leftClosest",
        source: subquery(eventsOfSet(funnel, { need, keys }), NEXT),
        keys: keys.map((key) => ({ left: column(ATTEMPTS, key), right: column(NEXT, key) })),
        theirs: column(NEXT, "at"),
        operator: ">=",
        ours: column(ATTEMPTS, "start"),
      },
    ],
  }
}

/** The set of the step whose value counts, and all sets where the value of every event does. */
function keyValues(funnel: Funnel, { classes }: Need): readonly string[] {
  const { breakdown } = funnel
  if (breakdown?.attribution === "all_events") return valueNames(funnel)
  const isOfStep =
    breakdown?.attribution === "step" && classes.some(({ steps }) => steps.includes(breakdown.step))
  return isOfStep ? valueNames(funnel) : []
}

/** Each moment with those of the events after it; of events at the same moment, as the first of them sees it. */
function eventsOfSet(
  funnel: Funnel,
  { need, keys }: { readonly need: Need; readonly keys: readonly string[] },
): Select {
  const is = isOfAny(
    need.classes.map(({ series }) => series),
    funnel,
  )
  const values = keys.length > 1 ? valueColumns(funnel) : []
  const events = eventsOf(funnel, is, [...values, { as: "at", expr: TIMESTAMP }])
  if (need.events === 1) return events
  const places = Array.from({ length: need.events - 1 }, (_, index) => index + 2)
  const followed: Select = {
    columns: [
      ...columnsOf("s", [...keys, "at"]),
      ...places.map((place) => ({ as: `at_${place}`, expr: laterMoment(keys, place - 1) })),
    ],
    from: subquery(events, "s"),
  }
  return {
    columns: [
      ...columnsOf("s", [...keys, "at"]),
      ...places.map((place) => ({
        as: `at_${place}`,
        expr: aggregate("min", column("s", `at_${place}`)),
      })),
    ],
    from: subquery(followed, "s"),
    groupBy: [...keys, "at"].map((name) => column("s", name)),
  }
}

const laterMoment = (keys: readonly string[], count: number): Expr => ({
  kind: "window",
  of: { kind: "windowCall", name: "lead", args: [column("s", "at"), number(count)] },
  partitionBy: keys.map((key) => column("s", key)),
  orderBy: [asc(column("s", "at"))],
})

function withExcluded(attempts: Select, funnel: Funnel): Select {
  if (funnel.exclusions.length === 0) return attempts
  return {
    columns: [
      ...columnsOf(ATTEMPTS, namesOf(attempts)),
      { as: "excluded_at", expr: column("x", "at") },
    ],
    from: subquery(attempts, ATTEMPTS),
    joins: [firstExcluded(funnel, funnel.exclusions, "start")],
  }
}

/** When each step of each family is taken, in no order; null if it is not. */
function momentsOf(
  families: readonly Family[],
  lookouts: ReadonlyMap<string, Lookout>,
  funnel: Funnel,
): readonly Expr[] {
  const never = momentOf(funnel.range.toMs + 1)
  const isBeforeExcluded = (moment: Expr) =>
    funnel.exclusions.length === 0
      ? []
      : [lte(moment, call("coalesce", column(ATTEMPTS, "excluded_at"), never))]
  return families.flatMap(({ needs }) =>
    needs.map((sets) => {
      const moments = sets.map((need) => {
        const name = aheadName(lookouts.get(keyOf(need))?.name ?? "", need.events)
        return call("coalesce", column(ATTEMPTS, name), never)
      })
      const [only, ...others] = moments
      const moment = only !== undefined && others.length === 0 ? only : call("greatest", ...moments)
      const isInTime = lte(moment, endOfWindow(funnel, column(ATTEMPTS, "start")))
      return given(and(lt(moment, never), isInTime, ...isBeforeExcluded(moment)), moment)
    }),
  )
}

function withSortedSteps(attempts: Select, funnel: Funnel, moments: readonly Expr[]): Select {
  const carried = namesOf(attempts).filter(
    (name) => name === "actor_id" || name === "person_id" || name.startsWith("value_"),
  )
  const sorted: Select = {
    columns: [
      ...columnsOf(ATTEMPTS, carried),
      { as: "moments", expr: call("arraySort", { kind: "array", items: moments }) },
    ],
    from: subquery(attempts, ATTEMPTS),
  }
  const steps = funnel.steps.map(
    (_, index): SelectColumn => ({
      as: stepName(index),
      expr: call("arrayElement", column(ATTEMPTS, "moments"), number(index + 1)),
    }),
  )
  return {
    columns: [...columnsOf(ATTEMPTS, carried), ...steps],
    from: subquery(sorted, ATTEMPTS),
    where: isNotNull(call("arrayElement", column(ATTEMPTS, "moments"), number(1))),
  }
}
