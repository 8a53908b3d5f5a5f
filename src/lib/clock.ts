/** The only place that tells the time, so that tests can fix it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** A clock that stands still until it is moved. */
export class FixedClock implements Clock {
  #nowMs: number

  constructor(start: string | Date) {
    this.#nowMs = new Date(start).getTime()
  }

  now(): Date {
    return new Date(this.#nowMs)
  }

  advanceMs(ms: number): void {
    this.#nowMs += ms
  }
}

/** Milliseconds since an arbitrary start, for durations; never goes backwards. */
export function elapsedMs(): number {
  return performance.now()
}
