import { forbidden, invalid, notFound } from "../../lib/errors.ts"
import { checkMay, type PluginOwner } from "../../plugins/access-level.ts"
import { defaultCapabilities, type PluginGroup } from "../../plugins/groups.ts"
import type { Plugin, PluginUpdate } from "./schema.ts"

/** A new plugin is local anyway; of an existing one, naming the field is enough to ask for the right. */
export function checkGlobal(isAsked: boolean, organization: PluginOwner): void {
  if (isAsked) checkMay("make global", organization)
}

/** Seen by all, changed only where it was installed. */
export function checkOwner(plugin: Plugin, organization: PluginOwner): void {
  if (plugin.organization_id === organization.id) return
  throw forbidden("This plugin is managed by another organization.")
}

/** What concerns only the owner does not exist for others. */
export function checkOwnerOrHide(plugin: Plugin, organization: PluginOwner): void {
  if (plugin.organization_id !== organization.id) throw notFound()
}

export function checkRemovable({ is_global }: Plugin): void {
  if (!is_global) return
  throw invalid("A global plugin cannot be removed; set is_global to false first.")
}

/**
 * Capabilities that name neither methods nor scheduled tasks say nothing of a group, so the group they
 * are written through is added: otherwise the plugin would vanish from where its owner looks for it.
 */
export function inGroup(
  group: PluginGroup,
  capabilities: NonNullable<PluginUpdate["capabilities"]>,
): NonNullable<PluginUpdate["capabilities"]> {
  const isSilent = !("methods" in capabilities) && !("scheduled_tasks" in capabilities)
  return isSilent ? { ...defaultCapabilities(group), ...capabilities } : capabilities
}
