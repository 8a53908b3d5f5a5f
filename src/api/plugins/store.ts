/** The table of plugins. Files are in `source-store.ts`, how projects use plugins in `plugin-configs`. */
import type { PluginGroup } from "../../plugins/groups.ts"
import { type Db, first } from "../../relational/db.ts"
import { type Listing, listed, type Page } from "../http/paging.ts"
import type { Plugin, PluginUpdate } from "./schema.ts"

type Condition = ReturnType<Db>

/** A plugin `p` with its organization `o`, as the API shows it. */
export function pluginColumns(db: Db) {
  return db`p.id, p.plugin_type, p.name, p.description, p.url, p.icon, p.config_schema, p.tag,
    p.latest_tag, p.is_global, p.organization_id, o.name as organization_name, p.capabilities,
    p.metrics, p.public_jobs`
}

/** What was created through the group, and what can do the work of it. */
function isInGroup(db: Db, group: PluginGroup): Condition {
  return db`(p.pipeline_group = ${group} or ${fitsGroup(db, group)})`
}

function fitsGroup(db: Db, group: PluginGroup): Condition {
  const has = (method: string) => db`p.capabilities->'methods' @> ${db.json([method])}`
  switch (group) {
    case "pipeline_destinations":
      return db`(${has("onEvent")} or ${has("composeWebhook")})`
    case "pipeline_frontend_apps":
      return db`not p.capabilities ?| array['methods', 'scheduled_tasks']`
    case "pipeline_import_apps":
      return db`(
        p.capabilities->'scheduled_tasks' <> '[]'
        or (p.capabilities ? 'methods' and not
            (${has("onEvent")} or ${has("composeWebhook")} or ${has("processEvent")})))`
  }
}

/** Its own, the global ones, and those that a project of it uses. */
function isVisibleTo(db: Db, organizationId: string): Condition {
  return db`(p.organization_id = ${organizationId} or p.is_global or exists (
    select 1 from plugin_config c join project q on q.id = c.project_id
    where c.plugin_id = p.id and not c.deleted and q.organization_id = ${organizationId}))`
}

export interface PluginView {
  readonly organization_id: string
  readonly group: PluginGroup
}

/** By id, oldest first. */
export function listPlugins(db: Db, view: PluginView, page: Page): Promise<Listing<Plugin>> {
  return listWhere(db, inView(db, view), page)
}

/**
 * Plugins that nobody has enabled: of the organization's own ones nobody at all, so that it can remove
 * them; of others nobody here.
 */
export function listUnusedPlugins(db: Db, view: PluginView, page: Page): Promise<Listing<Plugin>> {
  const isUsed = db`exists (
    select 1 from plugin_config c join project q on q.id = c.project_id
    where c.plugin_id = p.id and c.enabled and not c.deleted
      and ${view.organization_id} in (p.organization_id, q.organization_id))`
  return listWhere(db, db`${inView(db, view)} and not ${isUsed}`, page)
}

function inView(db: Db, { organization_id, group }: PluginView): Condition {
  return db`${isVisibleTo(db, organization_id)} and ${isInGroup(db, group)}`
}

function listWhere(db: Db, condition: Condition, page: Page): Promise<Listing<Plugin>> {
  return listed(
    page,
    db<Plugin[]>`
      select ${pluginColumns(db)} from plugin p join organization o on o.id = p.organization_id
      where ${condition} order by p.id limit ${page.limit} offset ${page.offset}`,
    () => db<{ count: number }[]>`select count(*) from plugin p where ${condition}`,
  )
}

/** To write, the row is locked until the end of the transaction. */
export function findPlugin(
  db: Db,
  { id, organization_id, group }: PluginView & { id: number },
  purpose: "read" | "write" = "read",
): Promise<Plugin | undefined> {
  return first(db<Plugin[]>`
    select ${pluginColumns(db)} from plugin p join organization o on o.id = p.organization_id
    where p.id = ${id} and ${inView(db, { organization_id, group })}
    ${purpose === "write" ? db`for no key update of p` : db``}`)
}

