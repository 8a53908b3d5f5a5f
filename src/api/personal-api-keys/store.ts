import { randomToken, sha256Hex } from "../../lib/ids.ts"
import { type Db, first, one } from "../../relational/db.ts"
import { lockUser } from "../users/store.ts"
import type { PersonalApiKey } from "./schema.ts"

export const KEYS_PER_USER_MAX = 10
const KEY_PREFIX = "phx_"
const ID_LENGTH = 10
const MASK_EDGE = 4

export interface NewKey {
  readonly user_id: number
  readonly label: string
  readonly scopes: readonly string[]
  readonly scoped_teams: readonly number[]
  readonly scoped_organizations: readonly string[]
  readonly now: Date
  /** Given only at the first start. */
  readonly value?: string | undefined
}

export interface FreshKey {
  readonly id: string
  readonly value: string
}

/** Only the hash of the value is stored: it is returned here and can never be read again. */
export async function createKey(db: Db, draft: NewKey): Promise<FreshKey> {
  const value = draft.value ?? newValue()
  const id = randomToken(ID_LENGTH)
  await db`
    insert into personal_api_key (id, user_id, label, value_hash, mask_value, scopes, scoped_teams,
                                  scoped_organizations, created_at)
    values (${id}, ${draft.user_id}, ${draft.label}, ${sha256Hex(value)}, ${maskOf(value)},
            ${[...draft.scopes]}::text[], ${[...draft.scoped_teams]}::integer[],
            ${[...draft.scoped_organizations]}::uuid[], ${draft.now})`
  return { id, value }
}

/** Undefined when the user has as many keys as there may be. To be called in a transaction. */
export async function createKeyIfRoom(db: Db, draft: NewKey): Promise<FreshKey | undefined> {
  await lockUser(db, draft.user_id)
  const { count } = await one(db<{ count: number }[]>`
    select count(*) from personal_api_key where user_id = ${draft.user_id}`)
  return count < KEYS_PER_USER_MAX ? createKey(db, draft) : undefined
}

/** A new value for the same key; the one before stops working. */
export async function rollKey(db: Db, id: string): Promise<FreshKey> {
  const value = newValue()
  await db`
    update personal_api_key
    set value_hash = ${sha256Hex(value)}, mask_value = ${maskOf(value)}, last_used_at = null
    where id = ${id}`
  return { id, value }
}

function newValue(): string {
  return `${KEY_PREFIX}${randomToken()}`
}

function maskOf(value: string): string {
  return `${value.slice(0, MASK_EDGE)}...${value.slice(-MASK_EDGE)}`
}

/** A key without scopes may do everything, and says so. */
function keyColumns(db: Db) {
  return db`k.id, k.label, null as value, k.mask_value, k.created_at, k.last_used_at, k.user_id,
            coalesce(nullif(k.scopes, '{}'), '{*}') as scopes, k.scoped_teams, k.scoped_organizations`
}

/** What else the path may hold, such as NUL, PostgreSQL would not even look at. */
const KEY_ID = /^[0-9A-Za-z]+$/

/** Newest first. */
export function listKeys(db: Db, userId: number): Promise<readonly PersonalApiKey[]> {
  return db<PersonalApiKey[]>`
    select ${keyColumns(db)} from personal_api_key k
    where k.user_id = ${userId} order by k.created_at desc, k.id`
}

export async function findKey(
  db: Db,
  userId: number,
  id: string,
): Promise<PersonalApiKey | undefined> {
  if (!KEY_ID.test(id)) return undefined
  return first(db<PersonalApiKey[]>`
    select ${keyColumns(db)} from personal_api_key k where k.user_id = ${userId} and k.id = ${id}`)
}

export type KeyRights = Pick<NewKey, "label" | "scopes" | "scoped_teams" | "scoped_organizations">

export async function updateKey(db: Db, id: string, key: KeyRights): Promise<void> {
  await db`
    update personal_api_key
    set label = ${key.label}, scopes = ${[...key.scopes]}::text[],
        scoped_teams = ${[...key.scoped_teams]}::integer[],
        scoped_organizations = ${[...key.scoped_organizations]}::uuid[]
    where id = ${id}`
}

/** False when there is no such key. */
export async function removeKey(db: Db, id: string): Promise<boolean> {
  const { count } = await db`delete from personal_api_key where id = ${id}`
  return count === 1
}

export type OwnedKey = PersonalApiKey & { readonly email: string }

/** Of all users, for the operator. */
export function listKeysOfAll(db: Db): Promise<readonly OwnedKey[]> {
  return db<OwnedKey[]>`
    select ${keyColumns(db)}, u.email
    from personal_api_key k join app_user u on u.id = k.user_id
    order by lower(u.email), k.created_at desc, k.id`
}
