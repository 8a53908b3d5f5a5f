/**
 * What the actors of a funnel did between its first and its last step, or are: one row for each actor and trait,
 * named as answers name it.
 */
import { isInRange } from "../../query/buckets.ts"
import {
  amongTexts,
  and,
  call,
  column,
  EVENTS,
  eq,
  groupAlias,
  gt,
  isNotNull,
  lt,
  not,
  number,
  or,
  PERSONS,
  properties,
  property,
  selectEvents,
  table,
  text,
} from "../../query/build.ts"
import type { Expr, Join, Select } from "../../query/tree.ts"
import { endOfWindow, type Funnel, stepName, subquery } from "../funnels/funnel.ts"
import { columnsOf, ownerColumns } from "../funnels/step-events.ts"
import type { StepMoments } from "../funnels/step-moments.ts"
import { TIMESTAMP } from "../series.ts"
import type { Comparison } from "./question.ts"

const ACTORS = "a"
const DONE = "d"
const PAIRS = "k"

/** Keys that nearly every event has, with values that tell nothing. */
const NOISY_KEYS = [
  "distinct_id",
  "token",
  "$ip",
  "$lib",
  "$lib_version",
  "$insert_id",
  "$time",
  "$sent_at",
  "$window_id",
  "$session_id",
  "$pageview_id",
  "$device_id",
  "$user_id",
  "$anon_distinct_id",
  "$timestamp",
  "$elements",
  "$set",
  "$set_once",
  "$unset",
  "$group_set",
]

/** `actor_id`, `is_converted` and `trait`. */
export function selectTraits(moments: StepMoments, comparison: Comparison): Select {
  switch (comparison.kind) {
    case "events":
      return eventTraits(moments, comparison.excluded)
    case "properties":
      return propertyTraits(moments, comparison)
    case "event_with_properties":
      return eventPropertyTraits(moments, comparison)
  }
}

/** Events of other names than those of the steps. */
function eventTraits(moments: StepMoments, excluded: readonly string[]): Select {
  const name = column(EVENTS, "event")
  const own = moments.funnel.steps.flatMap(({ event }) => event ?? [])
  const is = not(amongTexts(name, [...own, ...excluded]))
  return between(moments, eventsFor(moments.funnel, is, [{ as: "trait", expr: name }]))
}

/** Those who did something between the steps. */
export function traitOfEvents(moments: StepMoments, is: Expr): Select {
  return between(moments, eventsFor(moments.funnel, is, [{ as: "trait", expr: text("") }]))
}

function eventsFor(funnel: Funnel, is: Expr, columns: Select["columns"]): Select {
  return selectEvents(funnel.context.project_id, {
    columns: [{ as: "actor_id", expr: funnel.actor }, { as: "at", expr: TIMESTAMP }, ...columns],
    where: and(is, isInRange(TIMESTAMP, funnel.range)),
  })
}

/** What was done after the first step and before the last, or within the window where that was not taken. */
function between(moments: StepMoments, events: Select, more: readonly Join[] = []): Select {
  const at = column(DONE, "at")
  return {
    columns: [...actorColumns(moments), { as: "trait", expr: column(DONE, "trait") }],
    from: subquery(events, DONE),
    joins: [
      {
        kind: "inner",
        source: subquery(moments.query, ACTORS),
        on: eq(column(ACTORS, "actor_id"), column(DONE, "actor_id")),
      },
      ...more,
    ],
    where: and(gt(at, column(ACTORS, stepName(0))), lt(at, endOf(moments))),
  }
}

function endOf({ funnel }: StepMoments): Expr {
  const last = column(ACTORS, stepName(funnel.steps.length - 1))
  return call("coalesce", last, endOfWindow(funnel, column(ACTORS, stepName(0))))
}

