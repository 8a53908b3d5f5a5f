/** What a personal API key may be allowed to do. */
const SCOPE_OBJECTS = [
  "action",
  "activity_log",
  "annotation",
  "batch_export",
  "cohort",
  "dashboard",
  "dashboard_template",
  "early_access_feature",
  "event_definition",
  "experiment",
  "export",
  "feature_flag",
  "group",
  "insight",
  "notebook",
  "organization",
  "organization_member",
  "person",
  "plugin",
  "project",
  "property_definition",
  "query",
  "session_recording",
  "session_recording_playlist",
  "sharing_configuration",
  "subscription",
  "survey",
  "user",
  "webhook",
] as const

type ScopeObject = (typeof SCOPE_OBJECTS)[number]
export type Scope = `${ScopeObject}:${"read" | "write"}`
export const ALL_SCOPES = "*"

const known: ReadonlySet<string> = new Set(
  SCOPE_OBJECTS.flatMap((object) => [`${object}:read`, `${object}:write`]),
)

export function isScope(text: string): boolean {
  return text === ALL_SCOPES || known.has(text)
}

/**
 * `x:write` includes `x:read`; `*` includes everything. So does an empty list: it is how keys without
 * scopes are stored, and no new key may have one.
 */
export function includesScope(granted: readonly string[], needed: string): boolean {
  if (granted.length === 0 || granted.includes(ALL_SCOPES) || granted.includes(needed)) return true
  return needed.endsWith(":read") && granted.includes(needed.replace(/:read$/, ":write"))
}
