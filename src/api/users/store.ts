import { newUuid, randomToken } from "../../lib/ids.ts"
import { type Db, one } from "../../relational/db.ts"

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
