import { z } from "zod"
import { freeObject, LevelChoice, text, timestamp } from "../http/fields.ts"

const ORGANIZATION_NAME_MAX = 64

export const Organization = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    logo_media_id: z.uuid().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    membership_level: LevelChoice.nullable(),
    plugins_access_level: z.int(),
    teams: z.array(freeObject),
    available_product_features: z.array(freeObject),
    is_member_join_email_enabled: z.boolean(),
    /** JSON text. */
    metadata: z.string(),
    customer_id: z.string().nullable(),
    enforce_2fa: z.boolean().nullable(),
    /** Decimal digits. */
    member_count: z.string(),
  })
  .meta({ id: "Organization" })
export type Organization = z.infer<typeof Organization>

export const OrganizationDraft = z.object({
  name: text(ORGANIZATION_NAME_MAX),
  logo_media_id: z.guid("Expected the id of a picture, a UUID.").nullable().optional(),
  is_member_join_email_enabled: z.boolean().optional(),
  enforce_2fa: z.boolean().nullable().optional(),
})
export type OrganizationDraft = z.infer<typeof OrganizationDraft>
