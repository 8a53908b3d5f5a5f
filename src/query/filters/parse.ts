/**
 * Property filters as callers write them: a list, one filter, groups of AND and OR nested at will, the
 * old form {"$browser__is_not": "IE7"}, or any of these as JSON text. Filters without a key or a value ask
 * for nothing and are left out.
 */
import { invalid } from "../../lib/errors.ts"
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts"
import { isOperator, isPattern, isValueless, type Operator } from "./operators.ts"

const FILTER_TYPES = [
  "event",
  "person",
  "group",
  "element",
  "feature",
  "cohort",
  "static-cohort",
  "precalculated-cohort",
  "session",
  "hogql",
] as const

export type FilterType = (typeof FILTER_TYPES)[number]

export interface PropertyFilter {
  readonly kind: "filter"
  readonly type: FilterType
  readonly key: string
  readonly operator: Operator
  /** Texts as they are, other values as JSON text. */
  readonly values: readonly string[]
  /** Only of groups, where it is always given. */
  readonly group_type_index?: number
}

/** A group without members is true. */
export interface PropertyGroup {
  readonly kind: "group"
  readonly type: "AND" | "OR"
  readonly members: readonly (PropertyFilter | PropertyGroup)[]
}

const TEXT_LENGTH_MAX = 1_000_000
const GROUP_DEPTH_MAX = 20
const FILTER_COUNT_MAX = 500
const VALUE_COUNT_MAX = 10_000
const GROUP_TYPE_INDEX_MAX = 4
/** Far below what would make an engine compile for long. */
const PATTERN_LENGTH_MAX = 5_000

export function parsePropertyFilters(input: unknown): PropertyGroup {
  if (input === undefined || input === null || input === "") return group("AND", [])
  const value = typeof input === "string" ? parseText(input) : input
  const reading = { filterCount: 0 }
  if (Array.isArray(value)) return group("AND", parseMembers(value, { reading, depth: 0 }))
  const member = parseMember(value, { reading, depth: 0 })
  if (member?.kind === "group") return member
  return group("AND", member === undefined ? [] : [member])
}

interface Place {
  readonly reading: { filterCount: number }
  readonly depth: number
}

type Member = PropertyFilter | PropertyGroup

const group = (type: "AND" | "OR", members: readonly Member[]): PropertyGroup => ({
  kind: "group",
  type,
  members,
})

function parseText(text: string): unknown {
  if (text.length > TEXT_LENGTH_MAX) {
    throw invalid(`Property filters may have at most ${TEXT_LENGTH_MAX} characters.`, ATTR)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable("the text is no JSON")
  }
}

const ATTR = "properties"

function unreadable(why: string) {
  return invalid(`The property filters cannot be read: ${why}.`, ATTR)
}

function parseMembers(values: readonly unknown[], place: Place): readonly Member[] {
  if (place.depth > GROUP_DEPTH_MAX) throw unreadable(`groups nest deeper than ${GROUP_DEPTH_MAX}`)
  return values.map((value) => parseMember(value, place)).filter((member) => member !== undefined)
}

function parseMember(value: unknown, place: Place): Member | undefined {
  if (!isJsonObject(value)) {
    throw unreadable(`${JSON.stringify(value)?.slice(0, 50)} is neither a filter nor a group`)
  }
  place.reading.filterCount += 1
  if (place.reading.filterCount > FILTER_COUNT_MAX) {
    throw unreadable(`there are more than ${FILTER_COUNT_MAX} of them`)
  }
  if (isGroup(value)) return parseGroup(value, place)
  if ("key" in value || FILTER_TYPES.some((type) => type === value.type)) return parseFilter(value)
  return parseDictionary(value)
}

const GROUP_TYPE = /^(and|or)$/i

function isGroup(value: JsonObject): boolean {
  return "values" in value || (typeof value.type === "string" && GROUP_TYPE.test(value.type))
}

function parseGroup({ type, values }: JsonObject, { reading, depth }: Place): PropertyGroup {
  if (typeof type !== "string" || !GROUP_TYPE.test(type)) {
    throw unreadable(`a group has the type ${JSON.stringify(type)} instead of "AND" or "OR"`)
  }
  if (!Array.isArray(values)) throw unreadable("the values of a group are no list")
  const members = parseMembers(values, { reading, depth: depth + 1 })
  return group(type.toUpperCase() === "OR" ? "OR" : "AND", members)
}

