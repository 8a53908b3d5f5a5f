import { z } from "zod"
import { invalid, notFound } from "../../lib/errors.ts"
import type { Db } from "../../relational/db.ts"
import { type Author, changesBetween, recordActivity } from "../activity-log/store.ts"
import { checkScope, signedIn } from "../http/access.ts"
import type { Caller } from "../http/caller.ts"
import { endpoint, updateEndpoints } from "../http/endpoint.ts"
import { ALL_SCOPES } from "../http/scopes.ts"
import { listOwnOrganizations, listOwnProjects } from "../users/store.ts"
import { findExcess, type Limits, type LimitsDraft, mergedLimits, NO_LIMITS } from "./rules.ts"
import { KeyDraft, PersonalApiKey } from "./schema.ts"
import {
  createKeyIfRoom,
  findKey,
  KEYS_PER_USER_MAX,
  listKeys,
  removeKey,
  rollKey,
  updateKey,
} from "./store.ts"

const tag = "Personal API keys"
const path = "/api/personal_api_keys/:id"

const list = endpoint({
  name: "personal_api_keys_list",
  method: "GET",
  path: "/api/personal_api_keys",
  tag,
  summary: "List your keys, newest first.",
  access: signedIn("all"),
  scope: ALL_SCOPES,
  reply: z.array(PersonalApiKey),

  async handle({ db, caller: { user, key } }) {
    const keys = await listKeys(db, user.id)
    return keys.filter((each) => findExcess(key, each) === undefined)
  },
})

const create = endpoint({
  name: "personal_api_keys_create",
  method: "POST",
  path: "/api/personal_api_keys",
  tag,
  summary: "Make a key. Its value is in this answer and never again.",
  access: signedIn("all"),
  scope: ALL_SCOPES,
  lock: "user",
  body: KeyDraft,
  reply: PersonalApiKey,
  status: 201,

  async handle({ db, caller, now, body }) {
    const limits = mergedLimits(NO_LIMITS, body)
    await checkLimits(db, caller, { wanted: limits, changed: limits })
    const fresh = await createKeyIfRoom(db, { ...body, ...limits, user_id: caller.user.id, now })
    if (fresh === undefined) {
      throw invalid(`You have ${KEYS_PER_USER_MAX} keys, which is the most; delete one first.`)
    }
    const key = await getKey(db, caller, fresh.id)
    await record(db, { caller, now }, { key, activity: "created" })
    return { ...key, value: fresh.value }
  },
})

const retrieve = endpoint({
  name: "personal_api_keys_retrieve",
  method: "GET",
  path,
  tag,
  summary: "Get one of your keys. Any key may ask for `@current`, which is itself.",
  access: signedIn("all"),
  scope: null,
  reply: PersonalApiKey,

  async handle({ db, caller, params: { id } }) {
    if (id !== "@current") checkScope(caller, ALL_SCOPES)
    else if (caller.key === null) throw notFound("A session is no key.")
    return getKey(db, caller, id === "@current" ? (caller.key?.id ?? "") : id)
  },
})

const update = updateEndpoints({
  name: "personal_api_keys_update",
  path,
  tag,
  summary: "Change a key's label, scopes or limits.",
  access: signedIn("all"),
  scope: ALL_SCOPES,
  lock: "user",
  body: KeyDraft,
  reply: PersonalApiKey,
  load: ({ db, caller, params }) => getKey(db, caller, params.id),

  async handle({ db, caller, now, body, loaded: key }) {
    const limits = mergedLimits(key, body)
    await checkLimits(db, caller, { wanted: limits, changed: body })
    const { label = key.label, scopes = key.scopes } = body
    await updateKey(db, key.id, { label, scopes, ...limits })
    const changes = changesBetween("PersonalAPIKey", key, body)
    if (changes.length > 0) {
      await record(db, { caller, now }, { key, activity: "updated", changes })
    }
    return getKey(db, caller, key.id)
  },
})

const roll = endpoint({
  name: "personal_api_keys_roll",
  method: "POST",
  path: "/api/personal_api_keys/:id/roll",
  tag,
  summary: "Give a key a new value, shown in this answer only; the old one stops working.",
  access: signedIn("all"),
  scope: ALL_SCOPES,
  lock: "user",
  reply: PersonalApiKey,
  load: ({ db, caller, params }) => getKey(db, caller, params.id),

  async handle({ db, caller, now, loaded: key }) {
    const { value } = await rollKey(db, key.id)
    await record(db, { caller, now }, { key, activity: "rolled" })
    return { ...(await getKey(db, caller, key.id)), value }
  },
})

const remove = endpoint({
  name: "personal_api_keys_destroy",
  method: "DELETE",
  path,
  tag,
  summary: "Delete a key: it stops working at once.",
  access: signedIn("all"),
  scope: ALL_SCOPES,
  lock: "user",
  reply: null,
  load: ({ db, caller, params }) => getKey(db, caller, params.id),

  async handle({ db, caller, now, loaded: key }) {
    await removeKey(db, key.id)
    await record(db, { caller, now }, { key, activity: "deleted" })
    return null
  },
})

export const personalApiKeyEndpoints = [list, create, retrieve, ...update, roll, remove]

/** To a limited key, the keys that reach further do not exist: rolling one would yield its value. */
async function getKey(db: Db, { user, key }: Caller, id: string): Promise<PersonalApiKey> {
  const found = await findKey(db, user.id, id)
  if (found === undefined || findExcess(key, found) !== undefined) throw notFound()
  return found
}

/** `wanted` are the limits that would result; only those that change must be places of the user. */
async function checkLimits(
  db: Db,
  { user, key }: Caller,
  { wanted, changed }: { wanted: Limits; changed: LimitsDraft },
): Promise<void> {
  const excess = findExcess(key, wanted)
  if (excess !== undefined) {
    const own = key?.[excess].join(", ")
    throw invalid(`The key in use is limited to ${own}; a key it makes must be, too.`, excess)
  }
  const { scoped_organizations: organizations = [], scoped_teams: projects = [] } = changed
  const ownOrganizations = await listOwnOrganizations(db, user.id, organizations)
  if (ownOrganizations.length < organizations.length) {
    const strange = organizations.find((id) => !ownOrganizations.includes(id))
    throw invalid(`You do not belong to an organization ${strange}.`, "scoped_organizations")
  }
  const ownProjects = (await listOwnProjects(db, user.id, projects)).map(({ id }) => id)
  if (ownProjects.length < projects.length) {
    const strange = projects.find((id) => !ownProjects.includes(id))
    throw invalid(`There is no project ${strange} that you can see.`, "scoped_teams")
  }
}

interface KeyActivity {
  readonly key: PersonalApiKey
  readonly activity: string
  readonly changes?: ReturnType<typeof changesBetween>
}

/** Keys are of a user, not of an organization, and so are their entries. */
async function record(db: Db, author: Author, { key, ...entry }: KeyActivity): Promise<void> {
  const item = { organization_id: null, scope: "PersonalAPIKey", item_id: key.id, name: key.label }
  await recordActivity(db, author, { ...item, ...entry })
}
