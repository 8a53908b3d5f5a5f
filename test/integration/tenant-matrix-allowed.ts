/**
 * What a permitted caller gets for an empty body, where the path names no object that could be missing. A
 * function tells apart callers that the access rule lets in but that the handler treats differently.
 */
type Row = readonly [status: number, code: string | undefined]

const REQUIRED: Row = [400, "required"]

const OK: Row = [200, undefined]
const DENIED: Row = [403, "permission_denied"]
const MISSING: Row = [404, "not_found"]

export const ALLOWED: Readonly<Record<string, Row | ((caller: string) => Row)>> = {
  organizations_create: REQUIRED,
  organizations_retrieve: OK,
  organizations_update: REQUIRED,
  organizations_update_partial: OK,
  organizations_destroy: [204, undefined],
  domains_create: REQUIRED,
  invites_create: REQUIRED,
  invites_bulk_create: REQUIRED,
  login: REQUIRED,
  // A key is no session, so there is nothing to sign out of.
  logout: DENIED,
  personal_api_keys_create: REQUIRED,
  // Any key may ask about itself, but about others only one that may do everything.
  personal_api_keys_retrieve: (caller) => (caller.includes("without") ? DENIED : MISSING),
  // Which organization is meant may stand in the body, so the body is looked at first.
  projects_create: REQUIRED,
  organization_projects_create: REQUIRED,
  projects_retrieve: OK,
  projects_update: REQUIRED,
  projects_update_partial: OK,
  projects_destroy: [204, undefined],
  projects_reset_token: OK,
  projects_reset_token_partial: OK,
  persons_bulk_delete: REQUIRED,
  persons_cohorts: REQUIRED,
  cohorts_create: REQUIRED,
  query_create: REQUIRED,
  // Which part of the insight is meant must be said.
  persons_funnel_retrieve: [400, "invalid_input"],
  persons_funnel_create: [400, "invalid_input"],
  persons_funnel_correlation_retrieve: [400, "invalid_input"],
  persons_funnel_correlation_create: [400, "invalid_input"],
  persons_path_create: OK,
  persons_lifecycle_retrieve: REQUIRED,
  persons_stickiness_retrieve: REQUIRED,
  persons_trends_retrieve: REQUIRED,
  persons_reset_distinct_id: REQUIRED,
  explicit_members_create: REQUIRED,
  uploaded_media_create: REQUIRED,
  pipeline_destinations_create: REQUIRED,
  pipeline_frontend_apps_create: REQUIRED,
  pipeline_import_apps_create: REQUIRED,
  plugin_configs_create: REQUIRED,
}
