/** Those who wait for the log to grow past a position. */
import type { LogPosition } from "./record.ts"

interface Waiter {
  readonly position: LogPosition
  readonly settle: (isPast: boolean) => void
}

export class EndWaiters {
  readonly #waiters = new Set<Waiter>()

  /** True once `wake` tells of an end past `position`; false when the signal aborts or the log closes. */
  wait(position: LogPosition, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const abort = () => settle(false)
      const settle = (isPast: boolean) => {
        this.#waiters.delete(waiter)
        signal.removeEventListener("abort", abort)
        resolve(isPast)
      }
      const waiter = { position, settle }
      if (signal.aborted) return resolve(false)
      this.#waiters.add(waiter)
      signal.addEventListener("abort", abort)
    })
  }

  wake(end: LogPosition): void {
    for (const { position, settle } of this.#waiters) if (end > position) settle(true)
  }

  close(): void {
    for (const { settle } of this.#waiters) settle(false)
  }
}
