/** What the log says of a change: one entry for each thing that happened to a config. */
import type { NewActivity } from "../activity-log/store.ts"
import { changesBetween } from "../activity-log/store.ts"
import { noSettings, settingChanges } from "./rules.ts"
import type { StoredConfig } from "./store.ts"

type Happened = Pick<NewActivity, "activity" | "changes">

export function entryOf(organization: { readonly id: string }, config: StoredConfig) {
  return {
    organization_id: organization.id,
    project_id: config.team_id,
    scope: "PluginConfig",
    item_id: config.id,
    name: config.name ?? config.plugin_info.name,
  }
}

/** `before` is undefined for a new config. */
export function activitiesOf(before: StoredConfig | undefined, after: StoredConfig): Happened[] {
  const schema = after.plugin_info.config_schema
  const words = changesBetween("PluginConfig", wordsOf(before), wordsOf(after))
  const changes = [...settingChanges(schema, before ?? noSettings, after), ...words]
  const isNew = before === undefined
  const isSwitched = after.enabled !== (before?.enabled ?? false)
  const order = changesBetween("PluginConfig", { order: before?.order }, { order: after.order })
  return [
    ...(changes.length > 0 || (isNew && !after.enabled)
      ? [{ activity: "config_updated", changes }]
      : []),
    ...(isSwitched ? [{ activity: after.enabled ? "enabled" : "disabled", changes: null }] : []),
    ...(!isNew && order.length > 0 ? [{ activity: "order_changed", changes: order }] : []),
  ]
}

function wordsOf(config: StoredConfig | undefined) {
  return { name: config?.name ?? null, description: config?.description ?? null }
}
