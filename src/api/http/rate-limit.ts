/**
 * Requests per API key, in two windows that both must have room. Counted per node and in memory: a limit
 * protects a node from one script, it is not an account.
 */
import { DomainError } from "../../lib/errors.ts"

export interface Window {
  readonly seconds: number
  readonly requests: number
}

export const MANAGEMENT_WINDOWS: readonly Window[] = [
  { seconds: 60, requests: 480 },
  { seconds: 3_600, requests: 4_800 },
]

/** Failed sign-ins per e-mail address; counted even where other limits are off. */
export const SIGN_IN_WINDOWS: readonly Window[] = [{ seconds: 900, requests: 10 }]

const MAX_CALLERS = 100_000

interface Count {
  startMs: number
  used: number
}

export class RateLimiter {
  readonly #windows: readonly Window[]
  readonly #counts = new Map<string, Count[]>()

  constructor(windows: readonly Window[]) {
    this.#windows = windows
  }

  /** Counts one request of `who`; throws "limited" with the seconds to wait when a window is full. */
  count(who: string, now: Date): void {
    this.check(who, now)
    for (const count of this.#countsOf(who, now.getTime())) count.used += 1
  }

  /** Throws when a window is full, without counting. */
  check(who: string, now: Date): void {
    const nowMs = now.getTime()
    const counts = this.#countsOf(who, nowMs)
    const waits = this.#windows.flatMap((window, index) => {
      const count = counts[index]
      if (count === undefined || count.used < window.requests) return []
      return [Math.ceil((count.startMs + window.seconds * 1_000 - nowMs) / 1_000)]
    })
    if (waits.length === 0) return
    const seconds = Math.max(1, ...waits)
    throw new DomainError("limited", {
      code: "throttled",
      detail: `Request was throttled. Expected available in ${seconds} seconds.`,
      retryAfterSeconds: seconds,
    })
  }

  #countsOf(who: string, nowMs: number): Count[] {
    const known = this.#counts.get(who)
    if (known === undefined) {
      // A full table is emptied: forgetting counts is kinder than refusing strangers.
      if (this.#counts.size >= MAX_CALLERS) this.#counts.clear()
      const fresh = this.#windows.map(() => ({ startMs: nowMs, used: 0 }))
      this.#counts.set(who, fresh)
      return fresh
    }
    this.#windows.forEach((window, index) => {
      const count = known[index]
      if (count !== undefined && nowMs - count.startMs >= window.seconds * 1_000) {
        count.startMs = nowMs
        count.used = 0
      }
    })
    return known
  }
}
