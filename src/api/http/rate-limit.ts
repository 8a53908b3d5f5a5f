/**
 * How often somebody may do something, in windows that all must have room. Counted per node and in memory:
 * a limit protects a node from one script, it is not an account.
 */
import { DomainError } from "../../lib/errors.ts"

export interface Window {
  readonly seconds: number
  readonly requests: number
}

/** Requests per API key. */
export const MANAGEMENT_WINDOWS: readonly Window[] = [
  { seconds: 60, requests: 480 },
  { seconds: 3_600, requests: 4_800 },
]

/** Wrong passwords per account; counted even where other limits are off. */
export const SIGN_IN_WINDOWS: readonly Window[] = [{ seconds: 900, requests: 10 }]
export const ACCOUNT_WINDOWS: readonly Window[] = [{ seconds: 3_600, requests: 100 }]

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
    this.#check(who, now)
    for (const count of this.#countsOf(who, now.getTime())) count.used += 1
  }

  /** Starts over for `who`. */
  forget(who: string): void {
    this.#counts.delete(who)
  }

  #check(who: string, now: Date): void {
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
      this.#makeRoom()
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

  /** The oldest count goes: forgetting it is kinder than refusing strangers. */
  #makeRoom(): void {
    if (this.#counts.size < MAX_CALLERS) return
    const [oldest] = this.#counts.keys()
    if (oldest !== undefined) this.#counts.delete(oldest)
  }
}
