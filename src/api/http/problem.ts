/** The one table from errors to HTTP: status, type and the four-key body that every error has. */
import { errorCodes, type FastifyError } from "fastify"
import { z } from "zod"
import { DomainError, type ErrorKind } from "../../lib/errors.ts"
import { isOutage, sqlState } from "../../relational/db.ts"

export const Problem = z
  .object({
    type: z.string(),
    code: z.string(),
    detail: z.string(),
    attr: z.string().nullable(),
  })
  .meta({ id: "Error", description: "What every failed request answers." })
export type Problem = z.infer<typeof Problem>

const KINDS: Record<ErrorKind, { status: number; type: string }> = {
  invalid: { status: 400, type: "validation_error" },
  malformed: { status: 400, type: "invalid_request" },
  unauthenticated: { status: 401, type: "authentication_error" },
  forbidden: { status: 403, type: "authentication_error" },
  not_found: { status: 404, type: "invalid_request" },
  method_not_allowed: { status: 405, type: "invalid_request" },
  conflict: { status: 409, type: "invalid_request" },
  too_large: { status: 413, type: "invalid_request" },
  unsupported_media: { status: 415, type: "invalid_request" },
  limited: { status: 429, type: "throttled_error" },
  unavailable: { status: 503, type: "server_error" },
}

export interface Answer {
  readonly status: number
  readonly body: Problem
  readonly headers: Readonly<Record<string, string>>
  /** Our fault, to be logged with its stack. */
  readonly isBug: boolean
}

export function answerFor(error: unknown, requestId: string): Answer {
  const known = knownError(error)
  if (known === undefined) return bugAnswer(requestId)
  const { status, type } = KINDS[known.kind]
  const headers: Record<string, string> = {}
  if (known.retryAfterSeconds !== undefined) headers["retry-after"] = `${known.retryAfterSeconds}`
  if (known.kind === "unauthenticated") headers["www-authenticate"] = 'Bearer realm="hedgerow"'
  return {
    status,
    body: { type, code: known.code, detail: known.message, attr: known.attr },
    headers,
    isBug: false,
  }
}

function bugAnswer(requestId: string): Answer {
  const detail = `A server error occurred. Please quote request ${requestId} when you report it.`
  const body = { type: "server_error", code: "error", detail, attr: null }
  return { status: 500, body, headers: {}, isBug: true }
}

function knownError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error
  return storeError(error) ?? frameError(error)
}

/**
 * What only a race or the store itself can find: the parent went away, somebody was faster, the server is
 * not there. Handlers check before they write, so these are rare.
 */
function storeError(error: unknown): DomainError | undefined {
  switch (sqlState(error)) {
    case "23503":
      return new DomainError("not_found", { code: "not_found", detail: "Not found.", cause: error })
    case "23505":
      return takenError(error)
    case "40001":
    case "40P01":
      return unavailableStore("Too many changes at the same time; please try again.", error)
  }
  return isOutage(error)
    ? unavailableStore("The database is not available right now.", error)
    : undefined
}

const RETRY_AFTER_SECONDS = 5

/** The server tells which column was meant: "Key (domain)=(example.com) already exists." */
function takenError(error: unknown): DomainError {
  const told = (error as { detail?: unknown } | null)?.detail
  const attr = /^Key \((\w+)\)=/.exec(typeof told === "string" ? told : "")?.[1] ?? null
  const detail = attr === null ? "This already exists." : `This ${attr} is already in use.`
  return new DomainError("invalid", { code: "unique", detail, attr, cause: error })
}

function unavailableStore(detail: string, cause: unknown): DomainError {
  return new DomainError("unavailable", {
    code: "unavailable",
    detail,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  })
}

/** What Fastify refuses before an endpoint is reached. */
function frameError(error: unknown): DomainError | undefined {
  const status = (error as Partial<FastifyError> | null)?.statusCode
  if (error instanceof errorCodes.FST_ERR_CTP_BODY_TOO_LARGE || status === 413) {
    return new DomainError("too_large", {
      code: "request_too_large",
      detail: "The request body is larger than this server takes.",
    })
  }
  if (status === 415) {
    return new DomainError("unsupported_media", {
      code: "unsupported_media_type",
      detail: "The Content-Type of the request cannot be read; use application/json.",
    })
  }
  if (typeof status === "number" && status >= 400 && status < 500) {
    return new DomainError("malformed", {
      code: "parse_error",
      detail: "The request could not be read.",
      cause: error,
    })
  }
  return undefined
}
