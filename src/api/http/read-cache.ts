/**
 * Answers of reads, kept until anything is written. Only for an instance whose database has no other writer
 * (the bundled one): there every write passes through this process and is counted, so a kept answer is exactly
 * what a new read would give. Two things move without a write here: the clock (an invite expires) and the
 * command line (a key is revoked); hence the short life of an answer.
 *
 * The write count is taken before the read begins. A read that overlaps a write is kept under the old count
 * and never served again.
 */
const LIFE_MS = 1_000
const MAX_ANSWERS = 1_000
const MAX_ANSWER_CHARACTERS = 32_768

export interface KeptAnswer {
  readonly text: string
  /** Whose rate limit a repetition counts against; null for sessions. */
  readonly keyId: string | null
}

interface Entry extends KeptAnswer {
  readonly madeMs: number
}

export class ReadCache {
  readonly #entries = new Map<string, Entry>()
  #writeCount = 0

  find(name: string, writeCount: number, now: Date): KeptAnswer | undefined {
    if (writeCount !== this.#writeCount) return undefined
    const entry = this.#entries.get(name)
    if (entry === undefined || Math.abs(now.getTime() - entry.madeMs) >= LIFE_MS) return undefined
    return entry
  }

  /** `writeCount` and `now` are those of the moment before the read. */
  keep(name: string, answer: KeptAnswer, moment: { writeCount: number; now: Date }): void {
    if (moment.writeCount < this.#writeCount || answer.text.length > MAX_ANSWER_CHARACTERS) return
    if (moment.writeCount > this.#writeCount || this.#entries.size >= MAX_ANSWERS) {
      this.#entries.clear()
      this.#writeCount = moment.writeCount
    }
    this.#entries.set(name, { ...answer, madeMs: moment.now.getTime() })
  }
}
