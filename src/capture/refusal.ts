/** Why a request was refused or an event dropped: one list each, which are the codes of answers and of counts. */
import { DomainError, type ErrorKind } from "../lib/errors.ts"

const REFUSALS = {
  no_data: "invalid",
  invalid_payload: "invalid",
  invalid_event: "invalid",
  missing_distinct_id: "invalid",
  missing_api_key: "unauthenticated",
  invalid_api_key: "unauthenticated",
  inconsistent_api_keys: "unauthenticated",
  not_found: "not_found",
  method_not_allowed: "method_not_allowed",
  request_too_large: "too_large",
  unavailable: "unavailable",
} as const satisfies Record<string, ErrorKind>

type Refusal = keyof typeof REFUSALS

/** The last two are no answers of ours: a bug, and a client that went away before its body was here. */
export const REFUSAL_REASONS = [
  ...(Object.keys(REFUSALS) as Refusal[]),
  "error",
  "aborted",
] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]

export const DROP_REASONS = ["session_recording_unsupported", "performance_event"] as const
export type DropReason = (typeof DROP_REASONS)[number]

const RETRY_AFTER_SECONDS = 5

export function refusal(reason: Refusal, detail: string, attr: string | null = null): DomainError {
  const kind = REFUSALS[reason]
  const retry = kind === "unavailable" ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {}
  return new DomainError(kind, { code: reason, detail, attr, ...retry })
}

export function isRefusalReason(code: string): code is RefusalReason {
  return (REFUSAL_REASONS as readonly string[]).includes(code)
}
