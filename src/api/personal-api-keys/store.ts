import { randomToken, sha256Hex } from "../../lib/ids.ts"
import type { Db } from "../../relational/db.ts"

export const KEY_PREFIX = "phx_"
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

/** Only the hash of the value is stored: it is returned here and can never be read again. */
export async function createKey(db: Db, draft: NewKey): Promise<{ id: string; value: string }> {
  const value = draft.value ?? `${KEY_PREFIX}${randomToken()}`
  const id = randomToken(ID_LENGTH)
  await db`
    insert into personal_api_key (id, user_id, label, value_hash, mask_value, scopes, scoped_teams,
                                  scoped_organizations, created_at)
    values (${id}, ${draft.user_id}, ${draft.label}, ${sha256Hex(value)}, ${maskOf(value)},
            ${[...draft.scopes]}::text[], ${[...draft.scoped_teams]}::integer[],
            ${[...draft.scoped_organizations]}::uuid[], ${draft.now})`
  return { id, value }
}

function maskOf(value: string): string {
  return `${value.slice(0, MASK_EDGE)}...${value.slice(-MASK_EDGE)}`
}
