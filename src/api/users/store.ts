import { notFound } from "../../lib/errors.ts"
import { newUuid, randomToken } from "../../lib/ids.ts"
import { type Db, first, one } from "../../relational/db.ts"
import { projectBasics, visibleTo } from "../projects/store.ts"
import type { Me, MeSettings } from "./schema.ts"

export interface NewUser {
  readonly email: string
  readonly first_name: string
  readonly last_name?: string
  readonly password_hash: string | null
  readonly is_email_verified: boolean | null
  readonly now: Date
}

/** The caller has made sure that the address is free. */
export async function createUser(db: Db, draft: NewUser): Promise<number> {
  const { id } = await one(db<{ id: number }[]>`
    insert into app_user (uuid, distinct_id, email, first_name, last_name, password_hash,
                          is_email_verified, date_joined)
    values (${newUuid()}, ${randomToken()}, ${draft.email}, ${draft.first_name},
            ${draft.last_name ?? ""}, ${draft.password_hash}, ${draft.is_email_verified}, ${draft.now})
    returning id`)
  return id
}

/** `EmbeddedUser` of table `u`. */
export function embeddedUser(db: Db) {
  return db`jsonb_build_object(
    'id', u.id, 'uuid', u.uuid, 'distinct_id', u.distinct_id, 'first_name', u.first_name,
    'last_name', u.last_name, 'email', u.email, 'is_email_verified', u.is_email_verified,
    'hedgehog_config', u.hedgehog_config)`
}

/** What signing in needs to know; never part of an answer. */
export interface Account {
  readonly id: number
  readonly email: string
  readonly password_hash: string | null
  readonly is_active: boolean
}

/** By e-mail address, in whatever case. */
export function findAccount(db: Db, email: string): Promise<Account | undefined> {
  return first(db<Account[]>`
    select id, email, password_hash, is_active from app_user where lower(email) = lower(${email})`)
}

/** False when the account is no longer what it was, or not active. */
export async function recordSignIn(db: Db, account: Account, now: Date): Promise<boolean> {
  const { count } = await db`
    update app_user set last_login = ${now}
    where id = ${account.id} and is_active and password_hash = ${account.password_hash}`
  return count === 1
}

export async function findPasswordHash(db: Db, id: number): Promise<string | null> {
  const row = await first(db<Pick<Account, "password_hash">[]>`
    select password_hash from app_user where id = ${id}`)
  return row?.password_hash ?? null
}

/** Holds the user's row until the transaction ends, for writes that depend on what the user has. */
export async function lockUser(db: Db, id: number): Promise<Account> {
  const row = await first(db<Account[]>`
    select id, email, password_hash, is_active from app_user where id = ${id} for no key update`)
  if (row === undefined) throw notFound()
  return row
}

/** A user as the table and the memberships have it; the current organization is only named. */
export type StoredMe = Omit<Me, "organization"> & {
  readonly current_organization_id: string | null
}

/** The current places are the stored ones while they are open to the user, else the first that are. */
export function getStoredMe(db: Db, id: number): Promise<StoredMe> {
  return one(db<StoredMe[]>`
    select u.id, u.uuid, u.distinct_id, u.date_joined, u.first_name, u.last_name, u.email,
           null as pending_email, u.is_email_verified, u.email_opt_in, u.notification_settings,
           u.anonymize_data, u.toolbar_mode, u.theme_mode, u.hedgehog_config, u.events_column_config,
           '[]'::jsonb as scene_personalisation, u.password_hash is not null as has_password,
           false as has_social_auth, false as is_2fa_enabled, u.is_staff, false as is_impersonated,
           c.organization_id as current_organization_id,
           (select ${projectBasics(db)} from project p
            where p.organization_id = c.organization_id
              and ${visibleTo(db, { id, level: db`c.level` })}
            order by p.id = u.current_project_id desc nulls last, p.id limit 1) as team,
           (select coalesce(jsonb_agg(jsonb_build_object(
              'id', o.id, 'name', o.name, 'slug', o.slug, 'logo_media_id', o.logo_media_id,
              'membership_level', m.level) order by m.joined_at, m.id), '[]')
            from membership m join organization o on o.id = m.organization_id
            where m.user_id = u.id) as organizations
    from app_user u left join lateral (
      select m.organization_id, m.level from membership m where m.user_id = u.id
      order by m.organization_id = u.current_organization_id desc nulls last, m.joined_at, m.id
      limit 1) c on true
    where u.id = ${id}`)
}

export interface UserChanges extends MeSettings {
  readonly password_hash?: string
  readonly is_email_verified?: null
  readonly current_organization_id?: string
  readonly current_project_id?: number | null
}

const JSON_COLUMNS = ["hedgehog_config", "notification_settings", "events_column_config"] as const

export async function updateUser(db: Db, id: number, changes: UserChanges): Promise<void> {
  const row: Record<string, unknown> = { ...changes }
  for (const column of JSON_COLUMNS) {
    if (row[column] != null) row[column] = db.json(row[column] as never)
  }
  if (Object.keys(row).length === 0) return
  await db`update app_user set ${db(row as never)} where id = ${id}`
}

/** Those of the organizations that the user is a member of. */
export async function listOwnOrganizations(
  db: Db,
  userId: number,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select organization_id as id from membership
    where user_id = ${userId} and organization_id = any(${[...ids]}::uuid[])`
  return rows.map(({ id }) => id)
}

export interface OwnProject {
  readonly id: number
  readonly organization_id: string
}

/** Those of the projects that the user can see. */
export function listOwnProjects(
  db: Db,
  userId: number,
  ids: readonly number[],
): Promise<readonly OwnProject[]> {
  return db<OwnProject[]>`
    select p.id, p.organization_id
    from project p join membership m on m.organization_id = p.organization_id
    where m.user_id = ${userId} and p.id = any(${[...ids]}::integer[])
      and ${visibleTo(db, { id: userId, level: db`m.level` })}`
}

/** Where somebody who comes to the organization starts: the oldest project they can see. */
export async function findFirstProject(
  db: Db,
  userId: number,
  organizationId: string,
): Promise<number | undefined> {
  const row = await first(db<{ id: number }[]>`
    select p.id from project p join membership m on m.organization_id = p.organization_id
    where m.user_id = ${userId} and p.organization_id = ${organizationId}
      and ${visibleTo(db, { id: userId, level: db`m.level` })}
    order by p.id limit 1`)
  return row?.id
}
