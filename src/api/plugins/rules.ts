import { forbidden, invalid, notFound } from "../../lib/errors.ts"
import { checkMay, type PluginOwner } from "../../plugins/access-level.ts"
import type { Plugin } from "./schema.ts"

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
