/** Opens the way of an event: log, columnar store, ingestion, capture. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { availableParallelism } from "node:os"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import proxyAddr from "@fastify/proxy-addr"
import type { Metrics } from "./api/http/metrics.ts"
import { findProjectByToken } from "./api/projects/store.ts"
import { createCapture } from "./capture/capture.ts"
import { CaptureCounts } from "./capture/counts.ts"
import { RecentRequests } from "./capture/recent.ts"
import { ProjectTokens } from "./capture/tokens.ts"
import { type ColumnarChanges, createColumnarChanges } from "./columnar/changes.ts"
import { openClickHouse } from "./columnar/clickhouse/engine.ts"
import { openDuckDb } from "./columnar/duckdb/engine.ts"
import type { ColumnarChange, ColumnarEngine } from "./columnar/engine.ts"
import type { Config } from "./config.ts"
import { IngestCounts } from "./ingest/counts.ts"
import { type Ingest, type IngestParts, startIngest } from "./ingest/loop.ts"
import type { Clock } from "./lib/clock.ts"
import type { Closer } from "./lib/closer.ts"
import { unavailable } from "./lib/errors.ts"
import type { Logger } from "./lib/logger.ts"
import { type Log, openLog } from "./log/log.ts"
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

interface Capturing {
  readonly log: Log
  readonly ingest: Ingest
  readonly listener: (request: IncomingMessage, response: ServerResponse) => boolean
}

export async function openEventPath(parts: EventPathParts, closer: Closer): Promise<EventPath> {
  const { config, logger, database } = parts
  const columnar = closer.use(await openColumnar(parts))
  const applied = await columnar.migrate()
  if (applied.length > 0) logger.info({ applied }, "columnar store migrated")
  const cache = new PersonCache()
  const onApplied = (change: ColumnarChange) => forget(cache, change)
  const changes = createColumnarChanges({ database, engine: columnar, onApplied })
  if (!config.roles.includes("capture")) {
    await changes.flush()
    return { columnar, columnarChanges: changes, capturing: undefined }
  }
  const applyChanges = async () => {
    if (!changes.isSettled()) await changes.flush()
  }
  const capturing = await openCapturing({ ...parts, columnar, cache, applyChanges }, closer)
  return {
    columnar,
    columnarChanges: betweenBatches(changes, { ingest: capturing.ingest, logger }),
    capturing,
  }
}

function openColumnar({ config, clock, logger }: EventPathParts): Promise<ColumnarEngine> {
  const folder = path.join(config.dataDir, "columnar")
  const { memoryBytes } = config.query
  if (config.clickHouse !== undefined) {
    return openClickHouse({ ...config.clickHouse, folder, memoryBytes, logger })
  }
  return openDuckDb({ folder, memoryBytes, threads: availableParallelism(), logger, clock })
}

/** Longer than a batch under full load. */
const CHANGE_TIMEOUT_MS = 20_000

/**
 * A batch that PostgreSQL took before a change must be appended before it: it may hold a state of the person that
 * the change replaced, or a person that it removed. Those who wait together share one flush.
 */
function betweenBatches(
  changes: ColumnarChanges,
  { ingest, logger }: { ingest: Ingest; logger: Logger },
): ColumnarChanges {
  let waiting: Promise<void> | undefined
  const flushOnce = () => {
    waiting ??= ingest.whileIdle(() => {
      waiting = undefined
      return changes.flush()
    })
    // Also when nobody waits any more.
    waiting.catch((err: unknown) => logger.warn({ err }, "changes are not applied yet"))
    return waiting
  }
  return {
    ...changes,
    async flush() {
      const inTime = new AbortController()
      const late = sleep(CHANGE_TIMEOUT_MS, undefined, inTime).then(() => {
        throw new Error(`not applied within ${CHANGE_TIMEOUT_MS} ms`)
      })
      try {
        await Promise.race([flushOnce(), late])
      } catch {
        throw unavailable("The change is stored, and will be seen everywhere soon.", 5)
      } finally {
        inTime.abort()
        late.catch(() => {})
      }
    },
  }
}

async function openCapturing(
  parts: EventPathParts & Pick<IngestParts, "columnar" | "cache" | "applyChanges">,
  closer: Closer,
): Promise<Capturing> {
  const { config, clock, logger, database, metrics } = parts
  const folder = path.join(config.dataDir, "log")
  const log = closer.use(await openLog({ folder, budgetBytes: config.logBudgetBytes, logger }))
  const counts = { capture: new CaptureCounts(), ingest: new IngestCounts() }
  const quarantineFolder = path.join(config.dataDir, "quarantine")
  const recent = new RecentRequests()
  const ingest = closer.use(
    await startIngest({ ...parts, log, recent, counts: counts.ingest, quarantineFolder }),
  )
  exposeCounts(metrics, { ...counts, log })
  const listener = createCapture({
    log,
    recent,
    clock,
    logger,
    counts: counts.capture,
    projects: new ProjectTokens((token) => findProjectByToken(database.db, token)),
    isClosing: parts.isClosing,
    trustProxy: proxyTest(config.trustedProxies),
  })
  return { log, ingest, listener }
}

function proxyTest(trustedProxies: string): (address: string) => boolean {
  if (trustedProxies === "none") return () => false
  const isTrusted = proxyAddr.compile(trustedProxies.split(",").map((part) => part.trim()))
  return (address) => isTrusted(address, 0)
}

interface Counted {
  readonly capture: CaptureCounts
  readonly ingest: IngestCounts
  readonly log: Log
}

function exposeCounts(metrics: Metrics, { capture, ingest, log }: Counted): void {
  const { expose } = metrics
  const counter = "counter" as const
  const gauge = "gauge" as const
  expose({
    name: "hedgerow_capture_requests_total",
    help: "Capture requests acknowledged.",
    ...{ kind: counter, read: () => capture.acceptedRequestCount },
  })
  expose({
    name: "hedgerow_capture_refused_total",
    help: "Capture requests refused, by reason.",
    ...{ kind: counter, label: "reason", read: () => capture.refusedRequestCounts },
  })
  expose({
    name: "hedgerow_capture_events_total",
    help: "Events acknowledged.",
    ...{ kind: counter, read: () => capture.acceptedEventCount },
  })
  expose({
    name: "hedgerow_events_dropped_total",
    help: "Events not stored, by reason.",
    ...{ kind: counter, label: "reason" },
    read: () => ({ ...capture.droppedEventCounts, ...ingest.droppedEventCounts }),
  })
  expose({
    name: "hedgerow_events_stored_total",
    help: "Events stored.",
    ...{ kind: counter, read: () => ingest.storedEventCount },
  })
  expose({
    name: "hedgerow_ingest_batches_total",
    help: "Batches stored, run again, and failed for now.",
    ...{ kind: counter, label: "outcome" },
    read: () => ({
      ...{ stored: ingest.batchCount, conflict: ingest.conflictCount },
      failed: ingest.failureCount,
    }),
  })
  expose({
    name: "hedgerow_log_bytes",
    help: "Disk taken by events that are acknowledged and not stored yet.",
    ...{ kind: gauge, read: () => log.bytesOnDisk() },
  })
  expose({
    name: "hedgerow_log_damage_total",
    help: "Damage found in the log.",
    ...{ kind: counter, label: "kind", read: () => ({ ...log.stats() }) },
  })
  expose({
    name: "hedgerow_quarantined_records_total",
    help: "Records that could not be ingested and are kept aside.",
    ...{ kind: counter, read: () => ingest.quarantinedRecordCount },
  })
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
