/** Person lookups ask with the old snake_case names; numbers and truths may come as texts of an address. */
import type { z } from "zod"
import { invalid } from "../lib/errors.ts"
import type { JsonObject, JsonValue } from "../lib/json.ts"
import { parseLegacySeries } from "./series.ts"

/** The fields that all questions have in common, as a question of the query endpoint has them. */
export function commonQuestion(parameters: JsonObject): JsonObject {
  return {
    series: [...parseLegacySeries(parameters)],
    dateRange: {
      date_from: parameters.date_from ?? null,
      date_to: parameters.date_to ?? null,
    },
    properties: parameters.properties ?? null,
    filterTestAccounts: truthOf(parameters.filter_test_accounts),
    aggregation_group_type_index: numberOf(parameters.aggregation_group_type_index),
  }
}

/** What is no number is left for the schema to refuse. */
export function numberOf(value: JsonValue | undefined): JsonValue {
  if (typeof value !== "string") return value ?? null
  if (value === "") return null
  return WHOLE_NUMBER.test(value) ? Number(value) : value
}

const WHOLE_NUMBER = /^-?\d{1,15}$/

export function truthOf(value: JsonValue | undefined): JsonValue {
  if (value === "true" || value === "1" || value === 1) return true
  if (value === "false" || value === "0" || value === 0 || value === "") return false
  return value ?? null
}

/** `names`: what the caller calls the fields that are named otherwise in the question. */
export function parseParameters<T>(
  schema: z.ZodType<T>,
  value: JsonValue,
  names: Readonly<Record<string, string>> = {},
): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = (issue?.path ?? []).map(String)
  const known = path.map((part) => names[part]).find((name) => name !== undefined)
  const attr = known ?? (path.join("__") || null)
  throw invalid(`${attr ?? "The parameters"}: ${issue?.message ?? "not valid"}.`, attr)
}

/** The series that a lookup is about: by its place, or by what it is of. */
export function selectEntity(parameters: JsonObject): {
  readonly series: readonly JsonObject[]
  readonly selected: number
} {
  const series = parseLegacySeries(parameters)
  const { entity_id, entity_type, entity_math } = parameters
  const order = numberOf(parameters.entity_order)
  if (typeof order === "number" && series[order] !== undefined) return { series, selected: order }
  if (!isGiven(entity_id) || !isGiven(entity_type)) {
    throw invalid(
      "An entity id and the entity type must be provided to determine an entity: " +
        "entity_id with entity_type, or entity_order.",
      "entity_id",
      "required",
    )
  }
  const isEvent = entity_type !== "actions"
  const found = series.findIndex(
    ({ kind, event, id, math }) =>
      (kind === "EventsNode") === isEvent &&
      String(isEvent ? event : id) === String(entity_id) &&
      (!isGiven(entity_math) || math === entity_math),
  )
  if (found >= 0) return { series, selected: found }
  const entity = { kind: isEvent ? "EventsNode" : "ActionsNode", id: entity_id, event: entity_id }
  const math = isGiven(entity_math) ? { math: entity_math } : {}
  return { series: [...series, { ...entity, ...math }], selected: series.length }
}

export const isGiven = (value: JsonValue | undefined): value is JsonValue =>
  value !== undefined && value !== null && value !== ""
