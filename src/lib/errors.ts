/**
 * The caller's mistakes and the world's state, as values with a kind and a stable code. The HTTP frame
 * turns them into statuses (`api/http/problem.ts`); nothing else in the code knows a status.
 */
export type ErrorKind =
  | "invalid"
  | "malformed"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "too_large"
  | "unsupported_media"
  | "limited"
  | "unavailable"

export interface ErrorFacts {
  readonly code: string
  readonly detail: string
  /** The field at fault; nested names are joined by two underscores. */
  readonly attr?: string | null
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

export class DomainError extends Error {
  readonly kind: ErrorKind
  readonly code: string
  readonly attr: string | null
  readonly retryAfterSeconds: number | undefined

  constructor(kind: ErrorKind, facts: ErrorFacts) {
    super(facts.detail, { cause: facts.cause })
    this.name = "DomainError"
    this.kind = kind
    this.code = facts.code
    this.attr = facts.attr ?? null
    this.retryAfterSeconds = facts.retryAfterSeconds
  }
}

export function invalid(detail: string, attr: string | null = null, code = "invalid_input") {
  return new DomainError("invalid", { code, detail, attr })
}

export function unauthenticated(detail: string, code = "authentication_failed") {
  return new DomainError("unauthenticated", { code, detail })
}

export function forbidden(detail: string) {
  return new DomainError("forbidden", { code: "permission_denied", detail })
}

export function notFound(detail = "Not found.") {
  return new DomainError("not_found", { code: "not_found", detail })
}

export function unavailable(detail: string, retryAfterSeconds?: number) {
  return new DomainError("unavailable", {
    code: "unavailable",
    detail,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}

/** A problem of the operator (a wrong setting, a taken port): shown as one line, without a stack. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "StartError"
  }
}