/** In whatever group. */
export function findVisiblePlugin(
  db: Db,
  { id, organization_id }: { id: number; organization_id: string },
): Promise<Plugin | undefined> {
  return first(db<Plugin[]>`
    select ${pluginColumns(db)} from plugin p join organization o on o.id = p.organization_id
    where p.id = ${id} and ${isVisibleTo(db, organization_id)}`)
}

export interface NewPlugin
  extends Omit<Plugin, "id" | "organization_id" | "organization_name" | "latest_tag"> {
  readonly organization_id: string
  readonly pipeline_group: PluginGroup
  /** Sealed. */
  readonly private_token: string | null
  readonly comparable_url: string | null
  readonly now: Date
}

/** Undefined when the url is taken. A new plugin is up to date. */
export async function createPlugin(db: Db, draft: NewPlugin): Promise<number | undefined> {
  const row = await first(db<{ id: number }[]>`
    insert into plugin
      (organization_id, pipeline_group, plugin_type, name, description, url, private_token,
       comparable_url, icon, config_schema, tag, latest_tag, is_global, capabilities, metrics,
       public_jobs, created_at, updated_at)
    values (${draft.organization_id}, ${draft.pipeline_group}, ${draft.plugin_type},
            ${draft.name}, ${draft.description}, ${draft.url}, ${draft.private_token}, ${draft.comparable_url}, ${draft.icon},
            ${db.json(draft.config_schema as never)}, ${draft.tag},
            ${draft.url === null ? null : draft.tag}, ${draft.is_global},
            ${db.json(draft.capabilities as never)}, ${db.json(draft.metrics as never)},
            ${db.json(draft.public_jobs as never)}, ${draft.now}, ${draft.now})
    on conflict do nothing
    returning id`)
  return row?.id
}

/** By any organization; what is shipped each may have once. */
export async function isUrlTaken(
  db: Db,
  { comparable_url, organization_id }: Pick<NewPlugin, "organization_id" | "comparable_url">,
): Promise<boolean> {
  const rows = await db`
    select 1 from plugin where comparable_url = ${comparable_url}
      and (organization_id = ${organization_id} or comparable_url not like 'shipped:%')`
  return rows.length > 0
}

/** The sealed token that came with the url. */
export async function findPrivateToken(db: Db, id: number): Promise<string | null | undefined> {
  const row = await first(db<{ private_token: string | null }[]>`
    select private_token from plugin where id = ${id}`)
  return row?.private_token
}

export interface PluginChanges extends Omit<PluginUpdate, "capabilities"> {
  readonly capabilities?: Plugin["capabilities"] | undefined
  readonly latest_tag?: string | null
}

const JSON_COLUMNS: readonly string[] = ["config_schema", "capabilities", "metrics", "public_jobs"]

/** Undefined when the plugin is gone. */
export function updatePlugin(
  db: Db,
  id: number,
  { changes, now }: { changes: PluginChanges; now: Date },
): Promise<Plugin | undefined> {
  const values = Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => [
      column,
      JSON_COLUMNS.includes(column) ? db.json(value as never) : value,
    ])
  const row: Record<string, unknown> = { ...Object.fromEntries(values), updated_at: now }
  return first(db<Plugin[]>`
    update plugin p set ${db(row)} from organization o
    where p.id = ${id} and o.id = p.organization_id
    returning ${pluginColumns(db)}`)
}

export async function removePlugin(db: Db, id: number): Promise<void> {
  await db`delete from plugin where id = ${id}`
}

export interface InstalledUrl {
  readonly comparable_url: string
  readonly id: number
  readonly organization_id: string
  readonly organization_name: string
}

/** Which of the urls are installed where the organization can see it, its own ones last. */
export function listInstalledUrls(
  db: Db,
  { urls, organization_id }: { urls: readonly string[]; organization_id: string },
): Promise<readonly InstalledUrl[]> {
  return db<InstalledUrl[]>`
    select p.comparable_url, p.id, p.organization_id, o.name as organization_name
    from plugin p join organization o on o.id = p.organization_id
    where p.comparable_url = any(${[...urls]}) and ${isVisibleTo(db, organization_id)}
    order by p.organization_id = ${organization_id}, p.id`
}
