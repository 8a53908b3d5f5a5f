/**
 * Finds the proof of identity in a request. The first place that has one decides: the Authorization
 * header, the body's `personal_api_key`, the query's, then the session cookie.
 */
import { timingSafeEqual } from "node:crypto"
import type { FastifyRequest } from "fastify"
import { type DomainError, forbidden, unauthenticated } from "../../lib/errors.ts"
import { mediaType } from "./body.ts"
import type { Credential, Sighting } from "./caller.ts"

export const SESSION_COOKIE = "hedgerow_session"
export const CSRF_COOKIE = "hedgerow_csrftoken"
const CSRF_HEADER = "x-csrftoken"

export interface Proof {
  readonly credential: Credential
  /** Where it was found, for the error message. */
  readonly place: string
}

export function findProof(request: FastifyRequest): Proof | undefined {
  const header = /^Bearer\s+(.+)$/i.exec(request.headers.authorization?.trim() ?? "")?.[1]
  if (header !== undefined) return keyProof(header, "request Authorization header")
  const inBody = keyInBody(request)
  if (inBody !== undefined) return keyProof(inBody, "request body")
  const inQuery = (request.query as Record<string, unknown>).personal_api_key
  if (typeof inQuery === "string" && inQuery !== "") {
    return keyProof(inQuery, "request query string")
  }
  const cookie = request.cookies[SESSION_COOKIE]
  const signed = cookie === undefined ? undefined : request.unsignCookie(cookie)
  if (!signed?.valid || signed.value === null) return undefined
  return { credential: { kind: "session", value: signed.value }, place: "session cookie" }
}

function keyProof(value: string, place: string): Proof {
  return { credential: { kind: "key", value: value.trim() }, place }
}

/** Only a look: a body that is no JSON object has no key in it, and is complained about later. */
function keyInBody(request: FastifyRequest): string | undefined {
  const bytes = request.body
  if (
    !Buffer.isBuffer(bytes) ||
    mediaType(request.headers["content-type"]) !== "application/json"
  ) {
    return undefined
  }
  if (!bytes.includes('"personal_api_key"')) return undefined
  try {
    const value = (JSON.parse(bytes.toString()) as Record<string, unknown>).personal_api_key
    return typeof value === "string" && value !== "" ? value : undefined
  } catch {
    return undefined
  }
}

export function invalidProof({ credential, place }: Proof): DomainError {
  return credential.kind === "key"
    ? unauthenticated(`Personal API key found in ${place} is invalid.`)
    : notAuthenticated()
}

export function notAuthenticated(): DomainError {
  return unauthenticated("Authentication credentials were not provided.", "not_authenticated")
}

/** A page of another site can make a browser send the cookie, but cannot read the token to send it too. */
export function isForged(request: FastifyRequest, { caller }: Sighting): boolean {
  if (caller.session === null || request.method === "GET" || request.method === "HEAD") return false
  const sent = request.headers[CSRF_HEADER]
  return typeof sent !== "string" || !isSame(sent, caller.session.csrf_token)
}

export function forgery(): DomainError {
  return forbidden(`CSRF check failed: send the ${CSRF_COOKIE} cookie's value as X-CSRFToken.`)
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
