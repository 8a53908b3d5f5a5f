import { z } from "zod"
import type { JsonObject } from "../../lib/json.ts"
import { requiredObject, timestamp } from "../http/fields.ts"

const jsonObject = z
  .custom<JsonObject>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "Expected an object.",
  )
  .meta({ type: "object", additionalProperties: true })

const ID_LENGTH_MAX = 128

/** How an answer that is already known may be used, and whether to wait for a new one. */
const REFRESHES = [
  "blocking",
  "async",
  "lazy_async",
  "force_blocking",
  "force_async",
  "force_cache",
] as const

export const QueryDraft = z.object({
  query: requiredObject(
    'Expected an object with a kind, such as {"kind": "HogQLQuery", "query": "select 1"}.',
  ),
  client_query_id: z.string().min(1).max(ID_LENGTH_MAX).nullish(),
  refresh: z.union([z.enum(REFRESHES), z.boolean()]).nullish(),
  async: z.boolean().nullish(),
  filters_override: jsonObject.nullish(),
  name: z.string().nullish(),
})
export type QueryDraft = z.infer<typeof QueryDraft>

/** Beside these, what the kind of query answers. */
export const QueryAnswer = z
  .looseObject({
    is_cached: z.boolean(),
    last_refresh: timestamp,
    cache_key: z.string(),
  })
  .meta({ id: "QueryAnswer" })

export const QueryStatus = z
  .object({
    query_status: z.object({
      id: z.string(),
      task_id: z.string(),
      team_id: z.int(),
      query_async: z.literal(true),
      complete: z.boolean(),
      error: z.boolean(),
      error_message: z.string().nullable(),
      results: z.looseObject({}).nullable(),
      start_time: timestamp,
      end_time: timestamp.nullable(),
    }),
  })
  .meta({ id: "QueryStatus" })
export type QueryStatus = z.infer<typeof QueryStatus>
