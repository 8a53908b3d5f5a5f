/** Lets a few pieces of work run at once, a bounded number wait their turn, and refuses the rest. */
import { unavailable } from "./errors.ts"

const RETRY_AFTER_SECONDS = 5

export interface GateBounds {
  /** What is being done, for the error: "plugin downloads". */
  readonly what: string
  readonly maxRunning: number
  readonly maxWaiting: number
}

export class Gate {
  readonly #bounds: GateBounds
  readonly #waiting: (() => void)[] = []
  #runningCount = 0

  constructor(bounds: GateBounds) {
    this.#bounds = bounds
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    const { what, maxRunning, maxWaiting } = this.#bounds
    if (this.#runningCount < maxRunning) {
      this.#runningCount += 1
      return
    }
    if (this.#waiting.length >= maxWaiting) {
      throw unavailable(`too many ${what} at once`, RETRY_AFTER_SECONDS)
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** The place goes straight to who waits longest, so a newcomer cannot slip in between. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#runningCount -= 1
  }
}
