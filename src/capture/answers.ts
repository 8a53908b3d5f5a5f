/** What capture answers and how it is sent: every answer may be read by a page of any origin. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { DomainError, ErrorKind } from "../lib/errors.ts"

export interface Answer {
  readonly status: number
  readonly body: string
  readonly contentType?: string
  /** Names and values in turn, as `writeHead` takes them. */
  readonly headers?: readonly string[]
}

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Whether the connection is not to be used again. */
  readonly isLast: boolean
}

export const ACCEPTED: Answer = { status: 200, body: '{"status":1}' }
export const NO_CONTENT: Answer = { status: 204, body: "" }

export function jsonAnswer(value: unknown): Answer {
  return { status: 200, body: JSON.stringify(value) }
}

const FRAME_HEADERS = ["cache-control", "no-store", "x-content-type-options", "nosniff"]
const JSON_TYPE = "application/json; charset=utf-8"
const PREFLIGHT_MAX_AGE_SECONDS = 86_400

export function send(exchange: Exchange, answer: Answer): void {
  const { response } = exchange
  writeHead(exchange, answer)
  if (answer.status === 204) response.end()
  else response.end(answer.body)
}

/** More than that, and the client does not want to hear the answer. */
const UNREAD_MAX_BYTES = 64 * 1024 * 1024

/**
 * Answers at once, and ends the answer when the body has passed by: closing the connection before would make the
 * client's system throw the answer away with it, and this way the connection can be used again.
 */
export function sendBeforeBody(exchange: Exchange, answer: Answer): void {
  const { request, response } = exchange
  if (request.complete) {
    send(exchange, answer)
    return
  }
  writeHead(exchange, answer)
  response.write(answer.body)
  let unreadBytes = 0
  request.on("data", (chunk: Buffer) => {
    unreadBytes += chunk.length
    if (unreadBytes > UNREAD_MAX_BYTES) request.destroy()
  })
  request.on("end", () => response.end())
  request.on("error", () => response.destroy())
  request.resume()
}

function writeHead({ request, response, isLast }: Exchange, answer: Answer): void {
  const headers = answer.headers === undefined ? [] : [...answer.headers]
  // Each header costs a hundredth of the request; the commonest answer needs neither of these.
  if (answer !== ACCEPTED || request.method !== "POST") headers.push(...FRAME_HEADERS)
  if (answer.status !== 204) {
    headers.push("content-type", answer.contentType ?? JSON_TYPE)
    headers.push("content-length", `${Buffer.byteLength(answer.body)}`)
  }
  const { origin } = request.headers
  if (origin !== undefined) {
    headers.push("access-control-allow-origin", origin, "vary", "origin")
    headers.push("access-control-allow-credentials", "true")
    headers.push("access-control-expose-headers", "retry-after")
  }
  if (isLast) headers.push("connection", "close")
  response.writeHead(answer.status, headers)
}

/** What a browser asks before it sends: any header is fine with us. */
export function preflightAnswer(request: IncomingMessage, methods: readonly string[]): Answer {
  const asked = request.headers["access-control-request-headers"]
  return {
    ...NO_CONTENT,
    headers: [
      ...["allow", methods.join(", "), "access-control-allow-methods", "GET, POST, OPTIONS"],
      ...["access-control-max-age", `${PREFLIGHT_MAX_AGE_SECONDS}`],
      ...(asked === undefined ? [] : ["access-control-allow-headers", asked]),
    ],
  }
}

/** The statuses and types of `api/http/problem.ts`; what capture never refuses for is our fault. */
const STATUSES: Partial<Record<ErrorKind, readonly [status: number, type: string]>> = {
  invalid: [400, "validation_error"],
  unauthenticated: [401, "authentication_error"],
  not_found: [404, "invalid_request"],
  method_not_allowed: [405, "invalid_request"],
  too_large: [413, "invalid_request"],
  unavailable: [503, "server_error"],
}

export function errorAnswer(error: DomainError, methods: readonly string[]): Answer {
  const { kind, code, attr, message: detail, retryAfterSeconds } = error
  const [status, type] = STATUSES[kind] ?? [500, "server_error"]
  const retry = retryAfterSeconds === undefined ? [] : ["retry-after", `${retryAfterSeconds}`]
  const allow = kind === "method_not_allowed" ? ["allow", methods.join(", ")] : []
  const body = JSON.stringify({ type, code, detail, attr })
  return { status, body, headers: [...retry, ...allow] }
}

export function bugAnswer(requestId: string): Answer {
  const detail = `A server error occurred. Please quote request ${requestId} when you report it.`
  const body = JSON.stringify({ type: "server_error", code: "error", detail, attr: null })
  return { status: 500, body, headers: ["x-request-id", requestId] }
}
