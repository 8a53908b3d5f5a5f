import { z } from "zod"
import { text, timestamp } from "../http/fields.ts"
import { isScope } from "../http/scopes.ts"

export const KEY_LABEL_LENGTH_MAX = 40
const SCOPES_MAX = 100
const PLACES_MAX = 100
/** PostgreSQL's. */
const INTEGER_MAX = 2_147_483_647

export const PersonalApiKey = z
  .object({
    id: z.string(),
    label: z.string(),
    /** The key itself: only in the answer that made it. */
    value: z.string().nullable(),
    mask_value: z.string(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    user_id: z.int(),
    scopes: z.array(z.string()),
    /** Empty: not limited. */
    scoped_teams: z.array(z.int()),
    scoped_organizations: z.array(z.uuid()),
  })
  .meta({ id: "PersonalApiKey" })
export type PersonalApiKey = z.infer<typeof PersonalApiKey>

const Scopes = z
  .array(z.string())
  .max(SCOPES_MAX)
  .superRefine((scopes, context) => {
    const unknown = scopes.find((scope) => !isScope(scope))
    if (unknown !== undefined) {
      const message = `"${unknown}" is no scope; use * or one such as organization:read.`
      context.addIssue({ code: "custom", message })
    }
    if (scopes.length === 0) {
      context.addIssue({ code: "custom", message: "Name at least one scope, or *." })
    }
  })
  .transform(withoutRepeats)

export const KeyDraft = z.object({
  label: text(KEY_LABEL_LENGTH_MAX),
  scopes: Scopes,
  scoped_teams: z
    .array(z.int().positive().max(INTEGER_MAX))
    .max(PLACES_MAX)
    .transform(withoutRepeats)
    .optional(),
  scoped_organizations: z
    .array(z.uuid("Must be the UUID of an organization.").toLowerCase())
    .max(PLACES_MAX)
    .transform(withoutRepeats)
    .optional(),
})
export type KeyDraft = z.infer<typeof KeyDraft>

function withoutRepeats<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
