/**
 * Plain SQL files, applied in order, all that are missing in one transaction, under one advisory lock: nodes
 * that start together wait for the first. A file that was applied is never edited; its checksum is compared.
 */
import { readdir, readFile } from "node:fs/promises"
import path from "node:path"
import { StartError } from "../lib/errors.ts"
import { sha256Hex } from "../lib/ids.ts"
import { packageRoot } from "../lib/package-root.ts"
import type { Database, Db } from "./db.ts"

/** Any constant: it only has to differ from the other advisory locks of this database. */
const MIGRATION_LOCK = 7_204_001

interface Migration {
  readonly version: number
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** Applies what is missing; returns the names of the migrations it applied. */
export function migrate(database: Database): Promise<string[]> {
  return migrateUpTo(database, Number.POSITIVE_INFINITY)
}

/** The same, without those of a higher version: what an older backup was made of. */
export async function migrateUpTo(database: Database, version: number): Promise<string[]> {
  const migrations = (await readMigrations()).filter((one) => one.version <= version)
  return database.transaction(async (db) => {
    await db`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
    await db`
      create table if not exists schema_migration (
        version integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`
    const pending = await findPending(db, migrations)
    for (const migration of pending) await apply(db, migration)
    return pending.map(({ name }) => name)
  })
}

async function findPending(db: Db, migrations: readonly Migration[]): Promise<Migration[]> {
  const rows = await db<{ version: number; checksum: string }[]>`
    select version, checksum from schema_migration order by version`
  const applied = new Map(rows.map((row) => [row.version, row.checksum]))
  const known = new Set(migrations.map(({ version }) => version))
  const unknown = rows.find(({ version }) => !known.has(version))
  if (unknown !== undefined) {
    throw new StartError(
      `the database was migrated by another, newer Hedgerow: this one does not know migration ${unknown.version}`,
    )
  }
  for (const { version, name, checksum } of migrations) {
    if ((applied.get(version) ?? checksum) !== checksum) {
      throw new StartError(`migration ${name} was changed after it had been applied`)
    }
  }
  return migrations.filter(({ version }) => !applied.has(version))
}

async function apply(db: Db, { version, name, text, checksum }: Migration): Promise<void> {
  await db.unsafe(text)
  await db`insert into schema_migration (version, name, checksum)
           values (${version}, ${name}, ${checksum})`
}

/** All that this version knows, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const folder = path.join(packageRoot, "src/relational/migrations")
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(folder, name), "utf8")
      return { version: Number(name.slice(0, 4)), name, text, checksum: sha256Hex(text) }
    }),
  )
}
