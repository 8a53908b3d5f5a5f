/** What the endpoints of all plugin groups begin with: may the organization do this, and which plugin is it. */
import { notFound } from "../../lib/errors.ts"
import { checkMay, type PluginOwner } from "../../plugins/access-level.ts"
import type { PluginGroup } from "../../plugins/groups.ts"
import type { Db } from "../../relational/db.ts"
import { checkOwner, checkOwnerOrHide } from "./rules.ts"
import type { Plugin } from "./schema.ts"
import { findPlugin } from "./store.ts"

const ID_MAX = 2_147_483_647

interface Place {
  readonly organization: PluginOwner
}

interface PluginPlace extends Place {
  readonly db: Db
  readonly params: { readonly id: string }
}

export const tag = "Pipeline plugins"

export async function mayRead({ organization }: Place): Promise<void> {
  checkMay("configure", organization)
}

export async function mayInstall({ organization }: Place): Promise<void> {
  checkMay("install", organization)
}

/** Loaders of the plugin that the path names, as one group shows it. */
export function loaders(group: PluginGroup) {
  return {
    async toRead(place: PluginPlace): Promise<Plugin> {
      checkMay("configure", place.organization)
      return getPlugin(place, group, "read")
    },
    async toChange(place: PluginPlace): Promise<Plugin> {
      checkMay("install", place.organization)
      const plugin = await getPlugin(place, group, "write")
      checkOwner(plugin, place.organization)
      return plugin
    },
    async ownToRead(place: PluginPlace): Promise<Plugin> {
      checkMay("configure", place.organization)
      const plugin = await getPlugin(place, group, "read")
      checkOwnerOrHide(plugin, place.organization)
      return plugin
    },
  }
}

async function getPlugin(
  { db, params, organization }: PluginPlace,
  group: PluginGroup,
  purpose: "read" | "write",
): Promise<Plugin> {
  const id = Number(params.id)
  const canBeId = /^\d{1,10}$/.test(params.id) && id <= ID_MAX
  const name = { id, organization_id: organization.id, group }
  const plugin = canBeId ? await findPlugin(db, name, purpose) : undefined
  if (plugin === undefined) throw notFound()
  return plugin
}

export function entryOf(organization: { readonly id: string }, plugin: Plugin) {
  return {
    organization_id: organization.id,
    scope: "Plugin",
    item_id: plugin.id,
    name: plugin.name,
  }
}
