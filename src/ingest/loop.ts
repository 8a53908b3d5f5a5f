/**
 * From the log to the stores. Each batch goes through three durable steps, so that a crash anywhere is made
 * good without doing anything twice:
 *   1. prepared: its rows are on this node's disk, named by the log position it ends at;
 *   2. committed: persons and the position are in PostgreSQL, in one transaction;
 *   3. appended: its rows and the position are in the columnar store, in one transaction.
 * A prepared batch that was not committed is thrown away and made anew; a committed one is appended as it is.
 * While one batch is appended, the next is prepared.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { RecentRequests } from "../capture/recent.ts"
import { decodeRecord } from "../capture/record.ts"
import type { ColumnarEngine, PreparedBatch } from "../columnar/engine.ts"
import type { Clock } from "../lib/clock.ts"
import type { Logger } from "../lib/logger.ts"
import type { Log, LogPosition, LogRecord } from "../log/log.ts"
import type { PersonCache } from "../persons/cache.ts"
import { PersonConflict } from "../persons/ingest-store.ts"
import { type Database, isOutage } from "../relational/db.ts"
import { commitBatch, type LogBatch } from "./commit.ts"
import type { IngestCounts } from "./counts.ts"
import { quarantine } from "./quarantine.ts"
import { recover } from "./recovery.ts"

export interface IngestParts {
  readonly log: Log
  readonly recent: RecentRequests
  readonly database: Database
  readonly columnar: ColumnarEngine
  readonly cache: PersonCache
  readonly clock: Clock
  readonly logger: Logger
  readonly counts: IngestCounts
  /** Where records go that cannot be ingested. */
  readonly quarantineFolder: string
}

export interface Ingest extends AsyncDisposable {
  /** Resolves when all that was acknowledged before the call can be queried. */
  settle(): Promise<void>
  /** Everything before it is stored. */
  position(): LogPosition
  /** Runs between two batches, when the stores agree on how far the log is in them. */
  whileIdle<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when what was acknowledged before the call is stored and in no file of the log. */
  emptyLog(): Promise<void>
}

const BATCH_BYTES_MAX = 12 * 1024 * 1024
/** Few bytes are worth a short wait for more: every batch costs two commits. */
const GATHER_BYTES = 512 * 1024
const GATHER_MS = 100
const RETRY_MIN_MS = 200
const RETRY_MAX_MS = 10_000
/** Attempts at a batch that fails for a reason of its own, before it is taken apart. */
const OWN_FAILURES_MAX = 5

export async function startIngest(parts: IngestParts): Promise<Ingest> {
  const loop = new IngestLoop(parts, await recover(parts))
  return loop.start()
}

class IngestLoop implements Ingest {
  readonly #parts: IngestParts
  readonly #stopping = new AbortController()
  readonly #waiters: { position: LogPosition; wake: () => void }[] = []
  readonly #idleWork: (() => Promise<void>)[] = []
  /** Ends the wait for more of the log. */
  #nudge = new AbortController()
  #stored: LogPosition
  #appending: Promise<void> = Promise.resolve()
  #running: Promise<void> = Promise.resolve()

  constructor(parts: IngestParts, position: LogPosition) {
    this.#parts = parts
    this.#stored = position
  }

  start(): this {
    this.#running = this.#run()
    return this
  }

  position(): LogPosition {
    return this.#stored
  }

