import { invalid, notFound } from "../../lib/errors.ts"
import { type Db, sqlState } from "../../relational/db.ts"
import { type Author, changesBetween, recordActivity } from "../activity-log/store.ts"
import { signedIn } from "../http/access.ts"
import type { Caller } from "../http/caller.ts"
import { endpoint } from "../http/endpoint.ts"
import { findOrganization } from "../organizations/store.ts"
import { removeSessions } from "../sessions/store.ts"
import { placeChangeOf } from "./current-place.ts"
import { checkProof, provePassword } from "./password-proof.ts"
import { seenByKey, settingsIn } from "./rules.ts"
import { Me, MeDraft } from "./schema.ts"
import { getStoredMe, listOwnProjects, lockUser, type UserChanges, updateUser } from "./store.ts"

const tag = "Users"
const path = "/api/users/:uuid"

const retrieve = endpoint({
  name: "users_retrieve",
  method: "GET",
  path,
  tag,
  summary: "Get yourself: `@me`, or your own UUID.",
  access: signedIn("all"),
  scope: "user:read",
  isKept: true,
  reply: Me,
  load: async ({ caller, params }) => checkSelf(caller, params.uuid),

  handle: ({ db, caller }) => getMe(db, caller),
})

const update = endpoint({
  name: "users_update_partial",
  method: "PATCH",
  path,
  tag,
  summary: "Change your settings, your password, or your current organization and project.",
  access: signedIn("all"),
  scope: "user:write",
  lock: "user",
  body: MeDraft,
  reply: Me,
  load: async ({ caller, params }) => checkSelf(caller, params.uuid),

  outside: ({ db, caller, now, ip, body }) => provePassword(db, caller, { draft: body, now, ip }),

  async handle({ db, caller, now, body, brought: proof }) {
    const account = await lockUser(db, caller.user.id)
    checkProof(proof, body, account)
    const before = await getMe(db, caller)
    const settings = settingsIn(body, account.email)
    await save(db, account.id, { ...settings, ...(await placeChangeOf(db, caller, body)) })
    if (proof?.newHash !== undefined) await changePassword(db, caller, proof.newHash)
    const secret = proof?.newHash === undefined ? {} : { password: "new" }
    await record(db, { caller, now }, { before, after: { ...settings, ...secret } })
    return getMe(db, caller)
  },
})

export const userEndpoints = [retrieve, update]

function checkSelf({ user }: Caller, name: string): void {
  if (name !== "@me" && name.toLowerCase() !== user.uuid) throw notFound()
}

async function getMe(db: Db, { user, key }: Caller): Promise<Me> {
  const { current_organization_id: id, ...stored } = await getStoredMe(db, user.id)
  const organization = id === null ? undefined : await findOrganization(db, id, user.id)
  const me = { ...stored, organization: organization ?? null }
  return key === null
    ? me
    : seenByKey(me, key, await listOwnProjects(db, user.id, key.scoped_teams))
}

const UNIQUE_VIOLATION = "23505"

async function save(db: Db, id: number, changes: UserChanges): Promise<void> {
  try {
    await updateUser(db, id, changes)
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    throw invalid(`Somebody else has the e-mail ${changes.email}.`, "email", "unique")
  }
}

/** Whoever knew the old password may be signed in somewhere: only the caller's own session stays. */
async function changePassword(db: Db, caller: Caller, passwordHash: string): Promise<void> {
  await updateUser(db, caller.user.id, { password_hash: passwordHash })
  const exceptIdHash = caller.session?.id_hash ?? null
  await removeSessions(db, { userId: caller.user.id, exceptIdHash })
}

async function record(db: Db, author: Author, { before, after }: { before: Me; after: object }) {
  const known = { ...before, password: "old" }
  const changes = changesBetween("User", known, { ...after }, ["password"])
  if (changes.length === 0) return
  const entry = { organization_id: null, scope: "User", item_id: before.id, name: before.email }
  await recordActivity(db, author, { ...entry, activity: "updated", changes })
}
