/** What a question is broken down by: properties of several owners, expressions, cohorts. */
import { z } from "zod"
import { invalid } from "../lib/errors.ts"
import {
  and,
  call,
  column,
  EVENTS,
  eq,
  groupAlias,
  isNull,
  not,
  number,
  PERSONS,
  type PropertyPlace,
  property,
  SESSIONS,
  text,
} from "../query/build.ts"
import { SESSION_FIELDS, type SessionFieldName } from "../query/sessions.ts"
import type { Expr } from "../query/tree.ts"
import type { InsightContext } from "./insight.ts"

/** What stands for all values past the limit, and for no value. */
export const OTHER_VALUES = "$$_posthog_breakdown_other_$$"
export const NO_VALUE = "$$_posthog_breakdown_null_$$"

const PARTS_MAX = 3
const LIMIT_MAX = 1_000
const BINS_MAX = 1_000
const COHORTS_MAX = 100
const GROUP_TYPE_INDEX_MAX = 4

const TYPES = ["event", "person", "group", "session", "hogql", "cohort"] as const
const key = z.union([z.string(), z.number()])
const groupIndex = z.number().int().min(0).max(GROUP_TYPE_INDEX_MAX).nullish()
const binCount = z.number().int().min(1).max(BINS_MAX).nullish()

export const BreakdownSchema = z.object({
  breakdown: z.union([key, z.array(key).max(COHORTS_MAX)]).nullish(),
  breakdown_type: z.enum(TYPES).nullish(),
  breakdowns: z
    .array(
      z.object({
        property: key,
        type: z.enum(TYPES).nullish(),
        group_type_index: groupIndex,
        histogram_bin_count: binCount,
        normalize_url: z.boolean().nullish(),
      }),
    )
    .max(PARTS_MAX)
    .nullish(),
  breakdown_limit: z.number().int().min(1).max(LIMIT_MAX).nullish(),
  breakdown_histogram_bin_count: binCount,
  breakdown_hide_other_aggregation: z.boolean().nullish(),
  breakdown_normalize_url: z.boolean().nullish(),
  breakdown_group_type_index: groupIndex,
})
type BreakdownFilter = z.output<typeof BreakdownSchema>

export interface BreakdownPart {
  readonly key: string
  readonly type: Exclude<(typeof TYPES)[number], "cohort">
  readonly group_type_index: number
  readonly normalizesUrl: boolean
  /** Numbers fall into so many bins of the same width. */
  readonly binCount: number | undefined
}

export type Breakdown = ValuesBreakdown | CohortsBreakdown

interface ValuesBreakdown {
  readonly kind: "values"
  readonly parts: readonly BreakdownPart[]
  /** Values are shown as lists, even of one. */
  readonly isList: boolean
}

interface CohortsBreakdown {
  readonly kind: "cohorts"
  readonly cohorts: readonly CohortValue[]
}

/** A cohort by its id, or everybody. */
export type CohortValue = number | "all"

export function parseBreakdown(filter: BreakdownFilter | null | undefined): Breakdown | undefined {
  if (filter === null || filter === undefined) return undefined
  if ((filter.breakdowns ?? []).length > 0) return parseList(filter)
  const { breakdown, breakdown_type } = filter
  if (breakdown === null || breakdown === undefined || breakdown === "") return undefined
  const keys = Array.isArray(breakdown) ? breakdown : [breakdown]
  if (keys.length === 0) return undefined
  if (breakdown_type === "cohort") return { kind: "cohorts", cohorts: keys.map(parseCohort) }
  if (keys.length > PARTS_MAX) {
    throw invalid(`At most ${PARTS_MAX} properties can be broken down by.`, "breakdown")
  }
  const shared = {
    type: breakdown_type ?? "event",
    group_type_index: filter.breakdown_group_type_index ?? 0,
    normalizesUrl: filter.breakdown_normalize_url === true,
    binCount: filter.breakdown_histogram_bin_count ?? undefined,
  }
  const parts = keys.map((each) => ({ key: String(each), ...shared }))
  return { kind: "values", parts, isList: keys.length > 1 }
}

function parseList({ breakdowns }: BreakdownFilter): Breakdown {
  const listed = breakdowns ?? []
  if (listed.every(({ type }) => type === "cohort")) {
    return { kind: "cohorts", cohorts: listed.map(({ property: id }) => parseCohort(id)) }
  }
  const parts = listed.map(({ type, ...part }): BreakdownPart => {
    if (type === "cohort") {
      throw invalid("Cohorts can not be broken down together with properties.", "breakdowns")
    }
    return {
      key: String(part.property),
      type: type ?? "event",
      group_type_index: part.group_type_index ?? 0,
      normalizesUrl: part.normalize_url === true,
      binCount: part.histogram_bin_count ?? undefined,
    }
  })
  return { kind: "values", parts, isList: true }
}

