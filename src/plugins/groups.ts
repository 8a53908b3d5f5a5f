/**
 * The three views of one list of plugins. What a plugin can do (`capabilities`) decides which views show it.
 *
 * As conditions on the jsonb column `capabilities`:
 *
 * - pipeline_destinations: `capabilities->'methods' @> '["onEvent"]' or capabilities->'methods' @> '["composeWebhook"]'`
 * - pipeline_frontend_apps: `not capabilities ?| array['methods', 'scheduled_tasks']`
 * - pipeline_import_apps: `(jsonb_typeof(capabilities->'scheduled_tasks') = 'array' and
 *   capabilities->'scheduled_tasks' <> '[]') or (capabilities ? 'methods' and not
 *   (capabilities->'methods' @> '["onEvent"]' or capabilities->'methods' @> '["composeWebhook"]' or
 *   capabilities->'methods' @> '["processEvent"]'))`
 */
import type { Capabilities } from "./capabilities.ts"

export const pluginGroups = [
  "pipeline_destinations",
  "pipeline_frontend_apps",
  "pipeline_import_apps",
] as const
export type PluginGroup = (typeof pluginGroups)[number]

/** Capabilities as stored: written by clients too, so any JSON object. */
export type StoredCapabilities = Readonly<Record<string, unknown>>

const DESTINATION_METHODS = ["onEvent", "composeWebhook"]
const EVENT_METHODS = [...DESTINATION_METHODS, "processEvent"]

export function belongsTo(group: PluginGroup, capabilities: StoredCapabilities): boolean {
  const methods = listOf(capabilities, "methods")
  switch (group) {
    case "pipeline_destinations":
      return DESTINATION_METHODS.some((method) => methods.includes(method))
    case "pipeline_frontend_apps":
      return (
        !Object.hasOwn(capabilities, "methods") && !Object.hasOwn(capabilities, "scheduled_tasks")
      )
    case "pipeline_import_apps":
      return (
        listOf(capabilities, "scheduled_tasks").length > 0 ||
        (Object.hasOwn(capabilities, "methods") &&
          !EVENT_METHODS.some((method) => methods.includes(method)))
      )
  }
}

/** What a plugin created through a group can do until its source says otherwise. */
export function defaultCapabilities(group: PluginGroup): StoredCapabilities {
  switch (group) {
    case "pipeline_destinations":
      return { methods: ["onEvent"], jobs: [], scheduled_tasks: [] }
    case "pipeline_frontend_apps":
      return {}
    case "pipeline_import_apps":
      return { methods: [], jobs: [], scheduled_tasks: ["runEveryHour"] }
  }
}

/**
 * What the source says, completed so that the plugin stays in the group it is edited through: otherwise an
 * edit that removes the last fitting function would also remove the plugin from where its owner looks for it.
 */
export function mergeInferred(group: PluginGroup, inferred: Capabilities): StoredCapabilities {
  const isEmpty = inferred.methods.length === 0 && inferred.scheduled_tasks.length === 0
  const fallback = defaultCapabilities(group)
  if (group === "pipeline_frontend_apps") return fallback
  if (isEmpty) return { ...fallback, jobs: inferred.jobs }
  if (belongsTo(group, { ...inferred })) return { ...inferred }
  return {
    methods: [...inferred.methods, ...listOf(fallback, "methods")],
    jobs: inferred.jobs,
    scheduled_tasks: [...inferred.scheduled_tasks, ...listOf(fallback, "scheduled_tasks")],
  }
}

function listOf(capabilities: StoredCapabilities, key: string): readonly unknown[] {
  const value = capabilities[key]
  return Array.isArray(value) ? value : []
}
