import { checkPasswordStrength, hashPassword } from "../../lib/password.ts"
import { type Db, sqlState } from "../../relational/db.ts"
import { anyone, signedIn } from "../http/access.ts"
import type { Caller } from "../http/caller.ts"
import { endpoint } from "../http/endpoint.ts"
import type { OpenInvite } from "../invites/store.ts"
import { openSession } from "../sessions/store.ts"
import { EmbeddedUser } from "../users/schema.ts"
import { createUser, findAccount, type NewUser } from "../users/store.ts"
import { getInvite, join, lockInvite } from "./join.ts"
import { accountExists, checkNotExpired, checkUsable } from "./rules.ts"
import { AcceptedInvite, SignupDraft, SignupInvite } from "./schema.ts"

const tag = "Signup"

const retrieve = endpoint({
  name: "signup_retrieve",
  method: "GET",
  path: "/api/signup/:invite_id",
  tag,
  summary: "Look at an invite with its link, before signing up.",
  access: anyone,
  scope: null,
  reply: SignupInvite,

  async handle({ params, ...context }) {
    const invite = await getInvite(context, params.invite_id)
    checkNotExpired(invite)
    const { id, target_email, first_name, organization_name } = invite
    return { id, target_email, first_name, organization_name }
  },
})

const create = endpoint({
  name: "signup_create",
  method: "POST",
  path: "/api/signup/:invite_id",
  tag,
  summary: "Use an invite to make an account; it is signed in with the cookies of the answer.",
  access: anyone,
  scope: null,
  body: SignupDraft,
  reply: EmbeddedUser,
  status: 201,
  load: ({ params, ...context }) => getInvite(context, params.invite_id),

  async outside({ db, caller, loaded, body }) {
    checkPasswordStrength(body.password)
    await checkNewcomer(db, loaded, { caller, email: body.email })
    return hashPassword(body.password)
  },

  async handle({ caller, loaded, body, brought: password_hash, setCookie, ...joining }) {
    const { db, now } = joining
    const invite = await lockInvite(joining, loaded)
    await checkNewcomer(db, invite, { caller, email: body.email })
    const { first_name, last_name = "" } = body
    const email = invite.target_email
    // The link came by mail to this address, or from somebody the organization trusts to hand it on.
    const draft = { email, first_name, last_name, password_hash, is_email_verified: true, now }
    const id = await createAccount(db, draft)
    const { user } = await join(joining, invite, id)
    for (const change of await openSession(db, { userId: id, now })) setCookie(change)
    return user
  },
})

const accept = endpoint({
  name: "invites_accept",
  method: "POST",
  path: "/api/invites/:id/accept",
  tag,
  summary: "Use an invite with the account you have.",
  access: signedIn("none"),
  scope: "user:write",
  reply: AcceptedInvite,
  load: ({ params, ...context }) => getInvite(context, params.id),

  async handle({ caller, loaded, ...joining }) {
    const invite = await lockInvite(joining, loaded)
    checkUsable(invite, [caller.user.email])
    const member = await join(joining, invite, caller.user.id)
    const { organization_id, organization_name } = invite
    return { ...member, organization_id, organization_name }
  },
})

export const signupEndpoints = [retrieve, create, accept]

interface Claimant {
  readonly caller: Caller | undefined
  readonly email: string | undefined
}

async function checkNewcomer(db: Db, invite: OpenInvite, { caller, email }: Claimant) {
  checkUsable(invite, [caller?.user.email, email?.trim()])
  if ((await findAccount(db, invite.target_email)) !== undefined) throw accountExists()
}

/** Another organization's invite of the same address may be used at the same moment. */
async function createAccount(db: Db, draft: NewUser): Promise<number> {
  try {
    return await createUser(db, draft)
  } catch (error) {
    throw sqlState(error) === "23505" ? accountExists() : error
  }
}
