/**
 * Deferred deletion: all requests that wait, in one run.
 *   1. Hold the lock: there is one run at a time, whoever starts it.
 *   2. Empty the log of captured events: what it still holds of a deleted project would come in afterwards.
 *   3. Delete the events, and what PostgreSQL holds of deleted projects and persons.
 *   4. Compact: until then deleted bytes can be found in the files.
 *   5. Mark the requests as finished.
 * Every step may be repeated, and only the last one ends a request: after a crash the next run starts over and
 * comes to the same end.
 */
import type { ColumnarEngine } from "../columnar/engine.ts"
import { type Clock, elapsedMs } from "../lib/clock.ts"
import type { Logger } from "../lib/logger.ts"
import type { Database, Db } from "../relational/db.ts"
import { eraseDeadRows } from "./erase.ts"
import { type DeletionRequest, eventDeletionOf, finish, listUnfinished } from "./requests.ts"
import { removePersonTraces, removeProjectRows } from "./traces.ts"

export interface DeletionParts {
  readonly database: Database
  readonly columnar: Pick<ColumnarEngine, "deleteEvents" | "compact">
  readonly clock: Clock
  readonly logger: Logger
  /** Stores what the log holds and drops its files, where this node captures. */
  readonly emptyLog?: (() => Promise<void>) | undefined
  readonly onProgress?: (message: string) => void
}

export interface DeletionSummary {
  readonly requestCount: number
  readonly eventCount: number
}

/** Any constant that differs from the other advisory locks. */
const DELETION_LOCK = 7_204_011
const LOCK_TIMEOUT_MS = 10 * 60 * 1_000
const REQUESTS_PER_STATEMENT = 1_000
const REQUESTS_PER_ROUND = 100_000

/** Waits for a run that is at work already; what came in meanwhile is done by this one. */
export function runDeletions(parts: DeletionParts): Promise<DeletionSummary> {
  return parts.database.session(async (session) => {
    await holdLock(session)
    let summary: DeletionSummary = { requestCount: 0, eventCount: 0 }
    for (;;) {
      const requests = await listUnfinished(session, REQUESTS_PER_ROUND)
      if (requests.length === 0) return summary
      const eventCount = await runRound(parts, session, requests)
      summary = {
        requestCount: summary.requestCount + requests.length,
        eventCount: summary.eventCount + eventCount,
      }
    }
  })
}

/** Freed with the session, however that ends. */
async function holdLock(session: Db): Promise<void> {
  await session`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, false)`
  await session`select pg_advisory_lock(${DELETION_LOCK})`
  await session`reset lock_timeout`
}

async function runRound(
  parts: DeletionParts,
  session: Db,
  requests: readonly DeletionRequest[],
): Promise<number> {
  const { database, columnar, clock, logger, onProgress } = parts
  const startMs = elapsedMs()
  let eventCount = 0
  let doneCount = 0
  await parts.emptyLog?.()
  for (const batch of batchesOf(requests, REQUESTS_PER_STATEMENT)) {
    eventCount += await columnar.deleteEvents(batch.map(eventDeletionOf))
    await removeRows(database, batch)
    doneCount += batch.length
    onProgress?.(`${doneCount} of ${requests.length} requests: ${eventCount} events deleted`)
  }
  onProgress?.("rewriting the files without what was deleted")
  await columnar.compact()
  await eraseDeadRows(session)
  for (const batch of batchesOf(requests, REQUESTS_PER_STATEMENT)) {
    await finish(database.db, batch, clock.now())
  }
  const ms = Math.round(elapsedMs() - startMs)
  logger.info({ requests: requests.length, events: eventCount, ms }, "deferred deletion done")
  return eventCount
}

async function removeRows(database: Database, batch: readonly DeletionRequest[]): Promise<void> {
  for (const { kind, project_id } of batch) {
    if (kind === "project") await removeProjectRows(database, project_id)
  }
  const persons = batch.filter(({ kind }) => kind === "person")
  if (persons.length > 0) await removePersonTraces(database, persons)
}

function* batchesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
