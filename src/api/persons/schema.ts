import { z } from "zod"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import { storedDistinctId } from "../../persons/distinct-id.ts"
import { ActivityEntry } from "../activity-log/schema.ts"
import { requiredObject, timestamp } from "../http/fields.ts"
import { envelopeOf } from "../http/paging.ts"

/** JSON whose numbers keep every digit in, so that they keep them out again. */
const exactObject = z.custom<JsonObject>().meta({ type: "object", additionalProperties: true })
const exactValue = z.custom<JsonValue>()

export const Person = z
  .object({
    id: z.int(),
    uuid: z.uuid(),
    type: z.literal("person"),
    name: z.string(),
    distinct_ids: z.array(z.string()),
    properties: exactObject,
    created_at: timestamp,
    is_identified: z.boolean(),
    matched_recordings: z.array(z.unknown()),
    value_at_data_point: z.number().nullable(),
  })
  .meta({ id: "Person" })
export type Person = z.infer<typeof Person>

export const ChangedPerson = Person.extend({ success: z.literal(true) }).meta({
  id: "ChangedPerson",
})

export const PersonActivity = Person.extend(envelopeOf(ActivityEntry).shape).meta({
  id: "PersonActivity",
})

export const PropertyValue = z
  .object({ name: z.string(), count: z.int() })
  .meta({ id: "PropertyValue" })
export type PropertyValue = z.infer<typeof PropertyValue>

export const Done = z.object({ success: z.literal(true) }).meta({ id: "Done" })

export const RemovedPersons = z
  .object({ success: z.literal(true), persons_deleted: z.int() })
  .meta({ id: "RemovedPersons" })

const format = z.enum(["csv", "json"]).optional()
export const FormatQuery = z.object({ format })

export const PersonQuery = z.object({
  format,
  distinct_id: z.string().transform(storedDistinctId).optional(),
  email: z.string().optional(),
  search: z.string().optional(),
  /** A list or a group of filters, as JSON. */
  properties: z.string().optional(),
  /** Only those in this cohort. */
  cohort: z
    .string()
    .regex(/^\d{0,9}$/, "Expected the id of a cohort.")
    .optional(),
})
export type PersonQuery = z.infer<typeof PersonQuery>

export const ValuesQuery = z.object({
  format,
  key: z.string().optional(),
  value: z.string().optional(),
})

export const ActivityQuery = z.object({
  format,
  /** Counted from 1; instead of `offset`. */
  page: z.string().optional(),
  limit: z.string().optional(),
  offset: z.string().optional(),
})

/** Only a true value counts, not the mere presence of the key. */
const isAsked = z
  .unknown()
  .optional()
  .transform((value) => ["true", "1", 1, true].includes(value as string))
  .meta({ type: "boolean" })

export const RemovalQuery = z.object({ format, delete_events: isAsked })

export const PersonDraft = z.object({
  properties: requiredObject('Expected an object of properties, such as {"plan": "free"}.'),
})

export const PropertyQuery = z.object({
  format,
  key: z.string().optional(),
  value: z.string().optional(),
})

export const PropertyDraft = z.object({
  key: z.string().nullish(),
  value: exactValue.optional(),
})

export const UnsetQuery = z.object({ format, $unset: z.string().optional() })

const UNSET_MAX = 1_000

export const UnsetDraft = z.object({
  $unset: z
    .union([z.string(), z.array(z.string()).max(UNSET_MAX)], "Expected a key or a list of keys.")
    .nullish(),
})

export const SplitDraft = z.object({ main_distinct_id: z.string().nullish() })

const BULK_MAX = 1_000

export const BulkRemovalDraft = z.object({
  ids: z
    .array(z.union([z.int(), z.string()]))
    .max(BULK_MAX)
    .nullish(),
  distinct_ids: z.array(z.string()).max(BULK_MAX).nullish(),
  delete_events: isAsked,
})

export type BulkRemovalDraft = z.infer<typeof BulkRemovalDraft>

export const DistinctIdDraft = z.object({ distinct_id: z.string().min(1) })
