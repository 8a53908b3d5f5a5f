/**
 * A backup of a running instance, of one moment:
 *   1. Between two batches of ingestion, when both stores stand at the same position of the log, the state of the
 *      relational store is pinned by a transaction, the columnar store is copied, and the log's segments are
 *      opened, so that what ingestion releases afterwards can still be read.
 *   2. Everything goes on. The tables are copied as the transaction sees them.
 *   3. The log's segments are copied: what was acknowledged and not ingested at that moment is in them, and some
 *      of what came later. The last record may be torn, which whoever opens the log mends.
 *   4. The secret key and the records that were set aside.
 *   5. The manifest, which makes it a backup.
 */
import { access, type FileHandle, open } from "node:fs/promises"
import path from "node:path"
import type { ColumnarEngine } from "../columnar/engine.ts"
import type { Ingest } from "../ingest/loop.ts"
import type { Clock } from "../lib/clock.ts"
import { StartError } from "../lib/errors.ts"
import { isErrno } from "../lib/system-error.ts"
import type { Database, Db } from "../relational/db.ts"
import { version } from "../version.ts"
import {
  describeFile,
  type FileEntry,
  isEmptyFolder,
  listFilesBelow,
  makePrivateFolder,
  readChunks,
  readHandle,
  writeEntry,
} from "./files.ts"
import { writeJobs } from "./jobs.ts"
import { writeManifest } from "./manifest.ts"
import { copyTable, listMigrations, listSequences, listTables } from "./tables.ts"

export interface BackUpParts {
  readonly database: Database
  readonly columnar: Pick<ColumnarEngine, "backup">
  /** Without it nothing is ingested here. */
  readonly ingest: Pick<Ingest, "whileIdle"> | undefined
  readonly dataDir: string
  readonly clock: Clock
  readonly tell: (message: string) => void
}

export interface BackUpSummary {
  readonly fileCount: number
  readonly sizeBytes: number
}

export async function backUp(parts: BackUpParts, folder: string): Promise<BackUpSummary> {
  const { dataDir, clock, tell } = parts
  await prepareFolder(folder, dataDir)
  return parts.database.session(async (db) => {
    const created_at = clock.now().toISOString()
    tell("copying events and persons")
    const { segments, copying } = await takeMoment(parts, db, path.join(folder, "columnar"))
    const files: FileEntry[] = []
    try {
      await copying
      const tables = await listTables(db)
      for (const [index, table] of tables.entries()) {
        tell(`copying table ${index + 1} of ${tables.length}`)
        files.push(await copyTable(db, table, folder))
      }
      files.push(await writeJobs(db, folder))
      const relational = { tables, migrations: await listMigrations(db) }
      await db`commit`
      const sequences = await listSequences(db)
      tell("copying the log")
      for (const { name, handle } of segments) {
        files.push(await writeEntry(folder, `log/${name}`, readHandle(handle)))
      }
      files.push(...(await copyLoose(dataDir, folder)))
      tell("reading it once more")
      files.push(...(await describeBelow(folder, "columnar")))
      await writeManifest(folder, { version, created_at, ...relational, sequences, files })
      const sizeBytes = files.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
      return { fileCount: files.length, sizeBytes }
    } finally {
      for (const { handle } of segments) await handle.close()
    }
  })
}

async function prepareFolder(folder: string, dataDir: string): Promise<void> {
  if (`${folder}${path.sep}`.startsWith(`${dataDir}${path.sep}`)) {
    throw new StartError(`${folder} is inside the data folder; choose one outside`)
  }
  if (!(await isEmptyFolder(folder))) {
    throw new StartError(`${folder} is not empty; a backup needs a folder of its own`)
  }
  await makePrivateFolder(folder)
}

interface OpenSegment {
  readonly name: string
  readonly handle: FileHandle
}

/**
 * Leaves a transaction open on the session. Both stores are pinned between two batches, where changes of persons by
 * the API wait too; the copying itself holds up nobody.
 */
async function takeMoment(
  parts: BackUpParts,
  session: Db,
  folder: string,
): Promise<{ segments: OpenSegment[]; copying: Promise<void> }> {
  const { columnar, ingest, dataDir } = parts
  let copying: Promise<void> = Promise.resolve()
  const pinAll = async () => {
    await pin(session)
    await new Promise<void>((resolve, reject) => {
      copying = columnar.backup(folder, resolve)
      copying.then(resolve, reject)
    })
    return openSegments(path.join(dataDir, "log"))
  }
  const segments = await (ingest === undefined ? pinAll() : ingest.whileIdle(pinAll))
  return { segments, copying }
}

/** The first statement of such a transaction fixes what all later ones see. */
async function pin(session: Db): Promise<void> {
  await session`set idle_in_transaction_session_timeout = 0`
  await session`set statement_timeout = 0`
  await session`begin transaction isolation level repeatable read read only`
  await session`select 1 from schema_migration limit 1`
}

const LOG_FILE = /^(log-id|\d+\.log)$/

async function openSegments(folder: string): Promise<OpenSegment[]> {
  const names = (await listFilesBelow(folder)).filter((name) => LOG_FILE.test(name))
  const opened: OpenSegment[] = []
  for (const name of names) {
    opened.push({ name, handle: await open(path.join(folder, name), "r") })
  }
  return opened
}

/** The key may be a setting instead, and there may be no such records. */
async function copyLoose(dataDir: string, folder: string): Promise<FileEntry[]> {
  const aside = await listFilesBelow(path.join(dataDir, "quarantine"))
  const copied: FileEntry[] = []
  const names = ["secret-key", ...aside.map((each) => `quarantine/${each}`)]
  for (const name of names) {
    const file = path.join(dataDir, name)
    if (await isThere(file)) copied.push(await writeEntry(folder, name, readChunks(file)))
  }
  return copied
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false
    throw error
  }
}

async function describeBelow(folder: string, below: string): Promise<FileEntry[]> {
  const names = await listFilesBelow(path.join(folder, below))
  const found: FileEntry[] = []
  for (const name of names) found.push(await describeFile(folder, `${below}/${name}`))
  return found
}
