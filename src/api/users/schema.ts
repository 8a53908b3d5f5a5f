import { z } from "zod"
import { anyText, freeObject, LevelChoice, text, timestamp } from "../http/fields.ts"
import { GUESS_LENGTH_MAX } from "../http/password-guess.ts"
import { Organization } from "../organizations/schema.ts"

/** PostgreSQL's. */
const INTEGER_MAX = 2_147_483_647

/** A user as it stands inside other resources. */
export const EmbeddedUser = z
  .object({
    id: z.int(),
    uuid: z.uuid(),
    distinct_id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    is_email_verified: z.boolean().nullable(),
    hedgehog_config: freeObject.nullable(),
  })
  .meta({ id: "User" })
export type EmbeddedUser = z.infer<typeof EmbeddedUser>

export const EMAIL_LENGTH_MAX = 254
const NAME_LENGTH_MAX = 150
const SETTING_CHARACTERS_MAX = 16_384

const OrganizationSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  logo_media_id: z.uuid().nullable(),
  membership_level: LevelChoice,
})

const ThemeMode = z.enum(["light", "dark", "system"])
const ToolbarMode = z.enum(["disabled", "toolbar"])

/** The caller. A limited key sees only the places it is limited to. */
export const Me = z
  .object({
    id: z.int(),
    uuid: z.uuid(),
    distinct_id: z.string(),
    date_joined: timestamp,
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    pending_email: z.string().nullable(),
    is_email_verified: z.boolean().nullable(),
    email_opt_in: z.boolean(),
    notification_settings: freeObject,
    anonymize_data: z.boolean(),
    toolbar_mode: ToolbarMode.nullable(),
    theme_mode: ThemeMode.nullable(),
    hedgehog_config: freeObject.nullable(),
    events_column_config: freeObject,
    scene_personalisation: z.array(freeObject),
    has_password: z.boolean(),
    has_social_auth: z.boolean(),
    is_2fa_enabled: z.boolean(),
    is_staff: z.boolean(),
    is_impersonated: z.boolean(),
    team: freeObject.nullable(),
    organization: Organization.nullable(),
    organizations: z.array(OrganizationSummary),
  })
  .meta({ id: "CurrentUser" })
export type Me = z.infer<typeof Me>

function bounded<T extends z.ZodType>(schema: T) {
  return schema.refine((value) => JSON.stringify(value).length <= SETTING_CHARACTERS_MAX, {
    message: `Ensure this has no more than ${SETTING_CHARACTERS_MAX} characters as JSON.`,
    params: { code: "max_length" },
  })
}

/** Settings that are stored as they come. */
const MeSettings = z.object({
  first_name: text(NAME_LENGTH_MAX).optional(),
  last_name: anyText(NAME_LENGTH_MAX).optional(),
  email: z
    .email("Must be an e-mail address such as ana@example.com.")
    .max(EMAIL_LENGTH_MAX)
    .optional(),
  email_opt_in: z.boolean().optional(),
  anonymize_data: z.boolean().optional(),
  theme_mode: ThemeMode.nullable().optional(),
  toolbar_mode: ToolbarMode.nullable().optional(),
  hedgehog_config: bounded(freeObject).nullable().optional(),
  notification_settings: bounded(z.record(z.string(), z.boolean())).optional(),
  events_column_config: bounded(freeObject).optional(),
})
export type MeSettings = z.infer<typeof MeSettings>

export const MeDraft = z.object({
  ...MeSettings.shape,
  set_current_organization: z.uuid("Must be the UUID of an organization.").optional(),
  set_current_team: z.int().positive().max(INTEGER_MAX).optional(),
  /** Needed to change the password or the e-mail. */
  current_password: z.string().max(GUESS_LENGTH_MAX).optional(),
  password: z.string().optional(),
})
export type MeDraft = z.infer<typeof MeDraft>
