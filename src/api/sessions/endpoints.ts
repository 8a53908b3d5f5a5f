import { forbidden, invalid } from "../../lib/errors.ts"
import { anyone, signedIn } from "../http/access.ts"
import { endpoint } from "../http/endpoint.ts"
import { isRightPassword } from "../http/password-guess.ts"
import { findAccount, recordSignIn } from "../users/store.ts"
import { SignedInReply, SignIn } from "./schema.ts"
import { noSession, openSession, removeSession } from "./store.ts"

const tag = "Sessions"

const signIn = endpoint({
  name: "login",
  method: "POST",
  path: "/api/login",
  tag,
  summary: "Sign in with e-mail and password; answers with the cookies of a session.",
  access: anyone,
  scope: null,
  body: SignIn,
  reply: SignedInReply,

  async outside({ db, now, ip, body: { email, password } }) {
    const account = await findAccount(db, email)
    const isRight = await isRightPassword({
      account: account?.id ?? email.toLowerCase(),
      ip,
      password,
      storedHash: account?.password_hash ?? null,
      now,
    })
    if (!isRight || account === undefined) throw wrongCredentials()
    return account
  },

  async handle({ db, now, caller, brought: account, setCookie }) {
    // The account may have been deactivated, or its password changed, while this one was checked.
    if (!(await recordSignIn(db, account, now))) throw wrongCredentials()
    if (caller?.session) await removeSession(db, caller.session.id_hash)
    for (const change of await openSession(db, { userId: account.id, now })) setCookie(change)
    return { success: true as const }
  },
})

const signOut = endpoint({
  name: "logout",
  method: "POST",
  path: "/api/logout",
  tag,
  summary: "End the session.",
  access: signedIn("all"),
  scope: null,
  reply: null,

  async handle({ db, caller, setCookie }) {
    if (caller.session === null) throw forbidden("An API key has no session that could be ended.")
    await removeSession(db, caller.session.id_hash)
    for (const change of noSession) setCookie(change)
    return null
  },
})

export const sessionEndpoints = [signIn, signOut]

/** The same for whatever is wrong: the answer must not tell which addresses have an account. */
function wrongCredentials() {
  return invalid("The e-mail or the password is wrong.", null, "invalid_credentials")
}
