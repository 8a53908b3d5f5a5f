/** The relational store as files: one per table, in PostgreSQL's own text form for copying. */
import { createReadStream } from "node:fs"
import path from "node:path"
import { pipeline } from "node:stream/promises"
import type { Db } from "../relational/db.ts"
import { type FileEntry, writeEntry } from "./files.ts"
import type { Manifest } from "./manifest.ts"

type Table = Manifest["tables"][number]

/** Told by the migrations themselves. */
const OWN_TABLE = "schema_migration"

export async function listMigrations(db: Db): Promise<Manifest["migrations"]> {
  const rows = await db<Manifest["migrations"]>`
    select version, name, checksum from schema_migration order by version`
  return rows.map(({ version, name, checksum }) => ({ version, name, checksum }))
}

/** With the columns that hold something of their own, in order. */
export async function listTables(db: Db): Promise<Table[]> {
  const rows = await db<{ name: string; columns: string[] }[]>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relname <> ${OWN_TABLE}
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`
  return rows.map(({ name, columns }) => ({ name, columns, path: `tables/${name}.copy` }))
}

/** Not part of any snapshot, so read after it: a number may be skipped, never given twice. */
export async function listSequences(db: Db): Promise<Manifest["sequences"]> {
  const rows = await db<{ name: string; last_value: string }[]>`
    select sequencename as name, last_value::text as last_value from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`
  return rows.map(({ name, last_value }) => ({ name, last_value }))
}

export async function copyTable(db: Db, table: Table, folder: string): Promise<FileEntry> {
  const rows = await db`copy ${db(table.name)} (${db(table.columns)}) to stdout`.readable()
  return writeEntry(folder, table.path, rows as AsyncIterable<Uint8Array>)
}

/** In a transaction in which foreign keys and triggers rest: tables refer to each other in circles. */
export async function loadTables(db: Db, { tables }: Manifest, folder: string): Promise<void> {
  for (const { name, columns, path: file } of tables) {
    // Migrations fill some tables themselves.
    await db`delete from ${db(name)}`
    const rows = await db`copy ${db(name)} (${db(columns)}) from stdin`.writable()
    await pipeline(createReadStream(path.join(folder, file)), rows)
  }
}

export async function setSequences(db: Db, { sequences }: Manifest): Promise<void> {
  for (const { name, last_value } of sequences) {
    await db`select setval(quote_ident(${name})::regclass, ${last_value}::text::bigint)`
  }
}
