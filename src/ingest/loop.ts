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
import { BatchTooLarge } from "../lib/batch-too-large.ts"
import type { Clock } from "../lib/clock.ts"
import type { Logger } from "../lib/logger.ts"
import type { Log, LogPosition, LogRecord } from "../log/log.ts"
import type { PersonCache } from "../persons/cache.ts"
import { PersonConflict } from "../persons/ingest-store.ts"
import type { Database } from "../relational/db.ts"
import { Backoff } from "./backoff.ts"
import { commitBatch, type LogBatch, Stopped } from "./commit.ts"
import type { IngestCounts } from "./counts.ts"
import { isOfRecords } from "./faults.ts"
import { quarantine, retryQuarantined } from "./quarantine.ts"
import { passKnownPositions, recover } from "./recovery.ts"

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
  /** Applies changes of the API that are not in the columnar store yet: each batch is built on them. */
  readonly applyChanges: () => Promise<void>
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
/** Attempts at a batch whose records are at fault, before it is taken apart. */
const FAULTS_MAX = 3
/** Conflicts in a row that are nothing special. */
const QUICK_CONFLICTS_MAX = 10

/** Recovers in the background, so that capture and the API are there meanwhile. */
export async function startIngest(parts: IngestParts): Promise<Ingest> {
  const { log, logger, quarantineFolder } = parts
  await passKnownPositions(parts)
  const retried = await retryQuarantined(quarantineFolder, log)
  if (retried > 0) logger.warn({ records: retried }, "records that were kept aside are tried again")
  return new IngestLoop(parts).start()
}

interface Waiter {
  readonly position: LogPosition
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

interface IdleWork {
  readonly run: () => Promise<void>
  readonly reject: (error: Error) => void
}

class IngestLoop implements Ingest {
  readonly #parts: IngestParts
  readonly #stopping = new AbortController()
  #waiters: Waiter[] = []
  readonly #idleWork: IdleWork[] = []
  /** Ends the wait for more of the log. */
  #nudge = new AbortController()
  /** Before it nothing is known to be stored. */
  #stored: LogPosition = -1
  /** Until there, records are taken one by one: one of them is at fault. */
  #apartUntil: LogPosition = -1
  #appending: Promise<void> = Promise.resolve()
  #running: Promise<void> = Promise.resolve()

  constructor(parts: IngestParts) {
    this.#parts = parts
  }

  start(): this {
    this.#running = this.#run()
    return this
  }

