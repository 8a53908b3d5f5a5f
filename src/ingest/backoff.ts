/** Longer and longer waits, cut short when everything stops. */
import { setTimeout as sleep } from "node:timers/promises"

const WAIT_MIN_MS = 200
const WAIT_MAX_MS = 10_000

export class Backoff {
  readonly #signal: AbortSignal
  #ms = WAIT_MIN_MS

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  async next(): Promise<void> {
    await sleep(this.#ms, undefined, { signal: this.#signal }).catch(() => {})
    this.#ms = Math.min(this.#ms * 2, WAIT_MAX_MS)
  }
}
