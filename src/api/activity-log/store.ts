/** Who changed what: one row per management write, in the transaction of the write. */
import { newUuid } from "../../lib/ids.ts"
import type { Db } from "../../relational/db.ts"
import { LEVEL } from "../http/levels.ts"
import { type Listing, listed, type Page } from "../http/paging.ts"
import { visibleTo } from "../projects/store.ts"
import type { ActivityEntry, Change } from "./schema.ts"

export interface NewActivity {
  readonly organization_id: string | null
  readonly project_id?: number | null
  readonly activity: string
  readonly scope: string
  readonly item_id: string | number
  readonly name: string | null
  readonly changes?: readonly Change[] | null
}

export interface Author {
  readonly caller: { readonly user: { readonly id: number } } | undefined
  readonly now: Date
}

export async function recordActivity(db: Db, { caller, now }: Author, entry: NewActivity) {
  const detail = {
    name: entry.name,
    changes: entry.changes ?? null,
    trigger: null,
    type: null,
    short_id: null,
  }
  await db`
    insert into activity_log (id, organization_id, project_id, user_id, activity, scope, item_id,
                              detail, created_at)
    values (${newUuid()}, ${entry.organization_id}, ${entry.project_id ?? null},
            ${caller?.user.id ?? null}, ${entry.activity}, ${entry.scope}, ${String(entry.item_id)},
            ${db.json(detail as never)}, ${now})`
}

/** What differs between two records, field by field; secrets are named, never shown. */
export function changesBetween(
  type: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  secretFields: readonly string[] = [],
): Change[] {
  return Object.keys(after).flatMap((field) => {
    if (JSON.stringify(before[field] ?? null) === JSON.stringify(after[field] ?? null)) return []
    const show = (value: unknown) => (secretFields.includes(field) ? null : (value ?? null))
    const action = before[field] == null ? "created" : after[field] == null ? "deleted" : "changed"
    return [{ type, action, field, before: show(before[field]), after: show(after[field]) }]
  })
}

export interface ActivityFilter {
  readonly organization_id: string
  readonly scopes: readonly string[]
  /** Only what happened in this project, or to this item. */
  readonly project_id?: number | undefined
  readonly item_id?: string | undefined
  /** Who looks, and at which level: what happened in a private project is for those who see it. */
  readonly seer: { readonly user_id: number; readonly level: number }
}

/** Newest first. */
export function listActivity(
  db: Db,
  filter: ActivityFilter,
  page: Page,
): Promise<Listing<ActivityEntry>> {
  const { user_id: id, level } = filter.seer
  const sees = visibleTo(db, { id, level: db`${level}::integer` })
  const { project_id, item_id } = filter
  const matching = db`from activity_log a
    where a.organization_id = ${filter.organization_id} and a.scope = any(${[...filter.scopes]})
      ${project_id === undefined ? db`` : db`and a.project_id = ${project_id}`}
      ${item_id === undefined ? db`` : db`and a.item_id = ${item_id}`}
      and (a.project_id is null or ${level} >= ${LEVEL.admin}
           or exists (select 1 from project p where p.id = a.project_id and ${sees}))`
  return listed(
    page,
    db<ActivityEntry[]>`
      select a.id, a.activity, a.scope, a.item_id, a.detail, a.created_at,
             (select jsonb_build_object('first_name', u.first_name, 'email', u.email)
              from app_user u where u.id = a.user_id) as user,
             a.user_id is null as is_system
      ${matching} order by a.id desc limit ${page.limit} offset ${page.offset}`,
    () => db<{ count: number }[]>`select count(*) ${matching}`,
  )
}
