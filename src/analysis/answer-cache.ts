/**
 * Answers that still hold. An answer is used again only while nothing was written to the columnar store since it
 * was worked out, so that what a write endpoint answered is in the next answer here too.
 */
import { elapsedMs } from "../lib/clock.ts"
import type { JsonObject } from "../lib/json.ts"

const BYTES_MAX = 32 * 1024 * 1024
/** Ranges such as "the last hour" move on without any write. */
const FRESH_MS = 60_000
const ENTRIES_MAX = 10_000

export interface KeptAnswer {
  readonly answer: JsonObject
  readonly workedOutAt: Date
}

interface Entry extends KeptAnswer {
  readonly version: number | undefined
  readonly elapsedMs: number
  readonly bytes: number
}

interface Work {
  readonly answer: Promise<KeptAnswer>
  readonly controller: AbortController
  waiting: number
}

export class AnswerCache {
  readonly #entries = new Map<string, Entry>()
  readonly #running = new Map<string, Work>()
  #bytes = 0

  /** `version`: the count of changes of the store now; undefined where others change it too. */
  findFresh(key: string, version: number | undefined): KeptAnswer | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || version === undefined || entry.version !== version) return undefined
    return elapsedMs() - entry.elapsedMs > FRESH_MS ? undefined : entry
  }

  /** However old. */
  findAny(key: string): KeptAnswer | undefined {
    return this.#entries.get(key)
  }

  /**
   * Works an answer out, once for all who ask the same of the same state at the same time; stopped when none of
   * them waits any more.
   */
  async workOut(
    { key, version, signal }: { key: string; version: number | undefined; signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<KeptAnswer>,
  ): Promise<KeptAnswer> {
    signal.throwIfAborted()
    const id = version === undefined ? undefined : `${version} ${key}`
    const running = (id === undefined ? undefined : this.#running.get(id)) ?? startWork(work)
    if (id !== undefined) this.#running.set(id, running)
    running.waiting += 1
    const onGone = () => {
      running.waiting -= 1
      if (running.waiting === 0) running.controller.abort(signal.reason)
    }
    signal.addEventListener("abort", onGone, { once: true })
    try {
      const kept = await running.answer
      signal.throwIfAborted()
      return this.#keep(key, version, kept)
    } finally {
      signal.removeEventListener("abort", onGone)
      if (id !== undefined) this.#running.delete(id)
    }
  }

  #keep(key: string, version: number | undefined, kept: KeptAnswer): KeptAnswer {
    if (this.#entries.get(key)?.answer === kept.answer) return kept
    const bytes = key.length + JSON.stringify(kept.answer).length
    this.#remove(key)
    if (bytes > BYTES_MAX / ENTRY_SHARE_MAX) return kept
    this.#entries.set(key, { ...kept, version, elapsedMs: elapsedMs(), bytes })
    this.#bytes += bytes
    for (const [oldest] of this.#entries) {
      if (this.#bytes <= BYTES_MAX && this.#entries.size <= ENTRIES_MAX) break
      this.#remove(oldest)
    }
    return kept
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}

/** No answer takes more than its share of the room. */
const ENTRY_SHARE_MAX = 4

function startWork(work: (signal: AbortSignal) => Promise<KeptAnswer>): Work {
  const controller = new AbortController()
  return { answer: work(controller.signal), controller, waiting: 0 }
}
