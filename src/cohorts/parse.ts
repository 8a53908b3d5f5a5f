/**
 * Filters of a dynamic cohort as callers write them: {"properties": {"type": "AND", "values": […]}}, where a
 * value is a condition or another group. Nothing is guessed: what has no clear meaning is refused.
 */
import { type DomainError, invalid } from "../lib/errors.ts"
import { isJsonObject, type JsonObject } from "../lib/json.ts"
import { isOperator } from "../query/filters/operators.ts"
import type { PropertyFilter } from "../query/filters/parse.ts"
import type { CohortCondition, CohortGroup, CohortMember } from "./definition.ts"
import { parseBehavioral } from "./parse-behavioral.ts"
import { parseEventFilters, parseFlag, parseWhole, shown, wrong } from "./parse-values.ts"

const GROUP_DEPTH_MAX = 20
const CONDITION_COUNT_MAX = 100
const COHORT_ID_MAX = 2_147_483_647
const COHORT_IDS_MAX = 100

export function parseCohortFilters(input: unknown): CohortGroup {
  if (!isJsonObject(input) || !isJsonObject(input.properties)) {
    throw wrong('Filters are an object whose key "properties" holds a group of conditions.')
  }
  const group = parseGroup(input.properties, { reading: { conditionCount: 0 }, depth: 1 })
  if (hasLoneNegation(group)) {
    throw wrong(
      "A negated condition needs one that is not negated beside it, in a group of type AND.",
    )
  }
  return group
}

interface Place {
  readonly reading: { conditionCount: number }
  readonly depth: number
}

const GROUP_TYPE = /^(and|or)$/i

function parseGroup({ type, values }: JsonObject, { reading, depth }: Place): CohortGroup {
  if (depth > GROUP_DEPTH_MAX) throw wrong(`Groups nest deeper than ${GROUP_DEPTH_MAX}.`)
  if (typeof type !== "string" || !GROUP_TYPE.test(type)) {
    throw wrong(`A group has the type "AND" or "OR", not ${shown(type)}.`)
  }
  if (!Array.isArray(values)) throw wrong(`The values of a group are a list, not ${shown(values)}.`)
  if (values.length === 0) throw wrong("A group needs at least one condition.")
  const members = values.map((value) => parseMember(value, { reading, depth: depth + 1 }))
  return { kind: "group", type: type.toUpperCase() === "OR" ? "OR" : "AND", members }
}

function parseMember(value: unknown, place: Place): CohortMember {
  if (!isJsonObject(value)) throw wrong(`${shown(value)} is neither a condition nor a group.`)
  const isGroup = typeof value.type === "string" && GROUP_TYPE.test(value.type)
  if (isGroup) return parseGroup(value, place)
  place.reading.conditionCount += 1
  if (place.reading.conditionCount > CONDITION_COUNT_MAX) {
    throw wrong(`There are more than ${CONDITION_COUNT_MAX} conditions.`)
  }
  return parseCondition(value)
}

function parseCondition(condition: JsonObject): CohortCondition {
  switch (condition.type) {
    case "person":
      return parsePerson(condition)
    case "cohort":
    case "static-cohort":
    case "precalculated-cohort":
      return parseCohort(condition)
    case "behavioral":
      return parseBehavioral(condition)
    default:
      throw wrong(
        `A condition has the type "person", "cohort" or "behavioral", not ${shown(condition.type)}.`,
      )
  }
}

function parsePerson(condition: JsonObject): CohortCondition {
  const { key, operator } = condition
  if (typeof key !== "string" || key === "") {
    throw wrong(`The key of a person condition is the name of a property, not ${shown(key)}.`)
  }
  if (operator != null && !isOperator(operator)) throw noOperator(operator)
  const [filter] = parseEventFilters([condition]).members
  if (filter === undefined) throw wrong(`The condition on the person's "${key}" needs a value.`)
  const isNegated = parseFlag(condition, "negation")
  return { kind: "person", filter: filter as PropertyFilter, isNegated }
}

const COHORT_OPERATORS: readonly unknown[] = [undefined, null, "exact", "in", "not_in", "is_not"]

function parseCohort(condition: JsonObject): CohortCondition {
  const { key, value, operator } = condition
  if (key != null && key !== "id") {
    throw wrong(`The key of a cohort condition is "id", not ${shown(key)}.`)
  }
  if (!COHORT_OPERATORS.includes(operator)) throw noOperator(operator)
  const values = Array.isArray(value) ? value : [value]
  if (values.length === 0 || values.length > COHORT_IDS_MAX) {
    throw wrong(`A cohort condition names from 1 to ${COHORT_IDS_MAX} cohorts.`)
  }
  const cohort_ids = values.map((id) =>
    parseWhole(id, { what: "The value of a cohort condition", min: 1, max: COHORT_ID_MAX }),
  )
  const isOtherwise = operator === "not_in" || operator === "is_not"
  return { kind: "cohort", cohort_ids, isNegated: isOtherwise !== parseFlag(condition, "negation") }
}

function noOperator(operator: unknown): DomainError {
  return invalid(`${shown(operator)} is no operator for this condition.`, "filters")
}

/** Whether somebody could be in the cohort only for what they are not. */
function hasLoneNegation(group: CohortGroup): boolean {
  return judge(group).hasLoneNegation
}

interface Verdict {
  readonly hasLoneNegation: boolean
  readonly isPositive: boolean
}

function judge(member: CohortMember): Verdict {
  if (member.kind !== "group") {
    return { hasLoneNegation: member.isNegated, isPositive: !member.isNegated }
  }
  const verdicts = member.members.map(judge)
  const isPositive = verdicts.some((verdict) => verdict.isPositive)
  const isNegative = verdicts.some((verdict) => verdict.hasLoneNegation)
  const isPaired = member.type === "AND" && isPositive
  return { isPositive, hasLoneNegation: isNegative && !isPaired }
}
