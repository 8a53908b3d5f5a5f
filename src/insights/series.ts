/** The parts that all insights ask with: series, ranges, filters of the whole question. */
import { z } from "zod"
import { invalid } from "../lib/errors.ts"
import type { JsonObject, JsonValue } from "../lib/json.ts"
import { and, column, EVENTS, eq, personOfEvent, property, text } from "../query/build.ts"
import { compileFilters } from "../query/filters/compile.ts"
import { parsePropertyFilters } from "../query/filters/parse.ts"
import type { Expr } from "../query/tree.ts"
import type { InsightContext } from "./insight.ts"

const GROUP_TYPE_INDEX_MAX = 4
const SERIES_MAX = 50

const groupIndex = z.number().int().min(0).max(GROUP_TYPE_INDEX_MAX)

/** One event of a question; `event` null or absent is any event. */
export const SeriesSchema = z.object({
  kind: z.enum(["EventsNode", "ActionsNode"]).default("EventsNode"),
  event: z.string().nullish(),
  id: z.union([z.string(), z.number()]).nullish(),
  name: z.string().nullish(),
  custom_name: z.string().nullish(),
  math: z.string().nullish(),
  math_property: z.string().nullish(),
  math_hogql: z.string().nullish(),
  math_group_type_index: groupIndex.nullish(),
  properties: z.unknown().optional(),
  /** Filters that the question's maker fixed; they count like `properties`. */
  fixedProperties: z.unknown().optional(),
})
export type Series = z.output<typeof SeriesSchema>

/** Fields of every insight's question. */
export const QUESTION_FIELDS = {
  series: z.array(SeriesSchema).max(SERIES_MAX).default([]),
  dateRange: z.object({ date_from: z.string().nullish(), date_to: z.string().nullish() }).nullish(),
  properties: z.unknown().optional(),
  filterTestAccounts: z.boolean().nullish(),
  aggregation_group_type_index: groupIndex.nullish(),
} as const

interface Question {
  readonly properties?: unknown
  readonly filterTestAccounts?: boolean | null | undefined
}

export const TIMESTAMP = column(EVENTS, "timestamp")

/** Whether an event is of the series, its own filters included. There are no actions to ask for. */
export function isOfSeries(series: Series, context: InsightContext): Expr {
  if (series.kind === "ActionsNode") {
    throw invalid(`There is no action ${series.id ?? ""}: name an event instead.`, "series")
  }
  const isNamed =
    typeof series.event === "string" ? [eq(column(EVENTS, "event"), text(series.event))] : []
  return and(
    ...isNamed,
    ...compiled(series.properties, context),
    ...compiled(series.fixedProperties, context),
  )
}

/** What the question asks of every event: its filters, and those of test accounts where wanted. */
export function isAskedFor(question: Question, context: InsightContext): Expr {
  const own = compiled(question.properties, context)
  if (question.filterTestAccounts !== true) return and(...own)
  const { testAccountFilters } = context
  return and(...own, compileFilters(testAccountFilters, { ...filterContext(context) }))
}

function compiled(filters: unknown, context: InsightContext): readonly Expr[] {
  const group = parsePropertyFilters(filters)
  return group.members.length === 0 ? [] : [compileFilters(group, filterContext(context))]
}

function filterContext(context: InsightContext) {
  return {
    ...context,
    target: "events",
  } as const
}

/** Who acts: the person as it is now, or the group of a type (null where the event names none). */
export function actorOf(groupTypeIndex: number | null | undefined): Expr {
  if (typeof groupTypeIndex !== "number") return personOfEvent
  return property({ table: EVENTS, of: "event", key: `$group_${groupTypeIndex}` })
}

/** The old `events` and `actions` lists, in their order, as series. */
export function parseLegacySeries({ events, actions }: JsonObject): readonly JsonObject[] {
  const nodes = [
    ...listOf(events, "events").map((entity) => ({
      ...entity,
      kind: "EventsNode",
      event: entity.id ?? null,
    })),
    ...listOf(actions, "actions").map((entity) => ({ ...entity, kind: "ActionsNode" })),
  ]
  const orderOf = (entity: JsonObject) => (typeof entity.order === "number" ? entity.order : 0)
  return nodes.sort((a, b) => orderOf(a) - orderOf(b))
}

function listOf(value: JsonValue | undefined, attr: string): readonly JsonObject[] {
  if (value === undefined || value === null) return []
  const isList =
    Array.isArray(value) &&
    value.every((item) => typeof item === "object" && item !== null && !Array.isArray(item))
  if (!isList) throw invalid(`${attr} must be a list of objects.`, attr)
  return value as readonly JsonObject[]
}
