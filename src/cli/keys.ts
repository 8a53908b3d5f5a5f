import { isScope } from "../api/http/scopes.ts"
import { KEY_LABEL_LENGTH_MAX } from "../api/personal-api-keys/schema.ts"
import {
  createKeyIfRoom,
  KEYS_PER_USER_MAX,
  listKeysOfAll,
  type OwnedKey,
  removeKey,
} from "../api/personal-api-keys/store.ts"
import { findAccount } from "../api/users/store.ts"
import { readConfig } from "../config.ts"
import { type Clock, systemClock } from "../lib/clock.ts"
import { StartError } from "../lib/errors.ts"
import { openLogger } from "../lib/logger.ts"
import type { Database } from "../relational/db.ts"
import { migrate } from "../relational/migrate.ts"
import { joinStores } from "../stores.ts"
import { type Command, parseWords } from "./command.ts"
import { printTable } from "./table.ts"

export const keys: Command = {
  name: "keys",
  usage: "keys create|list|revoke [options]",
  summary:
    "Manage personal API keys: create --email E [--label L] [--scopes a:read,b:write], revoke ID.",

  async run(words) {
    const act = planKeys(words)
    const config = readConfig()
    const logger = openLogger({ form: config.log, level: "warn" })
    const database = await joinStores(config, { logger })
    try {
      await migrate(database)
      const isTerminal = process.stdout.isTTY === true
      const output = await act({ database, clock: systemClock, isTerminal })
      if (output !== "") console.log(output)
      return 0
    } finally {
      await database.close()
    }
  },
}

interface Surroundings {
  readonly database: Database
  readonly clock: Clock
  readonly isTerminal: boolean
}

/** Does what was asked and returns what to print. */
type Act = (surroundings: Surroundings) => Promise<string>

/** Wrong words are told before a store is opened for them. */
export function planKeys([action = "", ...words]: readonly string[]): Act {
  const plan = PLANS.get(action)
  if (plan === undefined) throw new StartError(`keys: use create, list or revoke, not "${action}"`)
  return plan(words)
}

const PLANS = new Map<string, (words: readonly string[]) => Act>([
  ["create", create],
  ["list", list],
  ["revoke", revoke],
])

/** Prints the value and nothing else, for scripts. */
function create(words: readonly string[]): Act {
  const { values } = parseWords({
    args: [...words],
    options: {
      email: { type: "string" },
      label: { type: "string", default: "Command line" },
      scopes: { type: "string", default: "*" },
    },
  })
  const { email } = values
  if (email === undefined) throw new StartError("keys create: --email says whose key it is")
  const label = parseLabel(values.label)
  const scopes = parseScopes(values.scopes)
  return async ({ database, clock }) => {
    const account = await findAccount(database.db, email)
    if (account === undefined) throw new StartError(`keys create: there is no user ${email}`)
    if (!account.is_active) throw new StartError(`keys create: ${email} is deactivated`)
    const limits = { scoped_teams: [], scoped_organizations: [] }
    const draft = { user_id: account.id, label, scopes, ...limits, now: clock.now() }
    const key = await database.transaction((db) => createKeyIfRoom(db, draft))
    if (key !== undefined) return key.value
    throw new StartError(
      `keys create: ${email} has ${KEYS_PER_USER_MAX} keys, which is the most; revoke one first`,
    )
  }
}

function parseLabel(text: string): string {
  const label = text.trim()
  if (label.length > 0 && label.length <= KEY_LABEL_LENGTH_MAX) return label
  throw new StartError(`keys create: --label must have 1 to ${KEY_LABEL_LENGTH_MAX} characters`)
}

function parseScopes(text: string): string[] {
  const scopes = text.split(",").map((scope) => scope.trim())
  const unknown = scopes.find((scope) => !isScope(scope))
  if (unknown === undefined) return [...new Set(scopes)]
  throw new StartError(
    `keys create: unknown scope "${unknown}"; use * or a list such as organization:read,person:write`,
  )
}

const COLUMNS = ["id", "key", "user", "label", "scopes", "last used"]

function list(words: readonly string[]): Act {
  parseWords({ args: [...words], options: {} })
  return async ({ database, isTerminal }) => {
    const rows = (await listKeysOfAll(database.db)).map(rowOf)
    if (!isTerminal) return rows.map((row) => row.join("\t")).join("\n")
    return rows.length === 0 ? "There are no keys." : printTable(COLUMNS, rows)
  }
}

function rowOf(key: OwnedKey): readonly string[] {
  const { id, mask_value, email, label, scopes, last_used_at } = key
  const cells = [id, mask_value, email, label, scopes.join(","), last_used_at ?? "never"]
  // What users wrote must not move the cursor of the operator's terminal, nor end a cell.
  return cells.map((cell) => cell.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, " "))
}

function revoke(words: readonly string[]): Act {
  const { positionals } = parseWords({ args: [...words], options: {}, allowPositionals: true })
  const [id, ...others] = positionals
  if (id === undefined || others.length > 0) {
    throw new StartError("keys revoke: name one key by its id, as `keys list` shows it")
  }
  return async ({ database }) => {
    if (await removeKey(database.db, id)) return `revoked ${id}`
    throw new StartError(`keys revoke: there is no key with the id "${id}"`)
  }
}
