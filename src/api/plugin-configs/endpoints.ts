/** How projects use plugins: switched on or off, with the settings that the plugin asks for. */
import { invalid, notFound } from "../../lib/errors.ts"
import { checkMay, type PluginOwner } from "../../plugins/access-level.ts"
import type { Db } from "../../relational/db.ts"
import { type Author, recordActivity } from "../activity-log/store.ts"
import { inProject } from "../http/access.ts"
import { endpoint, updateEndpoints } from "../http/endpoint.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import { findVisiblePlugin } from "../plugins/store.ts"
import { activitiesOf, entryOf } from "./activity.ts"
import { checkComplete, editSettings, noSettings } from "./rules.ts"
import { PluginConfig, PluginConfigDraft, PluginConfigUpdate } from "./schema.ts"
import {
  createConfig,
  findConfig,
  listConfigs,
  removeConfig,
  type StoredConfig,
  secretBoxOf,
  shownConfig,
  updateConfig,
} from "./store.ts"

const tag = "Plugin configs"
const ID_MAX = 2_147_483_647

interface Place {
  readonly organization: PluginOwner
}

interface ConfigPlace extends Place {
  readonly db: Db
  readonly params: { readonly id: string }
  readonly project: { readonly id: number }
}

async function mayConfigure({ organization }: Place): Promise<void> {
  checkMay("configure", organization)
}

const load = (place: ConfigPlace) => getConfig(place, "read")
const loadToWrite = (place: ConfigPlace) => getConfig(place, "write")

const list = endpoint({
  name: "plugin_configs_list",
  method: "GET",
  path: "/api/projects/:project_id/plugin_configs",
  tag,
  summary: "List the plugins that a project uses, in the order in which they run.",
  access: inProject(),
  scope: "plugin:read",
  isKept: true,
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  reply: envelopeOf(PluginConfig),
  load: mayConfigure,

  async handle({ db, project, page, paginate }) {
    return paginate(await listConfigs(db, project.id, page))
  },
})

const create = endpoint({
  name: "plugin_configs_create",
  method: "POST",
  path: "/api/projects/:project_id/plugin_configs",
  tag,
  summary: "Use a plugin in a project.",
  access: inProject(),
  scope: "plugin:write",
  body: PluginConfigDraft,
  reply: PluginConfig,
  status: 201,
  load: mayConfigure,

  async handle({ db, caller, now, services, organization, project, body }) {
    const name = { id: body.plugin, organization_id: organization.id }
    const plugin = await findVisiblePlugin(db, name)
    if (plugin === undefined) {
      throw invalid(`There is no plugin with the id ${body.plugin}.`, "plugin", "does_not_exist")
    }
    const { seal } = secretBoxOf(services.secretKey)
    const sent = body.config ?? {}
    const settings = editSettings(plugin.config_schema, noSettings, { sent, seal })
    checkComplete(plugin.config_schema, settings)
    const config = await createConfig(db, { ...body, ...settings, project_id: project.id, now })
    await record(db, { caller, now, organization }, { before: undefined, after: config })
    return shownConfig(config)
  },
})

const retrieve = endpoint({
  name: "plugin_configs_retrieve",
  method: "GET",
  path: "/api/projects/:project_id/plugin_configs/:id",
  tag,
  summary: "Get how a project uses a plugin.",
  access: inProject(),
  scope: "plugin:read",
  isKept: true,
  reply: PluginConfig,
  load,

  handle: async ({ loaded }) => shownConfig(loaded),
})

const update = updateEndpoints({
  name: "plugin_configs_update",
  path: "/api/projects/:project_id/plugin_configs/:id",
  tag,
  summary: "Switch a plugin on or off in a project, or change its settings.",
  access: inProject(),
  scope: "plugin:write",
  body: PluginConfigUpdate,
  reply: PluginConfig,
  load: loadToWrite,

  async handle({ db, caller, now, services, organization, loaded: before, body }) {
    const { config: sent, ...plain } = body
    const schema = before.plugin_info.config_schema
    const { seal } = secretBoxOf(services.secretKey)
    const settings = sent && editSettings(schema, before, { sent, seal })
    // What the plugin asks for may have grown meanwhile: that must not keep anyone from switching it off.
    if (sent !== undefined || body.enabled === true) checkComplete(schema, settings ?? before)
    const after = await updateConfig(db, before.id, { ...plain, ...settings, updated_at: now })
    await record(db, { caller, now, organization }, { before, after })
    return shownConfig(after)
  },
})

const remove = endpoint({
  name: "plugin_configs_destroy",
  method: "DELETE",
  path: "/api/projects/:project_id/plugin_configs/:id",
  tag,
  summary: "Stop using a plugin in a project, and forget its settings.",
  access: inProject(),
  scope: "plugin:write",
  reply: null,
  load: loadToWrite,

  async handle({ db, caller, now, organization, loaded: config }) {
    await removeConfig(db, config.id, now)
    const entry = { ...entryOf(organization, config), activity: "deleted" }
    await recordActivity(db, { caller, now }, entry)
    return null
  },
})

export const pluginConfigEndpoints = [list, create, retrieve, ...update, remove]

async function getConfig(place: ConfigPlace, purpose: "read" | "write"): Promise<StoredConfig> {
  checkMay("configure", place.organization)
  const { db, params, project } = place
  const id = Number(params.id)
  const canBeId = /^\d{1,10}$/.test(params.id) && id <= ID_MAX
  const config = canBeId ? await findConfig(db, { id, project_id: project.id }, purpose) : undefined
  if (config === undefined) throw notFound()
  return config
}

async function record(
  db: Db,
  { organization, ...author }: Author & Place,
  { before, after }: { before: StoredConfig | undefined; after: StoredConfig },
): Promise<void> {
  for (const happened of activitiesOf(before, after)) {
    await recordActivity(db, author, { ...entryOf(organization, after), ...happened })
  }
}
