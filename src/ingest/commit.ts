/** One batch of records: made into rows, prepared on disk, committed to PostgreSQL. `loop.ts` tells why. */
import { setImmediate as yieldToOthers } from "node:timers/promises"
import { recordWarnings } from "../api/ingestion-warnings/store.ts"
import { listIngestProjects, markIngesting } from "../api/projects/store.ts"
import type {
  ColumnarBatch,
  GroupRow,
  LogMark,
  PersonRow,
  PreparedBatch,
} from "../columnar/engine.ts"
import { mergeGroups } from "../groups/merging.ts"
import { addGroupTypes, listGroupTypes, writeGroups } from "../groups/store.ts"
import type { LogPosition } from "../log/log.ts"
import type { IdentityChanges, IngestionWarning, PersonChange } from "../persons/identity.ts"
import {
  drawIds,
  loadPersons,
  loadPersonsInPart,
  PersonConflict,
  type StoredChange,
  writePersons,
} from "../persons/ingest-store.ts"
import type { Db } from "../relational/db.ts"
import { Backoff } from "./backoff.ts"
import { readingRecords } from "./faults.ts"
import type { IngestParts } from "./loop.ts"
import { IngestBatch, type IngestRecord } from "./pipeline.ts"
import { findPosition, writePosition } from "./position-store.ts"
import { GroupTypes } from "./steps/group-types.ts"

/** Ingestion ends: whatever was under way is found, and finished or done again, by the next start. */
export class Stopped extends Error {}

/** Requests are answered in between: one slice takes a few milliseconds. */
const EVENTS_PER_SLICE = 300

/** Requests of the log, in order, and where the log goes on behind them. */
export interface LogBatch {
  readonly requests: readonly LoggedRequest[]
  readonly next: LogPosition
}

interface LoggedRequest {
  readonly position: LogPosition
  /** Once: the events are changed on their way. */
  decode(): IngestRecord
}

export async function commitBatch(
  parts: IngestParts,
  { requests, next }: LogBatch,
  signal: AbortSignal,
): Promise<PreparedBatch> {
  const { database, columnar, log, cache } = parts
  const changeCount = cache.changeCount
  const batch = await readBatch(parts, requests)
  // What one request names is taken as far as memory allows; of many, fewer are taken at once.
  const isAlone = requests.length === 1
  const load = isAlone ? loadPersonsInPart : loadPersons
  const loaded = await load(database.db, batch.wantedIds(), cache)
  const { changes, rows } = await driven(() => batch.identify(loaded))
  const ids = await drawIds(database.db, {
    persons: changes.created.length,
    snapshots: changes.snapshots.length,
  })
  const stored = storedChanges(changes, ids)
  const { rows: groups, warnings } = await mergeGroups(database.db, batch.groupUpdates.list(), {
    isPartAllowed: isAlone,
  })
  await yieldToOthers()
  const mark = { log_id: log.id, position: next }
  const rowsOfBatch = columnarBatch({ stored, changes, snapshotIds: ids.snapshots })
  const prepared = await columnar.prepare({
    ...{ ...rowsOfBatch, events: rows(ids.snapshots), groups, mark },
  })
  try {
    await database.transaction(async (db) => {
      await writePersons(db, { ...changes, ...stored })
      const all = [...batch.warnings, ...changes.warnings, ...warnings]
      await writeRest(db, { batch, groups, warnings: all, now: parts.clock.now() })
      await writePosition(db, mark, parts.clock.now())
    })
  } catch (error) {
    // A commit whose answer was lost has happened all the same: made anew, the batch would be another.
    if (error instanceof PersonConflict || !(await isCommitted(parts, mark, signal))) {
      await columnar.discard(prepared)
      throw error
    }
  }
  const persons = [...stored.created, ...stored.updated]
  cache.settle({ ...changes, persons }, changeCount)
  count(parts, batch)
  return prepared
}

/** Asks until PostgreSQL answers. Nothing else moves the position of this log. */
async function isCommitted(
  { database, logger }: IngestParts,
  mark: LogMark,
  signal: AbortSignal,
): Promise<boolean> {
  const wait = new Backoff(signal)
  for (;;) {
    try {
      return ((await findPosition(database.db, mark.log_id)) ?? 0) >= mark.position
    } catch (error) {
      // The next start finds out: what is prepared stays.
      if (signal.aborted) throw new Stopped("stopped while a commit was in doubt", { cause: error })
      logger.warn({ err: error }, "PostgreSQL does not say whether a batch is in it")
      await wait.next()
    }
  }
}

