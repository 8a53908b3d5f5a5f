/** Three groups of endpoints over one table: each shows what was created through it or can do its work. */
import { notFound } from "../../lib/errors.ts"
import type { PluginGroup } from "../../plugins/groups.ts"
import { changesBetween, recordActivity } from "../activity-log/store.ts"
import { inOrganization } from "../http/access.ts"
import { type Endpoint, endpoint, updateEndpoints } from "../http/endpoint.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import { collectionEndpoints } from "./collection-endpoints.ts"
import { entryOf, loaders, mayInstall, mayRead, tag } from "./context.ts"
import { alreadyInstalled, prepareInstallation } from "./install.ts"
import { checkGlobal, checkRemovable } from "./rules.ts"
import { Plugin, PluginDraft, PluginUpdate } from "./schema.ts"
import { sourceEndpoints } from "./source-endpoints.ts"
import { replaceSourceFiles } from "./source-store.ts"
import { createPlugin, findPlugin, listPlugins, removePlugin, updatePlugin } from "./store.ts"

function list(group: PluginGroup): Endpoint {
  return endpoint({
    name: `${group}_list`,
    method: "GET",
    path: `/api/organizations/:organization_id/${group}`,
    tag,
    summary: "List the plugins of this group, by id.",
    access: inOrganization(),
    scope: "plugin:read",
    isKept: true,
    pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
    reply: envelopeOf(Plugin),
    load: mayRead,

    async handle({ db, organization, page, paginate }) {
      const view = { organization_id: organization.id, group }
      return paginate(await listPlugins(db, view, page))
    },
  })
}

function create(group: PluginGroup): Endpoint {
  return endpoint({
    name: `${group}_create`,
    method: "POST",
    path: `/api/organizations/:organization_id/${group}`,
    tag,
    summary:
      "Install a plugin from a url or an archive, or begin one whose source is written here.",
    access: inOrganization(),
    scope: "plugin:write",
    // A download takes seconds; afterwards the caller must still be a member.
    lock: "organization",
    body: PluginDraft,
    takesUpload: true,
    reply: Plugin,
    status: 201,
    load: mayInstall,

    async outside({ db, services, organization, body }) {
      checkGlobal(body.is_global === true, organization)
      const view = { organization_id: organization.id, group }
      return prepareInstallation({ db, services }, view, body)
    },

    async handle({ db, caller, now, organization, body, brought: { plugin: draft, files } }) {
      checkGlobal(body.is_global === true, organization)
      const id = await createPlugin(db, { ...draft, now })
      if (id === undefined) throw alreadyInstalled(draft.url)
      await replaceSourceFiles(db, id, { files, now })
      const plugin = await findPlugin(db, { id, organization_id: organization.id, group })
      if (plugin === undefined) throw notFound()
      const entry = { ...entryOf(organization, plugin), activity: "installed" }
      await recordActivity(db, { caller, now }, entry)
      return plugin
    },
  })
}

function retrieve(group: PluginGroup): Endpoint {
  return endpoint({
    name: `${group}_retrieve`,
    method: "GET",
    path: `/api/organizations/:organization_id/${group}/:id`,
    tag,
    summary: "Get one plugin.",
    access: inOrganization(),
    scope: "plugin:read",
    isKept: true,
    reply: Plugin,
    load: loaders(group).toRead,

    handle: async ({ loaded }) => loaded,
  })
}

function update(group: PluginGroup): readonly Endpoint[] {
  return updateEndpoints({
    name: `${group}_update`,
    path: `/api/organizations/:organization_id/${group}/:id`,
    tag,
    summary: "Change what is shown of a plugin; its source has an action of its own.",
    access: inOrganization(),
    scope: "plugin:write",
    body: PluginUpdate,
    reply: Plugin,
    load: loaders(group).toChange,

    async handle({ db, caller, now, organization, loaded: before, body }) {
      checkGlobal(body.is_global !== undefined, organization)
      const after = await updatePlugin(db, before.id, { changes: body, now })
      if (after === undefined) throw notFound()
      const changes = changesBetween("Plugin", before, after)
      const entry = { ...entryOf(organization, after), activity: "updated", changes }
      await recordActivity(db, { caller, now }, entry)
      return after
    },
  })
}

function remove(group: PluginGroup): Endpoint {
  return endpoint({
    name: `${group}_destroy`,
    method: "DELETE",
    path: `/api/organizations/:organization_id/${group}/:id`,
    tag,
    summary: "Uninstall a plugin, with its source and with every use of it.",
    access: inOrganization(),
    scope: "plugin:write",
    reply: null,
    load: loaders(group).toChange,

    async handle({ db, caller, now, organization, loaded: plugin }) {
      checkRemovable(plugin)
      await removePlugin(db, plugin.id)
      const entry = { ...entryOf(organization, plugin), activity: "uninstalled" }
      await recordActivity(db, { caller, now }, entry)
      return null
    },
  })
}

/** Import apps can be listed, installed and looked at; the rest of the interface leaves them out. */
const basics = (group: PluginGroup) => [list(group), create(group), retrieve(group)]

const everything = (group: PluginGroup) => [
  ...basics(group),
  ...update(group),
  remove(group),
  ...sourceEndpoints(group),
  ...collectionEndpoints(group),
]

export const pluginEndpoints: readonly Endpoint[] = [
  ...everything("pipeline_destinations"),
  ...everything("pipeline_frontend_apps"),
  ...basics("pipeline_import_apps"),
]
