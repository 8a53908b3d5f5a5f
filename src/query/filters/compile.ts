/**
 * Property filters as an expression over the sources that `build.ts` names: events with what
 * `eventsReading` joins to them, or the table of persons.
 */
import { invalid } from "../../lib/errors.ts"
import {
  amongUuids,
  and,
  boolean,
  column,
  EVENTS,
  groupAlias,
  not,
  or,
  orFalse,
  PERSONS,
  type PropertyPlace,
  personOfEvent,
  property,
} from "../build.ts"
import type { Expr } from "../tree.ts"
import { isAggregating } from "../walk.ts"
import { compileCohortCondition } from "./cohort-conditions.ts"
import { compileCondition } from "./conditions.ts"
import { compileElementCondition } from "./element-conditions.ts"
import type { ConditionSettings } from "./operators.ts"
import type { FilterType, PropertyFilter, PropertyGroup } from "./parse.ts"
import { sessionValue } from "./session-values.ts"

export interface FilterContext extends ConditionSettings {
  readonly project_id: number
  /** What is listed. */
  readonly target: "events" | "persons"
  /** The uuids of the persons of `listDistinctIdKeys`; ids that nobody has are left out. */
  readonly personsByDistinctId: ReadonlyMap<string, string>
  /** Compiles a condition in the query language, over the same sources. */
  readonly compileCondition?: (text: string, target: "events" | "persons") => Expr
}

export function compileFilters(group: PropertyGroup, context: FilterContext): Expr {
  const members = group.members.map((member) =>
    member.kind === "group" ? compileFilters(member, context) : compileFilter(member, context),
  )
  if (members.length === 0) return boolean(true)
  return group.type === "AND" ? and(...members) : or(...members)
}

/** Distinct ids whose persons must be known before these filters can be compiled. */
export function listDistinctIdKeys(group: PropertyGroup): readonly string[] {
  return [
    ...new Set(
      listFilters(group)
        .filter(isByDistinctId)
        .flatMap(({ values }) => values),
    ),
  ]
}

type Compile = (filter: PropertyFilter, context: FilterContext) => Expr

/** What each type of filter reads. */
const COMPILERS: Readonly<Record<FilterType, Compile>> = {
  event: (filter, context) =>
    ofEvents(filter, context, { table: EVENTS, of: "event", key: filter.key }),
  feature: (filter, context) =>
    ofEvents(filter, context, { table: EVENTS, of: "event", key: `$feature/${filter.key}` }),
  group: (filter, context) => {
    const alias = groupAlias(filter.group_type_index ?? 0)
    return ofEvents(filter, context, { table: alias, of: "group", key: filter.key })
  },
  person: (filter, context) =>
    isByDistinctId(filter)
      ? byDistinctId(filter, context)
      : conditionOn({ table: PERSONS, of: "person", key: filter.key }, filter, context),
  element: (filter, context) => {
    requireEvents(filter, context)
    return compileElementCondition(filter)
  },
  cohort: ofCohort,
  "static-cohort": ofCohort,
  "precalculated-cohort": ofCohort,
  session: (filter, context) => {
    requireEvents(filter, context)
    const { operator, values } = filter
    const stored = sessionValue(filter.key, context.timezone)
    return compileCondition({ stored, operator, values, settings: context })
  },
  hogql: (filter, context) => {
    if (context.compileCondition === undefined) return notAvailable(filter)
    const expr = context.compileCondition(filter.key, context.target)
    if (isAggregating(expr)) {
      throw invalid(
        `The filter "${filter.key}" holds an aggregation; filters look at one row.`,
        "properties",
      )
    }
    return orFalse(expr)
  },
}

function compileFilter(filter: PropertyFilter, context: FilterContext): Expr {
  return COMPILERS[filter.type](filter, context)
}

function ofEvents(filter: PropertyFilter, context: FilterContext, place: PropertyPlace): Expr {
  requireEvents(filter, context)
  return conditionOn(place, filter, context)
}

function conditionOn(place: PropertyPlace, filter: PropertyFilter, settings: FilterContext): Expr {
  const { operator, values } = filter
  const stored = { text: property(place), number: property(place, "number") }
  return compileCondition({ stored, operator, values, settings })
}

function requireEvents({ type, key }: PropertyFilter, { target }: FilterContext): void {
  if (target === "events") return
  throw invalid(
    `Persons cannot be filtered by "${key}", which is of type ${type}: use type person.`,
    "properties",
  )
}

function isByDistinctId({ type, key }: PropertyFilter): boolean {
  return type === "person" && key === "distinct_id"
}

/** In any of them, or in none. */
function ofCohort({ operator, values }: PropertyFilter, context: FilterContext): Expr {
  const { project_id } = context
  const person = personIn(context)
  const isNegated = operator === "not_in"
  const conditions = values.map((id) =>
    compileCohortCondition({ person, project_id, cohort_id: Number(id), isNegated }),
  )
  return isNegated ? and(...conditions) : or(...conditions)
}

function personIn({ target }: FilterContext): Expr {
  return target === "persons" ? column(PERSONS, "uuid") : personOfEvent
}

function byDistinctId({ operator, values }: PropertyFilter, context: FilterContext): Expr {
  const person = personIn(context)
  const uuids = values.flatMap((id) => context.personsByDistinctId.get(id) ?? [])
  switch (operator) {
    case "exact":
    case "in":
      return amongUuids(person, uuids)
    case "is_not":
    case "not_in":
      return not(amongUuids(person, uuids))
    case "is_set":
      return boolean(true)
    case "is_not_set":
      return boolean(false)
    default:
      throw invalid(
        `The distinct_id of persons can be filtered by exact, is_not and is_set, not by ${operator}.`,
        "properties",
      )
  }
}

function notAvailable({ type }: PropertyFilter): never {
  throw invalid(`Filters of type ${type} are not available yet.`, "properties")
}

function listFilters(group: PropertyGroup): readonly PropertyFilter[] {
  return group.members.flatMap((member) =>
    member.kind === "group" ? listFilters(member) : [member],
  )
}
