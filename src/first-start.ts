/** Fills an empty instance: the first user, organization, project and key. */

import { ALL_SCOPES } from "./api/http/scopes.ts"
import { createOrganization } from "./api/organizations/store.ts"
import { createKey } from "./api/personal-api-keys/store.ts"
import { createUser } from "./api/users/store.ts"
import type { Config } from "./config.ts"
import type { Clock } from "./lib/clock.ts"
import { randomToken } from "./lib/ids.ts"
import { hashPassword } from "./lib/password.ts"
import { type Database, type Db, first } from "./relational/db.ts"

/** Any constant that differs from the other advisory locks. */
const FIRST_START_LOCK = 7_204_002
const PASSWORD_LENGTH = 20

export interface FirstStart {
  readonly email: string
  readonly password: string
  readonly apiKey: string
  readonly projectToken: string
  readonly organizationId: string
}

/** Undefined when somebody is there already. Nodes that start together wait for the first. */
export async function fillEmptyInstance(
  database: Database,
  setup: Config["setup"],
  clock: Clock,
): Promise<FirstStart | undefined> {
  if (await hasUsers(database.db)) return undefined
  const password = setup.password ?? randomToken(PASSWORD_LENGTH)
  const password_hash = await hashPassword(password)
  return database.transaction(async (db) => {
    await db`select pg_advisory_xact_lock(${FIRST_START_LOCK})`
    if (await hasUsers(db)) return undefined
    const now = clock.now()
    const { email } = setup
    const user = { email, first_name: "Admin", password_hash, is_email_verified: true, now }
    const ownerId = await createUser(db, user)
    const { id: organizationId, project } = await createOrganization(db, {
      name: setup.organization,
      ownerId,
      now,
      projectToken: setup.projectToken,
    })
    const key = await createKey(db, {
      user_id: ownerId,
      label: "First key",
      scopes: [ALL_SCOPES],
      scoped_teams: [],
      scoped_organizations: [],
      now,
      value: setup.apiKey,
    })
    return { email, password, apiKey: key.value, projectToken: project.api_token, organizationId }
  })
}

async function hasUsers(db: Db): Promise<boolean> {
  return (await first(db`select 1 from app_user limit 1`)) !== undefined
}