/** `actor_id`, whose it is where that is another, and `is_converted`. */
export function actorColumns({ funnel }: StepMoments): Select["columns"] {
  const last = column(ACTORS, stepName(funnel.steps.length - 1))
  return [
    { as: "actor_id", expr: column(ACTORS, "actor_id") },
    ...columnsOf(
      ACTORS,
      ownerColumns(funnel).map(({ as }) => as),
    ),
    { as: "is_converted", expr: isNotNull(last) },
  ]
}

/** Names and values of properties are joined by two colons. */
const pairText = (...parts: readonly Expr[]): Expr =>
  call("concat", ...parts.flatMap((part, index) => (index === 0 ? [part] : [text("::"), part])))

/** A JSON value as text: strings as they are. */
const valueText = (json: Expr): Expr => call("coalesce", call("jsonString", json), json)

function propertyTraits(
  moments: StepMoments,
  { keys, excluded }: Extract<Comparison, { kind: "properties" }>,
): Select {
  const { owner, join } = ownersOf(moments.funnel)
  const [key, value] = [column(PAIRS, "key"), column(PAIRS, "value")]
  const all = properties(owner.table, owner.of)
  const pairs: Join =
    keys === undefined
      ? {
          kind: "arrays",
          alias: PAIRS,
          items: [{ as: "key", expr: call("jsonKeys", call("coalesce", all, text("{}"))) }],
        }
      : {
          kind: "arrays",
          alias: PAIRS,
          items: [
            { as: "key", expr: { kind: "array", items: keys.map(text) } },
            {
              as: "value",
              expr: {
                kind: "array",
                items: keys.map((each) =>
                  call("coalesce", property({ ...owner, key: each }), text("")),
                ),
              },
            },
          ],
        }
  const found = valueText(call("jsonAt", all, key))
  const isThere = keys === undefined ? [not(or(eq(found, text("")), eq(found, text("null"))))] : []
  return {
    columns: [
      ...actorColumns(moments),
      { as: "trait", expr: pairText(key, keys === undefined ? found : value) },
    ],
    from: subquery(moments.query, ACTORS),
    joins: [join, pairs],
    where: and(not(amongTexts(key, excluded)), ...isThere),
  }
}

/** The persons or groups that the actors are. */
export function ownersOf({ actorKind, context }: Funnel) {
  const isGroup = actorKind.kind === "group"
  const owner = isGroup
    ? ({ table: groupAlias(actorKind.index), of: "group" } as const)
    : ({ table: PERSONS, of: "person" } as const)
  const { project_id } = context
  const id = column(ACTORS, actorKind.kind === "expression" ? "person_id" : "actor_id")
  const on = isGroup
    ? and(
        eq(column(owner.table, "group_key"), id),
        eq(column(owner.table, "group_type_index"), number(actorKind.index)),
      )
    : eq(column(PERSONS, "uuid"), id)
  const join: Join = {
    kind: "left",
    source: table(isGroup ? "groups" : "persons", owner.table, project_id),
    on,
  }
  return { owner, join }
}

function eventPropertyTraits(
  moments: StepMoments,
  { events, excluded }: Extract<Comparison, { kind: "event_with_properties" }>,
): Select {
  const name = column(EVENTS, "event")
  const done = eventsFor(moments.funnel, amongTexts(name, events), [
    { as: "event", expr: name },
    { as: "properties", expr: properties(EVENTS, "event") },
  ])
  const key = column(PAIRS, "key")
  const all = column(DONE, "properties")
  const value = valueText(call("jsonAt", all, key))
  const traits = between(moments, done, [
    { kind: "arrays", alias: PAIRS, items: [{ as: "key", expr: call("jsonKeys", all) }] },
  ])
  return {
    ...traits,
    columns: traits.columns.map(({ as, expr }) =>
      as === "trait" ? { as, expr: pairText(column(DONE, "event"), key, value) } : { as, expr },
    ),
    where: and(traits.where ?? and(), not(amongTexts(key, [...NOISY_KEYS, ...excluded]))),
  }
}
