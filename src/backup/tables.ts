/** The relational store as files: one per table, in PostgreSQL's own text form for copying. */
import { createReadStream } from "node:fs"
import path from "node:path"
import type { Writable } from "node:stream"
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
  const entry = await writeEntry(folder, table.path, rows)
  // The driver stops reading its connection while a stream is full. If the end comes in the same moment, nobody
  // asks the stream for more, and the connection would stay silent for ever.
  rows._read(0)
  return entry
}

/** In a transaction in which foreign keys and triggers rest: tables refer to each other in circles. */
export async function loadTables(db: Db, { tables }: Manifest, folder: string): Promise<void> {
  for (const { name, columns, path: file } of tables) {
    // Migrations fill some tables themselves.
    await db`delete from ${db(name)}`
    const rows = await db`copy ${db(name)} (${db(columns)}) from stdin`.writable()
    await pourInto(rows, path.join(folder, file))
  }
}

const LAST_ANSWER_TIMEOUT_MS = 5 * 60 * 1_000

/** The driver passes on what the server complains about only while there are rows to send, so its end is awaited in vain. */
async function pourInto(rows: Writable, file: string): Promise<void> {
  const late = new AbortController()
  const source = createReadStream(file)
  let timer: NodeJS.Timeout | undefined
  source.once("end", () => {
    timer = setTimeout(() => late.abort(), LAST_ANSWER_TIMEOUT_MS)
  })
  try {
    await pipeline(source, rows, { signal: late.signal })
  } catch (error) {
    if (!late.signal.aborted) throw error
    throw new Error(`the database does not take the rows of ${path.basename(file)}`, {
      cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}

export async function setSequences(db: Db, { sequences }: Manifest): Promise<void> {
  for (const { name, last_value } of sequences) {
    await db`select setval(quote_ident(${name})::regclass, ${last_value}::text::bigint)`
  }
}