  async settle(): Promise<void> {
    const position = this.#parts.log.end()
    if (this.#stored >= position) return
    await new Promise<void>((wake) => {
      this.#waiters.push({ position, wake })
      this.#nudge.abort()
    })
  }

  whileIdle<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#idleWork.push(() => work().then(resolve, reject))
      this.#nudge.abort()
    })
  }

  async emptyLog(): Promise<void> {
    const { log } = this.#parts
    await log.roll()
    await this.settle()
    await log.release(this.#stored)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    this.#nudge.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    try {
      let position = this.#stored
      while (!signal.aborted) {
        if (this.#idleWork.length > 0) await this.#doIdleWork()
        if (await this.#hasMore(position)) position = await this.#take(position, BATCH_BYTES_MAX)
      }
      await this.#appending
    } catch (error) {
      // Whatever was under way is done again after the next start.
      if (!signal.aborted) throw error
    }
  }

  async #hasMore(position: LogPosition): Promise<boolean> {
    const { log } = this.#parts
    this.#nudge = new AbortController()
    if (this.#stopping.signal.aborted || this.#idleWork.length > 0) return false
    if (!(await log.waitPast(position, this.#nudge.signal))) return false
    const isLittle = log.end() - position < GATHER_BYTES
    if (isLittle && this.#waiters.length === 0) {
      await sleep(GATHER_MS, undefined, { signal: this.#nudge.signal }).catch(() => {})
    }
    return !this.#stopping.signal.aborted
  }

  async #doIdleWork(): Promise<void> {
    await this.#appending
    for (const work of this.#idleWork.splice(0)) await work()
  }

  /** Ingests what follows `from`, and answers where it got to. A batch that fails by itself is taken apart. */
  async #take(from: LogPosition, maxBytes: number): Promise<LogPosition> {
    const recent = this.#parts.recent.take(from, maxBytes)
    const first = recent.requests.length > 0 ? recent : undefined
    const { outcome, batch } = await this.#commit(first, () => this.#read(from, maxBytes))
    if (outcome !== "hopeless") return this.#finish(outcome, { from, next: batch.next })
    if (batch.requests.length > 1) return this.#take(from, 1)
    const { records, next } = await this.#readRecords(from, 1)
    await this.#setAside(records)
    const rest = await this.#commit({ requests: [], next }, async () => ({ requests: [], next }))
    return this.#finish(rest.outcome, { from, next })
  }

  async #read(from: LogPosition, maxBytes: number): Promise<LogBatch> {
    const { records, next } = await this.#readRecords(from, maxBytes)
    const requests = records.map(({ position, payload }) => ({
      position,
      decode: () => decodeRecord(payload),
    }))
    return { requests, next }
  }

  #readRecords(from: LogPosition, maxBytes: number) {
    return this.#untilItWorks("reading the log", () => this.#parts.log.read(from, maxBytes))
  }

  #finish(
    outcome: Outcome,
    { from, next }: { from: LogPosition; next: LogPosition },
  ): Promise<LogPosition> {
    if (typeof outcome === "string") return Promise.resolve(from)
    return this.#hand(outcome, next)
  }

  /** Appends in the background, after the batch before it. */
  async #hand(prepared: PreparedBatch, next: LogPosition): Promise<LogPosition> {
    await this.#appending
    this.#appending = this.#append(prepared, next)
    // Seen by whoever waits for it next; until then it is nobody's.
    this.#appending.catch(() => {})
    return next
  }

  /** The first attempt may take what is in memory; a batch changes what it is given, so others read the log. */
  async #commit(
    first: LogBatch | undefined,
    read: () => Promise<LogBatch>,
  ): Promise<{ outcome: Outcome; batch: LogBatch }> {
    const { counts, logger, cache } = this.#parts
    const wait = new Backoff(this.#stopping.signal)
    let batch = first ?? (await read())
    for (let failures = 0; ; batch = await read()) {
      if (this.#stopping.signal.aborted) return { outcome: "stopped", batch }
      try {
        return { outcome: await commitBatch(this.#parts, batch), batch }
      } catch (error) {
        if (error instanceof PersonConflict) {
          counts.conflictCount += 1
          cache.clear()
          continue
        }
        counts.failureCount += 1
        if (!isPassing(error) && ++failures === OWN_FAILURES_MAX) {
          logger.error({ err: error, position: batch.next }, "a batch cannot be ingested")
          return { outcome: "hopeless", batch }
        }
        logger.warn({ err: error }, "ingestion waits for the stores")
        cache.clear()
        await wait.next()
      }
    }
  }

  async #append(prepared: PreparedBatch, next: LogPosition): Promise<void> {
    const { columnar, log, counts } = this.#parts
    await this.#untilItWorks("appending to the columnar store", () => columnar.append(prepared))
    if (this.#stopping.signal.aborted) return
    counts.batchCount += 1
    this.#stored = next
    this.#wake()
    await this.#untilItWorks("releasing the log", () => log.release(next))
  }

  #wake(): void {
    const ready = this.#waiters.filter(({ position }) => position <= this.#stored)
    for (const waiter of ready) {
      this.#waiters.splice(this.#waiters.indexOf(waiter), 1)
      waiter.wake()
    }
  }

  async #setAside(records: readonly LogRecord[]): Promise<void> {
    const { quarantineFolder, log, counts, logger } = this.#parts
    for (const record of records) {
      const file = await this.#untilItWorks("keeping a record aside", () =>
        quarantine(quarantineFolder, { logId: log.id, record }),
      )
      counts.quarantinedRecordCount += 1
      logger.error({ file, position: record.position }, "a record is kept aside, not ingested")
    }
  }

  /** What does not depend on the data fails for now, not for ever. */
  async #untilItWorks<T>(what: string, work: () => Promise<T>): Promise<T> {
    const wait = new Backoff(this.#stopping.signal)
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (this.#stopping.signal.aborted) throw error
        this.#parts.counts.failureCount += 1
        this.#parts.logger.error({ err: error }, `${what} failed and is tried again`)
        await wait.next()
      }
    }
  }
}

type Outcome = PreparedBatch | "hopeless" | "stopped"

class Backoff {
  readonly #signal: AbortSignal
  #ms = RETRY_MIN_MS

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  async next(): Promise<void> {
    await sleep(this.#ms, undefined, { signal: this.#signal }).catch(() => {})
    this.#ms = Math.min(this.#ms * 2, RETRY_MAX_MS)
  }
}

const PASSING_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EIO", "EMFILE", "ENFILE"])

/** The database or the disk is not there for the moment: nothing about the batch itself. */
function isPassing(error: unknown): boolean {
  const { code } = error as { code?: string }
  return isOutage(error) || (code !== undefined && PASSING_CODES.has(code))
}