async function readBatch(
  parts: IngestParts,
  logged: readonly LoggedRequest[],
): Promise<IngestBatch> {
  const { database, log } = parts
  const requests: { request: IngestRecord; seed: string }[] = []
  let eventCount = 0
  const pause = async (events: number) => {
    eventCount += events
    if (eventCount < EVENTS_PER_SLICE) return
    eventCount = 0
    await yieldToOthers()
  }
  for (const one of logged) {
    const request = readingRecords(() => one.decode())
    requests.push({ request, seed: `${log.id}:${one.position}` })
    await pause(request.events.length)
  }
  const projectIds = [...new Set(requests.map(({ request }) => request.head.project_id))]
  const [projects, groupTypes] = await Promise.all([
    listIngestProjects(database.db, projectIds),
    listGroupTypes(database.db, projectIds),
  ])
  const batch = new IngestBatch({
    projects: new Map(projects.map((project) => [project.id, project])),
    groupTypes: new GroupTypes(groupTypes),
  })
  for (const { request, seed } of requests) {
    await driven(() => batch.add(request, seed))
    await pause(request.events.length)
  }
  return batch
}

/** Lets others run whenever the work yields. */
async function driven<T>(start: () => Generator<undefined, T>): Promise<T> {
  const steps = readingRecords(start)
  for (;;) {
    const step = readingRecords(() => steps.next())
    if (step.done === true) return step.value
    await yieldToOthers()
  }
}

interface Stored {
  readonly created: readonly StoredChange[]
  readonly updated: readonly StoredChange[]
}

/** With the ids drawn for what is new. */
function storedChanges(
  changes: IdentityChanges,
  ids: { persons: readonly number[]; snapshots: readonly number[] },
): Stored {
  const withSnapshot = (change: PersonChange, id: number): StoredChange => {
    const { snapshot } = change
    const snapshot_id = snapshot >= 0 ? snapshot : (ids.snapshots[-1 - snapshot] as number)
    return { ...change, id, snapshot_id }
  }
  return {
    created: changes.created.map((change, index) =>
      withSnapshot(change, ids.persons[index] as number),
    ),
    updated: changes.updated.map((change) => withSnapshot(change, change.id as number)),
  }
}

function columnarBatch(parts: {
  stored: Stored
  changes: IdentityChanges
  snapshotIds: readonly number[]
}): Pick<ColumnarBatch, "persons" | "snapshots" | "overrides" | "merged"> {
  const { stored, changes, snapshotIds } = parts
  return {
    persons: [...stored.created, ...stored.updated].map(personRow),
    snapshots: changes.snapshots.map((snapshot, index) => ({
      ...snapshot,
      snapshot_id: snapshotIds[index] as number,
    })),
    overrides: changes.overrides,
    merged: changes.merged.map(({ project_id, from }) => ({ project_id, uuid: from })),
  }
}

function personRow(person: StoredChange): PersonRow {
  const { project_id, id, uuid, snapshot_id, is_identified, created_at, properties } = person
  const version = person.base_version + 1
  return {
    ...{ project_id, id, uuid, version, snapshot_id, is_identified, created_at, properties },
  }
}

interface Rest {
  readonly batch: IngestBatch
  readonly groups: readonly GroupRow[]
  readonly warnings: readonly IngestionWarning[]
  readonly now: Date
}

async function writeRest(db: Db, { batch, groups, warnings, now }: Rest): Promise<void> {
  const types = batch.newGroupTypes
  if ((await addGroupTypes(db, types)) !== types.length) {
    throw new PersonConflict("a kind of group was added meanwhile")
  }
  if ((await writeGroups(db, groups)) !== groups.length) {
    throw new PersonConflict("a group has changed")
  }
  await recordWarnings(
    db,
    warnings.map((warning) => ({ ...warning, created_at: now })),
  )
  await markIngesting(db, batch.projectIds())
}

function count({ counts }: IngestParts, batch: IngestBatch): void {
  counts.storedEventCount += batch.eventCount
  for (const [reason, events] of Object.entries(batch.drops)) {
    counts.droppedEventCounts[reason as keyof typeof batch.drops] += events
  }
}