/** The old form: names with an operator after two underscores. */
function parseDictionary(dictionary: JsonObject): PropertyGroup {
  const filters = Object.entries(dictionary).map(([name, value]) => {
    const cut = name.lastIndexOf("__")
    const operator = name.slice(cut + 2)
    return cut > 0 && isOperator(operator)
      ? parseFilter({ key: name.slice(0, cut), operator, value })
      : parseFilter({ key: name, value })
  })
  if (filters.length > FILTER_COUNT_MAX) {
    throw unreadable(`there are more than ${FILTER_COUNT_MAX} of them`)
  }
  return group(
    "AND",
    filters.filter((filter) => filter !== undefined),
  )
}

function parseFilter(filter: JsonObject): PropertyFilter | undefined {
  const type = parseType(filter.type)
  const operator = parseOperator(filter.operator)
  const key = typeof filter.key === "number" ? String(filter.key) : filter.key
  if (key === undefined || key === null) return undefined
  if (typeof key !== "string") throw unreadable(`the key ${JSON.stringify(key)} is no text`)
  if (isOfCohort(type)) return parseCohort({ ...filter, key, type, operator })
  const values = isValueless(operator) ? [] : parseValues(key, filter.value, type)
  if (values === undefined) return undefined
  if (isPattern(operator) && values.some(({ length }) => length > PATTERN_LENGTH_MAX)) {
    throw unreadable(`a pattern for "${key}" is longer than ${PATTERN_LENGTH_MAX} characters`)
  }
  if (type !== "group") return { kind: "filter", type, key, operator, values }
  const group_type_index = parseGroupType(key, filter.group_type_index)
  return { kind: "filter", type, key, operator, values, group_type_index }
}

function isOfCohort(type: FilterType): boolean {
  return type === "cohort" || type === "static-cohort" || type === "precalculated-cohort"
}

const COHORT_OPERATORS: readonly unknown[] = ["exact", "in", "is_not", "not_in"]

/** Only `in` and `not_in` are left; the values are ids. */
function parseCohort(
  filter: JsonObject & {
    readonly key: string
    readonly type: FilterType
    readonly operator: Operator
  },
): PropertyFilter | undefined {
  const { key, type, operator } = filter
  if (key !== "id") throw unreadable(`a filter of type ${type} has the key "id", not "${key}"`)
  if (!COHORT_OPERATORS.includes(operator)) {
    throw unreadable(`cohorts are filtered by in and not_in, not by ${operator}`)
  }
  const values = parseValues(key, filter.value, type)
  if (values === undefined) return undefined
  const wrong = values.find((value) => !/^\d{1,9}$/.test(value))
  if (wrong !== undefined) throw unreadable(`"${wrong.slice(0, 50)}" is no id of a cohort`)
  const isOtherwise = operator === "is_not" || operator === "not_in"
  const isOut = isOtherwise !== (filter.negation === true)
  return { kind: "filter", type, key, operator: isOut ? "not_in" : "in", values }
}

function parseType(type: unknown): FilterType {
  if (type === undefined || type === null) return "event"
  const known = FILTER_TYPES.find((name) => name === type)
  if (known !== undefined) return known
  throw unreadable(`${JSON.stringify(type)} is no type of filter (${FILTER_TYPES.join(", ")})`)
}

function parseOperator(operator: unknown): Operator {
  if (operator === undefined || operator === null) return "exact"
  if (isOperator(operator)) return operator
  throw unreadable(`${JSON.stringify(operator)} is no operator`)
}

function parseValues(key: string, value: unknown, type: FilterType) {
  if (value === undefined || value === null) return type === "hogql" ? [] : undefined
  const values = (Array.isArray(value) ? value : [value]).filter((item) => item !== null)
  if (values.length > VALUE_COUNT_MAX) {
    throw unreadable(`"${key}" is compared with more than ${VALUE_COUNT_MAX} values`)
  }
  return values.map(textOf)
}

/** Engines write large numbers as 1e21, JavaScript as 1e+21. */
function textOf(value: JsonValue): string {
  if (typeof value === "string") return value
  const text = JSON.stringify(value)
  return typeof value === "number" ? text.replace("e+", "e") : text
}

function parseGroupType(key: string, index: unknown): number {
  const isIndex = typeof index === "number" && Number.isInteger(index)
  if (isIndex && index >= 0 && index <= GROUP_TYPE_INDEX_MAX) return index
  throw unreadable(
    `the group filter on "${key}" needs a group_type_index from 0 to ${GROUP_TYPE_INDEX_MAX}`,
  )
}
