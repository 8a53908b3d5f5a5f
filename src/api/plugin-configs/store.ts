import { createSecretBox } from "../../lib/secret-box.ts"
import { type Db, first, one } from "../../relational/db.ts"
import { type Listing, listed, type Page } from "../http/paging.ts"
import type { Plugin } from "../plugins/schema.ts"
import { pluginColumns } from "../plugins/store.ts"
import { visibleTo } from "../projects/store.ts"
import { type StoredSettings, shownSettings } from "./rules.ts"
import type { PluginConfig, PluginConfigUpdate } from "./schema.ts"

type Fragment = ReturnType<Db>

/** As stored: the plain settings, and the secret ones sealed. */
export interface StoredConfig extends Omit<PluginConfig, "config">, StoredSettings {
  readonly plugin_info: Plugin
}

export function secretBoxOf(secretKey: string) {
  return createSecretBox(secretKey, "plugin config")
}

/** A config without what must not be seen. */
export function shownConfig({ secrets, config, ...rest }: StoredConfig): PluginConfig {
  const schema = rest.plugin_info.config_schema
  return { ...rest, config: { ...shownSettings(schema, { config, secrets }) } }
}

/** A config `c` of a plugin `p` with its organization `o`. */
function configs(db: Db) {
  return db`
    select c.id, c.plugin_id as plugin, c.enabled, c."order", c.config, c.secrets, null as error,
           c.project_id as team_id, null as delivery_rate_24h, c.created_at, c.updated_at, c.name,
           c.description, c.deleted,
           (select to_jsonb(shown) from (select ${pluginColumns(db)}) shown) as plugin_info
    from plugin_config c
    join plugin p on p.id = c.plugin_id
    join organization o on o.id = p.organization_id`
}

/** In the order in which they run. */
export function listConfigs(db: Db, projectId: number, page: Page): Promise<Listing<PluginConfig>> {
  const matching: Fragment = db`c.project_id = ${projectId} and not c.deleted`
  return listWhere(db, { matching, order: db`c."order", c.id` }, page)
}

export interface Seer {
  readonly user_id: number
  readonly organization_id: string
  readonly level: number
}

/** What a plugin that only changes events has, besides what any may have. */
const TRANSFORMING = ["processEvent", "setupPlugin", "teardownPlugin", "getSettings"]

/**
 * What exports data out of the organization's projects, as far as the user sees them. Left out is what
 * cannot: global transformations, and plugins that are not known to do anything.
 */
export function listEnabledConfigs(db: Db, seer: Seer, page: Page): Promise<Listing<PluginConfig>> {
  const sees = visibleTo(db, { id: seer.user_id, level: db`${seer.level}::integer` })
  const matching: Fragment = db`c.enabled and not c.deleted
    and c.project_id in (
      select p.id from project p where p.organization_id = ${seer.organization_id} and ${sees})
    and (p.capabilities->'scheduled_tasks' <> '[]'
         or (p.capabilities->'methods')
            - (case when p.is_global then ${TRANSFORMING}::text[] else '{}' end) <> '[]')`
  return listWhere(db, { matching, order: db`c.id` }, page)
}

async function listWhere(
  db: Db,
  { matching, order }: { matching: Fragment; order: Fragment },
  page: Page,
): Promise<Listing<PluginConfig>> {
  const { count, results } = await listed(
    page,
    db<StoredConfig[]>`
      ${configs(db)} where ${matching} order by ${order} limit ${page.limit} offset ${page.offset}`,
    () => db<{ count: number }[]>`
      select count(*) from plugin_config c join plugin p on p.id = c.plugin_id where ${matching}`,
  )
  return { count, results: results.map(shownConfig) }
}

export function findConfig(
  db: Db,
  { id, project_id }: { id: number; project_id: number },
  purpose: "read" | "write" = "read",
): Promise<StoredConfig | undefined> {
  return first(db<StoredConfig[]>`
    ${configs(db)} where c.id = ${id} and c.project_id = ${project_id} and not c.deleted
    ${purpose === "write" ? db`for no key update of c` : db``}`)
}

export interface NewConfig extends Omit<PluginConfigUpdate, "config">, StoredSettings {
  readonly plugin: number
  readonly project_id: number
  readonly now: Date
}

export async function createConfig(db: Db, draft: NewConfig): Promise<StoredConfig> {
  const { id } = await one(db<{ id: number }[]>`
    insert into plugin_config (plugin_id, project_id, enabled, "order", config, secrets, name,
                               description, created_at, updated_at)
    values (${draft.plugin}, ${draft.project_id}, ${draft.enabled ?? false}, ${draft.order ?? 0},
            ${db.json(draft.config as never)}, ${db.json(draft.secrets as never)},
            ${draft.name ?? null}, ${draft.description ?? null}, ${draft.now}, ${draft.now})
    returning id`)
  return one(db<StoredConfig[]>`${configs(db)} where c.id = ${id}`)
}

export interface ConfigChanges extends Omit<PluginConfigUpdate, "config">, Partial<StoredSettings> {
  readonly updated_at: Date
}

export async function updateConfig(
  db: Db,
  id: number,
  { config, secrets, ...plain }: ConfigChanges,
): Promise<StoredConfig> {
  const row: Record<string, unknown> = {
    ...plain,
    ...(config && { config: db.json(config as never) }),
    ...(secrets && { secrets: db.json(secrets as never) }),
  }
  await db`update plugin_config set ${db(row)} where id = ${id}`
  return one(db<StoredConfig[]>`${configs(db)} where c.id = ${id}`)
}

/** Kept, so that the log still makes sense; its settings are not. */
export async function removeConfig(db: Db, id: number, now: Date): Promise<void> {
  await db`
    update plugin_config set deleted = true, enabled = false, config = '{}', secrets = '{}',
                             updated_at = ${now}
    where id = ${id}`
}
