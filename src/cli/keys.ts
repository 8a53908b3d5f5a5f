import { isScope } from "../api/http/scopes.ts"
import { createKey } from "../api/personal-api-keys/store.ts"
import { readConfig } from "../config.ts"
import { systemClock } from "../lib/clock.ts"
import { StartError } from "../lib/errors.ts"
import { openLogger } from "../lib/logger.ts"
import { type Db, first } from "../relational/db.ts"
import { migrate } from "../relational/migrate.ts"
import { joinStores } from "../stores.ts"
import { type Command, parseWords } from "./command.ts"

export const keys: Command = {
  name: "keys",
  usage: "keys create|list|revoke [options]",
  summary:
    "Manage personal API keys: create --email E --label L [--scopes a:read,b:write], revoke ID.",

  async run([action = "", ...words]) {
    const act = ACTIONS[action]
    if (act === undefined) throw new StartError(`keys: use create, list or revoke, not "${action}"`)
    const config = readConfig()
    const logger = openLogger({ form: config.log, level: "warn" })
    const database = await joinStores(config, { logger })
    try {
      await migrate(database)
      await act(database.db, words)
      return 0
    } finally {
      await database.close()
    }
  },
}

const ACTIONS: Readonly<Record<string, (db: Db, words: readonly string[]) => Promise<void>>> = {
  create,
  list,
  revoke,
}

async function create(db: Db, words: readonly string[]): Promise<void> {
  const { values } = parseWords({
    args: [...words],
    options: {
      email: { type: "string" },
      label: { type: "string", default: "Command line" },
      scopes: { type: "string", default: "*" },
    },
  })
  const { email, label, scopes: written } = values
  if (email === undefined) throw new StartError("keys create: --email says whose key it is")
  const scopes = written.split(",").map((scope) => scope.trim())
  const unknown = scopes.find((scope) => !isScope(scope))
  if (unknown !== undefined) throw new StartError(`keys create: unknown scope "${unknown}"`)
  const user = await first(
    db<{ id: number }[]>`select id from app_user where lower(email) = ${email.toLowerCase()}`,
  )
  if (user === undefined) throw new StartError(`keys create: there is no user ${email}`)
  const key = await createKey(db, {
    user_id: user.id,
    label,
    scopes,
    scoped_teams: [],
    scoped_organizations: [],
    now: systemClock.now(),
  })
  console.log(key.value)
}

interface ListedKey {
  readonly id: string
  readonly mask_value: string
  readonly label: string
  readonly email: string
  readonly scopes: readonly string[]
  readonly last_used_at: string | null
}

async function list(db: Db): Promise<void> {
  const rows = await db<ListedKey[]>`
    select k.id, k.mask_value, k.label, u.email, k.scopes, k.last_used_at
    from personal_api_key k join app_user u on u.id = k.user_id order by u.email, k.created_at`
  for (const key of rows) {
    const used = key.last_used_at ?? "never used"
    console.log(
      [key.id, key.mask_value, key.email, key.label, key.scopes.join(","), used].join("\t"),
    )
  }
}

async function revoke(db: Db, [id = ""]: readonly string[]): Promise<void> {
  const { count } = await db`delete from personal_api_key where id = ${id}`
  if (count === 0) throw new StartError(`keys revoke: there is no key with the id "${id}"`)
  console.log(`revoked ${id}`)
}