  position(): LogPosition {
    return Math.max(0, this.#stored)
  }

  async settle(): Promise<void> {
    const position = this.#parts.log.end()
    if (this.#stored >= position) return
    if (this.#stopping.signal.aborted) throw stopped()
    await new Promise<void>((resolve, reject) => {
      this.#waiters.push({ position, resolve, reject })
      this.#nudge.abort()
    })
  }

  async whileIdle<T>(work: () => Promise<T>): Promise<T> {
    if (this.#stopping.signal.aborted) throw stopped()
    return new Promise<T>((resolve, reject) => {
      this.#idleWork.push({ run: () => work().then(resolve, reject), reject })
      this.#nudge.abort()
    })
  }

  async emptyLog(): Promise<void> {
    const { log } = this.#parts
    const end = log.end()
    await log.roll()
    await this.settle()
    await log.release(this.#stored)
    if (log.start() < end) throw new Error("files of the log could not be removed")
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    this.#nudge.abort()
    await this.#running
    for (const { reject } of [...this.#waiters, ...this.#idleWork]) reject(stopped())
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    try {
      let position = await this.#untilItWorks("recovery", () => recover(this.#parts))
      this.#setStored(position)
      while (!signal.aborted) {
        await this.#untilItWorks("applying changes", () => this.#parts.applyChanges())
        if (await this.#hasMore(position)) position = await this.#take(position)
        // Every round: neither may keep the other waiting for ever.
        if (this.#idleWork.length > 0) await this.#doIdleWork()
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
    if (this.#stopping.signal.aborted) return false
    if (log.end() > position && (this.#idleWork.length > 0 || this.#waiters.length > 0)) return true
    if (this.#idleWork.length > 0) return false
    if (!(await log.waitPast(position, this.#nudge.signal))) return false
    if (log.end() - position < GATHER_BYTES && this.#waiters.length === 0) {
      await sleep(GATHER_MS, undefined, { signal: this.#nudge.signal }).catch(() => {})
    }
    return !this.#stopping.signal.aborted
  }

  async #doIdleWork(): Promise<void> {
    await this.#appending
    for (const { run } of this.#idleWork.splice(0)) await run()
  }

  /** Ingests what follows `from`, and answers where it got to. */
  async #take(from: LogPosition): Promise<LogPosition> {
    const maxBytes = from < this.#apartUntil ? 1 : BATCH_BYTES_MAX
    const recent = this.#parts.recent.take(from, maxBytes)
    const first = recent.requests.length > 0 ? recent : undefined
    const { outcome, batch } = await this.#commit(first, () => this.#read(from, maxBytes))
    if (outcome === "stopped") return from
    if (typeof outcome !== "string") return this.#hand(outcome, batch.next)
    if (batch.requests.length > 1) {
      this.#apartUntil = batch.next
      return from
    }
    return this.#setAside(from)
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
    const { signal } = this.#stopping
    const wait = new Backoff(signal)
    let batch = first ?? (await read())
    let faults = 0
    for (let attempt = 1; ; attempt++) {
      if (signal.aborted) return { outcome: "stopped", batch }
      try {
        return { outcome: await commitBatch(this.#parts, batch, signal), batch }
      } catch (error) {
        if (error instanceof Stopped) return { outcome: "stopped", batch }
        if (error instanceof BatchTooLarge) return { outcome: "faulty", batch }
        this.#noteFailure(error, attempt)
        if (isOfRecords(error) && ++faults === FAULTS_MAX) return { outcome: "faulty", batch }
        const isQuick = error instanceof PersonConflict && attempt < QUICK_CONFLICTS_MAX
        if (!isQuick) await wait.next()
      }
      batch = await read()
    }
  }

  #noteFailure(error: unknown, attempt: number): void {
    const { counts, cache, logger } = this.#parts
    cache.clear()
    if (error instanceof PersonConflict) counts.conflictCount += 1
    else counts.failureCount += 1
    if (!(error instanceof PersonConflict) || attempt >= QUICK_CONFLICTS_MAX) {
      logger.warn({ err: error, attempt }, "a batch is tried again")
    }
  }

  async #append(prepared: PreparedBatch, next: LogPosition): Promise<void> {
    const { columnar, log, counts } = this.#parts
    await this.#untilItWorks("appending to the columnar store", () => columnar.append(prepared))
    counts.batchCount += 1
    this.#setStored(next)
    await this.#untilItWorks("releasing the log", () => log.release(next))
  }

  #setStored(position: LogPosition): void {
    this.#stored = position
    const ready = this.#waiters.filter((waiter) => waiter.position <= position)
    this.#waiters = this.#waiters.filter((waiter) => waiter.position > position)
    for (const { resolve } of ready) resolve()
  }

  /** The record at `from` is kept in a file of its own, and ingestion goes on behind it. */
  async #setAside(from: LogPosition): Promise<LogPosition> {
    const { records, next } = await this.#readRecords(from, 1)
    for (const record of records) await this.#quarantine(record)
    const nothing = { requests: [], next }
    const { outcome } = await this.#commit(nothing, async () => nothing)
    return typeof outcome === "string" ? from : this.#hand(outcome, next)
  }

  async #quarantine(record: LogRecord): Promise<void> {
    const { quarantineFolder, log, counts, logger } = this.#parts
    const file = await this.#untilItWorks("keeping a record aside", () =>
      quarantine(quarantineFolder, { logId: log.id, record }),
    )
    counts.quarantinedRecordCount += 1
    logger.error({ file, position: record.position }, "a record is kept aside, not ingested")
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

type Outcome = PreparedBatch | "faulty" | "stopped"

function stopped(): Error {
  return new Error("ingestion has stopped")
}
