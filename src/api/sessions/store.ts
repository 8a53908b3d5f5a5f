/** Browser sessions. Only the hash of an id is stored, so that who reads the table cannot use it. */
import { randomUrlSafe, sha256Hex } from "../../lib/ids.ts"
import type { Db } from "../../relational/db.ts"
import { CSRF_COOKIE, SESSION_COOKIE } from "../http/authenticate.ts"
import type { CookieChange } from "../http/endpoint.ts"

const SESSION_SECONDS = 14 * 24 * 60 * 60
const SESSIONS_PER_USER_MAX = 50
const EXPIRED_PER_SIGN_IN_MAX = 100

export interface NewSession {
  readonly userId: number
  readonly now: Date
}

/** Signs the user in: the answer must carry the returned cookies. */
export async function openSession(db: Db, session: NewSession): Promise<readonly CookieChange[]> {
  const { userId, now } = session
  await removeExpiredSessions(db, now)
  await removeOldestSessions(db, userId)
  const id = randomUrlSafe()
  const csrfToken = randomUrlSafe()
  const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1_000)
  await db`
    insert into session (id_hash, user_id, csrf_token, created_at, expires_at)
    values (${sha256Hex(id)}, ${userId}, ${csrfToken}, ${now}, ${expiresAt})`
  const maxAgeSeconds = SESSION_SECONDS
  return [
    { name: SESSION_COOKIE, value: id, maxAgeSeconds },
    { name: CSRF_COOKIE, value: csrfToken, isReadableByScript: true, maxAgeSeconds },
  ]
}

/** The cookies of a browser that is signed out. */
export const noSession: readonly CookieChange[] = [
  { name: SESSION_COOKIE, value: null },
  { name: CSRF_COOKIE, value: null },
]

export async function removeSession(db: Db, idHash: string): Promise<void> {
  await db`delete from session where id_hash = ${idHash}`
}

/** Every session of the user, but the one that is given. */
export async function removeSessions(
  db: Db,
  { userId, exceptIdHash }: { userId: number; exceptIdHash: string | null },
): Promise<void> {
  await db`
    delete from session where user_id = ${userId} and id_hash is distinct from ${exceptIdHash}`
}

/** A few at each sign-in keep the table small; what another sign-in is removing is left to it. */
async function removeExpiredSessions(db: Db, now: Date): Promise<void> {
  await db`
    delete from session where id_hash in (
      select id_hash from session where expires_at <= ${now}
      order by expires_at limit ${EXPIRED_PER_SIGN_IN_MAX} for update skip locked)`
}

/** Leaves room for one more. */
async function removeOldestSessions(db: Db, userId: number): Promise<void> {
  await db`
    delete from session where id_hash in (
      select id_hash from session where user_id = ${userId}
      order by created_at desc, id_hash offset ${SESSIONS_PER_USER_MAX - 1})`
}