export function parseCohort(id: string | number): CohortValue {
  if (id === "all" || Number(id) === 0) return "all"
  if (Number.isSafeInteger(Number(id))) return Number(id)
  throw invalid(`"${id}" is no id of a cohort: give a whole number or "all".`, "breakdown")
}

/** The value of an event as text, "" for none; durations and counts of sessions as numbers or null. */
export function breakdownValue(part: BreakdownPart, context: InsightContext): Expr {
  const value = storedValue(part, context)
  if (isNumberBreakdown(part)) return value
  return call("coalesce", part.normalizesUrl ? normalizedUrl(value) : value, text(""))
}

/** The value of an event as a number; null for others. */
export function breakdownNumber(part: BreakdownPart, context: InsightContext): Expr {
  if (part.type === "hogql") return compiledTo("toFloat", part, context)
  if (part.type === "session") return storedValue(part, context)
  return property(placeOf(part), "number")
}

/** Whether an event has a value, given as it is shown. */
export function hasBreakdownValue(
  part: BreakdownPart,
  value: string,
  context: InsightContext,
): Expr {
  const expr = breakdownValue(part, context)
  const isNone = value === NO_VALUE || value === ""
  if (isNumberBreakdown(part)) return isNone ? isNull(expr) : eq(expr, number(parseNumber(value)))
  return eq(expr, text(isNone ? "" : value))
}

/** Whether the values are numbers rather than texts. */
export function isNumberBreakdown({ type, key: name }: BreakdownPart): boolean {
  if (type !== "session") return false
  const { kind } = SESSION_FIELDS[sessionFieldOf(name)].type
  return kind === "float" || kind === "integer"
}

function storedValue(part: BreakdownPart, context: InsightContext): Expr {
  if (part.type === "hogql") return compiledTo("toString", part, context)
  if (part.type === "session") return column(SESSIONS, sessionFieldOf(part.key))
  return property(placeOf(part))
}

function placeOf({ type, key: name, group_type_index }: BreakdownPart): PropertyPlace {
  if (type === "person") return { table: PERSONS, of: "person", key: name }
  if (type === "group") return { table: groupAlias(group_type_index), of: "group", key: name }
  return { table: EVENTS, of: "event", key: name }
}

/** The text is compiled alone first, so that what is wrong with it is told in its own places. */
function compiledTo(name: string, { key: expression }: BreakdownPart, context: InsightContext) {
  const { isAggregate } = context.compileExpression(expression)
  if (isAggregate) {
    throw invalid(
      `"${expression}" aggregates: a breakdown needs a value of each event.`,
      "breakdown",
    )
  }
  // The line ends first: the expression may end in a comment.
  return context.compileExpression(`${name}(${expression}\n)`).expr
}

/** Where the name of a property of sessions is another than ours with a dollar before. */
const SESSION_NAMES: ReadonlyMap<string, SessionFieldName> = new Map([
  ["session_duration", "duration"],
  ["entry_current_url", "entry_url"],
  ["exit_current_url", "exit_url"],
  ["end_current_url", "exit_url"],
  ["entry_utm_source", "initial_utm_source"],
  ["entry_utm_medium", "initial_utm_medium"],
  ["entry_utm_campaign", "initial_utm_campaign"],
  ["entry_utm_term", "initial_utm_term"],
  ["entry_utm_content", "initial_utm_content"],
  ["entry_referring_domain", "initial_referring_domain"],
])

const SESSION_KINDS: ReadonlySet<string> = new Set(["text", "float", "integer"])

function sessionFieldOf(name: string): SessionFieldName {
  const plain = name.replace(/^\$/, "")
  const found = SESSION_NAMES.get(plain) ?? plain
  if (Object.hasOwn(SESSION_FIELDS, found)) {
    const field = found as SessionFieldName
    if (SESSION_KINDS.has(SESSION_FIELDS[field].type.kind)) return field
  }
  throw invalid(`Sessions have no property "${name}" that they can be told apart by.`, "breakdown")
}

/** Addresses that differ only in what ends them are one; the root keeps its slash. */
function normalizedUrl(value: Expr): Expr {
  const trimmed = call("replaceMatches", value, text("[/?#]+$"), text(""))
  const isRoot = and(eq(trimmed, text("")), not(eq(value, text(""))))
  return { kind: "case", branches: [{ when: isRoot, result: text("/") }], otherwise: trimmed }
}

function parseNumber(value: string): number {
  if (Number.isFinite(Number(value))) return Number(value)
  throw invalid(`"${value}" is no number, as the values of the breakdown are.`, "breakdown_value")
}
