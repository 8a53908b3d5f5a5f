/** What there is to know of many plugins at once: what happened, what is offered, used and not used. */
import type { CatalogueEntry } from "../../plugins/catalogue.ts"
import { defaultCapabilities, type PluginGroup } from "../../plugins/groups.ts"
import { publicUrl } from "../../plugins/location.ts"
import { ActivityEntry } from "../activity-log/schema.ts"
import { listActivity } from "../activity-log/store.ts"
import { inOrganization } from "../http/access.ts"
import { type Endpoint, endpoint } from "../http/endpoint.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import { PluginConfig } from "../plugin-configs/schema.ts"
import { listEnabledConfigs } from "../plugin-configs/store.ts"
import { mayRead, tag } from "./context.ts"
import { CataloguePlugin, Plugin } from "./schema.ts"
import { type InstalledUrl, listInstalledUrls, listUnusedPlugins } from "./store.ts"

function activity(group: PluginGroup): Endpoint {
  return endpoint({
    name: `${group}_activity`,
    method: "GET",
    path: `/api/organizations/:organization_id/${group}/activity`,
    tag,
    summary: "List what happened to the organization's plugins, newest first.",
    access: inOrganization(),
    scope: "plugin:read",
    isKept: true,
    pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
    reply: envelopeOf(ActivityEntry),
    load: mayRead,

    async handle({ db, caller, organization, page, paginate }) {
      const filter = {
        organization_id: organization.id,
        scopes: ["Plugin", "PluginConfig"],
        seer: { user_id: caller.user.id, level: organization.level },
      }
      return paginate(await listActivity(db, filter, page))
    },
  })
}

function unused(group: PluginGroup): Endpoint {
  return endpoint({
    name: `${group}_unused`,
    method: "GET",
    path: `/api/organizations/:organization_id/${group}/unused`,
    tag,
    summary: "List the plugins that no project has enabled.",
    access: inOrganization(),
    scope: "plugin:read",
    isKept: true,
    pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
    reply: envelopeOf(Plugin),
    load: mayRead,

    async handle({ db, organization, page, paginate }) {
      const view = { organization_id: organization.id, group }
      return paginate(await listUnusedPlugins(db, view, page))
    },
  })
}

function repository(group: PluginGroup): Endpoint {
  return endpoint({
    name: `${group}_repository`,
    method: "GET",
    path: `/api/organizations/:organization_id/${group}/repository`,
    tag,
    summary: "List the plugins that are offered for this group, installed or not.",
    access: inOrganization(),
    scope: "plugin:read",
    isKept: true,
    pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
    reply: envelopeOf(CataloguePlugin),
    load: mayRead,

    async handle({ db, organization, services, page, paginate }) {
      const entries = services.plugins.catalogue.filter((entry) => entry.group === group)
      const shown = entries.slice(page.offset, page.offset + page.limit)
      const urls = shown.map(({ comparable_url }) => comparable_url)
      const installed = await listInstalledUrls(db, { urls, organization_id: organization.id })
      const byUrl = new Map(installed.map((each) => [each.comparable_url, each]))
      const results = shown.map((entry) => offered(entry, byUrl.get(entry.comparable_url)))
      return paginate({ count: entries.length, results })
    },
  })
}

function offered(entry: CatalogueEntry, installed: InstalledUrl | undefined): CataloguePlugin {
  const { name, description, icon, tag: newest, verified, maintainer, group } = entry
  return {
    id: installed?.id ?? null,
    plugin_type: "repository",
    name,
    description,
    url: publicUrl(entry.url),
    icon,
    config_schema: {},
    tag: newest,
    latest_tag: newest,
    is_global: false,
    organization_id: installed?.organization_id ?? null,
    organization_name: installed?.organization_name ?? null,
    capabilities: { ...(entry.capabilities ?? defaultCapabilities(group)) },
    metrics: {},
    public_jobs: {},
    verified,
    maintainer,
  }
}

function exportsUnsubscribeConfigs(group: PluginGroup): Endpoint {
  return endpoint({
    name: `${group}_exports_unsubscribe_configs`,
    method: "GET",
    path: `/api/organizations/:organization_id/${group}/exports_unsubscribe_configs`,
    tag,
    summary: "List every enabled use of a plugin in the organization's projects.",
    access: inOrganization(),
    scope: "plugin:read",
    isKept: true,
    pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
    reply: envelopeOf(PluginConfig),
    load: mayRead,

    async handle({ db, caller, organization, page, paginate }) {
      const seer = { user_id: caller.user.id, organization_id: organization.id }
      return paginate(await listEnabledConfigs(db, { ...seer, level: organization.level }, page))
    },
  })
}

export function collectionEndpoints(group: PluginGroup): readonly Endpoint[] {
  return [activity(group), unused(group), repository(group), exportsUnsubscribeConfigs(group)]
}
