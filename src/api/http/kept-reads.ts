/**
 * Reads kept until anything is written. Only for an instance whose database has no other writer (the bundled
 * one): there every write passes through this process and is counted, so what is kept is exactly what a new
 * read would give. Two things move without a write here: the clock (an invite expires) and the command line (a
 * key is revoked); hence the short life of what is kept.
 *
 * The write count is taken before a read begins. A read that overlaps a write is kept under the old count and
 * never served again; readers of the same thing at the same time share one read.
 */
const LIFE_MS = 1_000
const MAX_READS = 1_000

export interface ReadMoment {
  readonly now: Date
  /** How many writes there had been; see `Database`. */
  readonly writeCount: number
}

interface Kept<T> {
  readonly value: Promise<T>
  readonly madeMs: number
}

export class KeptReads<T> {
  readonly #reads = new Map<string, Kept<T>>()
  readonly #isWorthKeeping: (value: T) => boolean
  #writeCount = 0

  constructor(isWorthKeeping: (value: T) => boolean = () => true) {
    this.#isWorthKeeping = isWorthKeeping
  }

  /** What is kept under the name, or what `read` gives now. Failures are not kept. */
  find(name: string, moment: ReadMoment, read: () => Promise<T>): Promise<T> {
    // Somebody is past a write that this reader began before: what it knows may be used, but not kept.
    if (moment.writeCount < this.#writeCount) return read()
    if (moment.writeCount > this.#writeCount) {
      this.#reads.clear()
      this.#writeCount = moment.writeCount
    }
    const nowMs = moment.now.getTime()
    const kept = this.#reads.get(name)
    if (kept !== undefined && Math.abs(nowMs - kept.madeMs) < LIFE_MS) return kept.value
    const made = { value: read(), madeMs: nowMs }
    this.#add(name, made)
    made.value.then(
      (value) => this.#isWorthKeeping(value) || this.#forget(name, made),
      () => this.#forget(name, made),
    )
    return made.value
  }

  /** The oldest makes room, so that strangers cannot empty the whole. */
  #add(name: string, made: Kept<T>): void {
    this.#reads.delete(name)
    const [oldest] = this.#reads.keys()
    if (this.#reads.size >= MAX_READS && oldest !== undefined) this.#reads.delete(oldest)
    this.#reads.set(name, made)
  }

  #forget(name: string, made: Kept<T>): void {
    if (this.#reads.get(name) === made) this.#reads.delete(name)
  }
}
