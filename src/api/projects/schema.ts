import { z } from "zod"
import { anyText, freeObject, isHttpUrl, text, timestamp } from "../http/fields.ts"
import { isTimeZone } from "./time-zone.ts"

const PROJECT_NAME_MAX = 200
const URL_MAX = 2_000
const TEXT_MAX = 400
const LIST_ITEMS_MAX = 1_000
const JSON_CHARACTERS_MAX = 100_000

/** The row of a list, and the form inside other resources. */
export const ProjectBasics = z
  .object({
    id: z.int(),
    uuid: z.uuid(),
    organization: z.uuid(),
    project_id: z.int(),
    api_token: z.string(),
    name: z.string(),
    completed_snippet_onboarding: z.boolean(),
    has_completed_onboarding_for: freeObject.nullable(),
    ingested_event: z.boolean(),
    is_demo: z.boolean(),
    timezone: z.string(),
    access_control: z.boolean(),
  })
  .meta({ id: "ProjectBasics" })
export type ProjectBasics = z.infer<typeof ProjectBasics>

export const Project = ProjectBasics.extend({
  app_urls: z.array(z.string()),
  recording_domains: z.array(z.string()).nullable(),
  slack_incoming_webhook: z.string().nullable(),
  anonymize_ips: z.boolean(),
  week_start_day: z.literal([0, 1]).nullable(),
  test_account_filters: z.array(freeObject),
  test_account_filters_default_checked: z.boolean().nullable(),
  path_cleaning_filters: z.array(freeObject).nullable(),
  data_attributes: z.array(z.string()),
  person_display_name_properties: z.array(z.string()).nullable(),
  live_events_columns: z.array(z.string()).nullable(),
  autocapture_opt_out: z.boolean().nullable(),
  session_recording_opt_in: z.boolean(),
  extra_settings: freeObject.nullable(),
  effective_membership_level: z.int(),
  /** There are no dashboards and no group types yet. */
  primary_dashboard: z.int().nullable(),
  has_group_types: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
}).meta({ id: "Project" })
export type Project = z.infer<typeof Project>

const timezone = z.string().refine(isTimeZone, {
  error: ({ input }) =>
    `${JSON.stringify(input)} is not a time zone; use a name such as "Europe/Berlin" or "UTC".`,
  params: { code: "invalid_choice" },
})

const isUrlOrEmpty = (url: string) => url === "" || isHttpUrl(url)
const notAnAddress = {
  error: ({ input }: { input?: unknown }) =>
    `${JSON.stringify(input)} is not an address; use one such as https://example.com.`,
}
const urls = listOf(text(URL_MAX).refine(isHttpUrl, notAnAddress))
const texts = listOf(text(TEXT_MAX))
const objects = bounded(listOf(freeObject))

/** 0: weeks start on Sunday, 1: on Monday, null: as the instance does. */
const weekStart = z.literal([0, 1]).nullable()

export const ProjectDraft = z.object({
  name: text(PROJECT_NAME_MAX),
  timezone: timezone.optional(),
  week_start_day: weekStart.optional(),
  access_control: z.boolean().optional(),
  anonymize_ips: z.boolean().optional(),
  completed_snippet_onboarding: z.boolean().optional(),
  has_completed_onboarding_for: bounded(freeObject).nullable().optional(),
  app_urls: urls
    .nullable()
    .transform((list) => list ?? [])
    .optional(),
  recording_domains: urls.nullable().optional(),
  slack_incoming_webhook: anyText(URL_MAX).refine(isUrlOrEmpty, notAnAddress).nullable().optional(),
  test_account_filters: objects.optional(),
  test_account_filters_default_checked: z.boolean().nullable().optional(),
  path_cleaning_filters: objects.nullable().optional(),
  data_attributes: texts.optional(),
  person_display_name_properties: texts.nullable().optional(),
  live_events_columns: texts.nullable().optional(),
  autocapture_opt_out: z.boolean().nullable().optional(),
  session_recording_opt_in: z.boolean().optional(),
  extra_settings: bounded(freeObject).nullable().optional(),
})
export type ProjectDraft = z.infer<typeof ProjectDraft>

/** Where the path does not say it, the body may name the organization. */
export const ProjectDraftSomewhere = ProjectDraft.extend({ organization: z.uuid().optional() })

function listOf<T extends z.ZodType>(item: T) {
  return z.array(item).max(LIST_ITEMS_MAX)
}

/** Free JSON is read with its project again and again: it must not grow without end. */
function bounded<T extends z.ZodType>(schema: T) {
  return schema.refine((value) => JSON.stringify(value).length <= JSON_CHARACTERS_MAX, {
    error: `Ensure this has no more than ${JSON_CHARACTERS_MAX} characters of JSON.`,
    params: { code: "max_length" },
  })
}
