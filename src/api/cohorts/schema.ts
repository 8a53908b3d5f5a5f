import { z } from "zod"
import type { Upload } from "../http/endpoint.ts"
import { anyText, freeObject, text, timestamp } from "../http/fields.ts"
import { checkStorable } from "../http/json-text.ts"
import { EmbeddedUser } from "../users/schema.ts"

const NAME_MAX = 400
const DESCRIPTION_MAX = 1_000
const JSON_CHARACTERS_MAX = 200_000
const GROUPS_MAX = 100
const PERSON_IDS_MAX = 100_000

export const Cohort = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    groups: z.array(freeObject),
    filters: freeObject.nullable(),
    query: freeObject.nullable(),
    is_static: z.boolean(),
    is_calculating: z.boolean(),
    last_calculation: timestamp.nullable(),
    errors_calculating: z.int(),
    count: z.int().nullable().meta({ description: "As of the last calculation." }),
    version: z
      .int()
      .nullable()
      .meta({ description: "Of the definition that was last worked out." }),
    pending_version: z.int(),
    created_by: EmbeddedUser.nullable(),
    created_at: timestamp,
    deleted: z.boolean(),
  })
  .meta({ id: "Cohort" })
export type Cohort = z.infer<typeof Cohort>

function isSmall(value: unknown): boolean {
  return JSON.stringify(value).length <= JSON_CHARACTERS_MAX
}

const tooLarge = {
  error: `Ensure this has no more than ${JSON_CHARACTERS_MAX} characters as JSON.`,
  params: { code: "max_length" },
}

/** Taken as it is: what is wrong inside is told by the rules of cohorts. */
const json = z.unknown().refine((value) => value === undefined || isSmall(value), tooLarge)

const PersonIds = z
  .array(z.union([z.int(), z.string()], "Expected the number or the UUID of a person."))
  .max(PERSON_IDS_MAX)

const Fields = z.object({
  name: text(NAME_MAX),
  description: anyText(DESCRIPTION_MAX).nullable().optional(),
  is_static: z.boolean().optional(),
  filters: json.optional().meta({
    type: ["object", "null"],
    description: 'Of a dynamic cohort: `{"properties": {"type": "AND", "values": […]}}`.',
  }),
  groups: z
    .array(z.unknown())
    .max(GROUPS_MAX)
    .refine(isSmall, tooLarge)
    .nullable()
    .optional()
    .meta({ description: "The old way to write filters." }),
  query: json.optional().meta({
    type: ["object", "null"],
    description: "Of a static cohort: an ActorsQuery that says who is in it at first.",
  }),
  csv: z
    .custom<Upload>(isUpload, "Expected a file: send it as multipart/form-data.")
    .optional()
    .meta({
      ...{ type: "string", format: "binary" },
      description: "Distinct ids of the persons of a static cohort, in the first column.",
    }),
  _create_static_person_ids: PersonIds.nullable()
    .optional()
    .meta({ description: "Persons of a static cohort, by number or UUID." }),
})

/** Forms carry text only, so their objects and flags are JSON text; a JSON body is taken as it is. */
export const CohortDraft = z.preprocess(readFormFields, Fields)
export type CohortDraft = z.infer<typeof CohortDraft>

const UpdateFields = Fields.extend({ deleted: z.boolean().optional() })
export const CohortUpdate = z.preprocess(readFormFields, UpdateFields.partial())
export const CohortReplacement = z.preprocess(readFormFields, UpdateFields)
export type CohortUpdate = z.infer<typeof CohortUpdate>

export const MembersDraft = z.object({ person_ids: PersonIds.min(1) })

const JSON_FIELDS = [
  ...["is_static", "deleted", "filters", "groups", "query", "_create_static_person_ids"],
]

function readFormFields(body: unknown): unknown {
  const isForm = typeof body === "object" && body !== null && Object.values(body).some(isUpload)
  if (!isForm) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      JSON_FIELDS.includes(name) ? jsonOf(value, name) : value,
    ]),
  )
}

/** What is no JSON stays text, which the field then refuses. */
function jsonOf(value: unknown, field: string): unknown {
  if (typeof value !== "string") return value
  let parsed: unknown
  try {
    // Some forms write flags as Python does.
    parsed = JSON.parse(/^(true|false)$/i.test(value) ? value.toLowerCase() : value)
  } catch {
    return value
  }
  checkStorable(parsed, [field])
  return parsed
}

function isUpload(value: unknown): value is Upload {
  return (value as Partial<Upload> | null | undefined)?.bytes instanceof Uint8Array
}
