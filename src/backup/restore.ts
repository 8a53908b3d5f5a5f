/**
 * A backup becomes an instance again:
 *   1. Everything is checked before anything is written: the files, and that this version knows the backup's.
 *   2. The relational store is brought to exactly the migrations that the backup had, filled, and then migrated on.
 *   3. The columnar store, the log, the key and the records set aside are copied.
 *   4. All of it was made in a folder of its own inside the data folder, and moves out at the very end: a restore
 *      that is interrupted leaves nothing that could be started.
 */
import { mkdir, readdir, rename, rm } from "node:fs/promises"
import path from "node:path"
import { StartError } from "../lib/errors.ts"
import { type Database, first, sqlState } from "../relational/db.ts"
import { migrate, migrateUpTo, readMigrations } from "../relational/migrate.ts"
import { version } from "../version.ts"
import { isEmptyFolder, readChunks, syncFolder, writeEntry } from "./files.ts"
import { type KeptJob, readJobs } from "./jobs.ts"
import { checkFiles, type Manifest, readManifest } from "./manifest.ts"
import { loadTables, setSequences } from "./tables.ts"

export interface RestoreParts {
  /** To be filled. */
  readonly dataDir: string
  /** The database of a data folder that may be new. */
  readonly openStores: (dataDir: string) => Promise<Database>
  /** Queues those of tasks that this version has. */
  readonly enqueue: (database: Database, jobs: readonly KeptJob[]) => Promise<void>
  readonly tell: (message: string) => void
}

export interface RestoreSummary {
  readonly createdAt: string
  /** Whether the backup brought the secret key; where it was a setting, it must be one again. */
  readonly hasKey: boolean
}

const DRAFT = "restoring"

export async function restore(parts: RestoreParts, folder: string): Promise<RestoreSummary> {
  const { dataDir, tell } = parts
  const manifest = await readManifest(folder)
  if (!(await isEmptyFolder(dataDir))) {
    throw new StartError(
      `the data folder ${dataDir} is not empty; restore into a new one (HEDGEROW_DATA_DIR)`,
    )
  }
  await checkKnown(manifest)
  await checkFiles(folder, manifest, tell)
  const draft = path.join(dataDir, DRAFT)
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 })
    await restoreRelational({ ...parts, dataDir: draft }, manifest, folder)
    tell("copying events and the log")
    await copyFiles(manifest, folder, draft)
    await moveOut(draft, dataDir)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
  const hasKey = manifest.files.some((file) => file.path === "secret-key")
  return { createdAt: manifest.created_at, hasKey }
}

/** A newer version may have written what this one does not understand. */
async function checkKnown(manifest: Manifest): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]))
  const unknown = manifest.migrations.find(({ name, checksum }) => known.get(name) !== checksum)
  if (unknown === undefined && !isNewer(manifest.version, version)) return
  throw new StartError(
    `the backup is of Hedgerow ${manifest.version}, which this one (${version}) cannot read; restore it with that version or a newer one`,
  )
}

function isNewer(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.split(/[.-]/).slice(0, 3).map(Number))
  const index = [0, 1, 2].find((place) => left?.[place] !== right?.[place])
  return index !== undefined && (left?.[index] ?? 0) > (right?.[index] ?? 0)
}

async function restoreRelational(
  { dataDir, openStores, enqueue, tell }: RestoreParts,
  manifest: Manifest,
  folder: string,
): Promise<void> {
  tell("making the database")
  const database = await openStores(dataDir)
  try {
    await checkEmpty(database)
    await migrateUpTo(database, manifest.migrations.at(-1)?.version ?? 0)
    tell(`filling ${manifest.tables.length} tables`)
    await fill(database, manifest, folder)
    await migrate(database)
    await enqueue(database, await readJobs(folder))
  } finally {
    await database.close()
  }
}

/** An external server may hold anything. */
async function checkEmpty({ db }: Database): Promise<void> {
  const found = await first(db`
    select 1 from pg_class where relnamespace = current_schema()::regnamespace limit 1`)
  if (found === undefined) return
  throw new StartError("the database is not empty; restore into a new one (DATABASE_URL)")
}

const INSUFFICIENT_PRIVILEGE = "42501"

/** On a session, whose time limits can be lifted. */
function fill(database: Database, manifest: Manifest, folder: string): Promise<void> {
  return database.session(async (db) => {
    await db`set statement_timeout = 0`
    await db`begin`
    try {
      await db`set local session_replication_role = replica`
      await loadTables(db, manifest, folder)
      await setSequences(db, manifest)
      await db`commit`
      await db`analyze`
    } catch (error) {
      await db`rollback`.catch(() => undefined)
      if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error
      const cause = { cause: error }
      throw new StartError("only a superuser of the database can restore into it", cause)
    }
  })
}

const COPIED = /^(columnar|log|quarantine)\/|^secret-key$/

async function copyFiles({ files }: Manifest, folder: string, draft: string): Promise<void> {
  for (const { path: name } of files) {
    if (COPIED.test(name)) await writeEntry(draft, name, readChunks(path.join(folder, name)))
  }
  for (const name of ["columnar", "log", "."]) {
    const below = path.join(draft, name)
    await mkdir(below, { recursive: true, mode: 0o700 })
    await syncFolder(below)
  }
}

/** The database last: without it, a start would make a new instance, and with it all is there. */
async function moveOut(draft: string, dataDir: string): Promise<void> {
  const names = (await readdir(draft)).toSorted((a, b) => rank(a) - rank(b))
  for (const name of names) await rename(path.join(draft, name), path.join(dataDir, name))
  await rm(draft, { recursive: true })
  await syncFolder(dataDir)
}

function rank(name: string): number {
  return name === "postgres" ? 1 : 0
}
