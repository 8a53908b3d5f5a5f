/** Opens the way of an event: log, columnar store, ingestion, capture. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { availableParallelism } from "node:os"
import path from "node:path"
import type { Metrics } from "./api/http/metrics.ts"
import { type ColumnarChanges, createColumnarChanges } from "./columnar/changes.ts"
import { openDuckDb } from "./columnar/duckdb/engine.ts"
import type { ColumnarChange, ColumnarEngine } from "./columnar/engine.ts"
import type { Config } from "./config.ts"
import type { Ingest } from "./ingest/loop.ts"
import type { Clock } from "./lib/clock.ts"
import type { Closer } from "./lib/closer.ts"
import type { Logger } from "./lib/logger.ts"
import type { Log } from "./log/log.ts"
import { PersonCache } from "./persons/cache.ts"
import type { Database } from "./relational/db.ts"

export interface EventPathParts {
  readonly config: Config
  readonly clock: Clock
  readonly logger: Logger
  readonly database: Database
  readonly metrics: Metrics
  readonly isClosing: () => boolean
}

export interface EventPath {
  readonly columnar: ColumnarEngine
  readonly columnarChanges: ColumnarChanges
  /** Present where this node captures. */
  readonly capturing: Capturing | undefined
}

export interface Capturing {
  readonly log: Log
  readonly ingest: Ingest
  readonly listener: (request: IncomingMessage, response: ServerResponse) => boolean
}

export async function openEventPath(parts: EventPathParts, closer: Closer): Promise<EventPath> {
  const { config, clock, logger, database } = parts
  const columnar = closer.use(
    await openDuckDb({
      folder: path.join(config.dataDir, "columnar"),
      memoryBytes: config.query.memoryBytes,
      threads: availableParallelism(),
      logger,
      clock,
    }),
  )
  const applied = await columnar.migrate()
  if (applied.length > 0) logger.info({ applied }, "columnar store migrated")
  const cache = new PersonCache()
  const onApplied = (change: ColumnarChange) => forget(cache, change)
  const columnarChanges = createColumnarChanges({ database, engine: columnar, onApplied })
  await columnarChanges.flush()
  return { columnar, columnarChanges, capturing: undefined }
}

/** What the change touched is read anew by the next batch. */
function forget(cache: PersonCache, change: ColumnarChange): void {
  for (const { project_id, uuid } of [
    ...(change.persons ?? []),
    ...(change.removed_persons ?? []),
  ]) {
    cache.forgetPerson(project_id, uuid)
  }
  for (const { project_id, distinct_id, from } of change.moved ?? []) {
    cache.forgetId(project_id, distinct_id)
    cache.forgetPerson(project_id, from)
  }
}
