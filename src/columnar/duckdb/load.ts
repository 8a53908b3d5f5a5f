/** Staged files into tables: the statements of one append, run inside its transaction. */
import path from "node:path"
import type { DuckDBConnection } from "@duckdb/node-api"
import { z } from "zod"
import {
  COLUMN_NAME,
  COLUMN_TYPES,
  PROPERTY_COLUMN_TYPES,
  type PropertyColumn,
} from "./catalogue.ts"
import {
  EVENT_MEMBERS,
  GROUP_MEMBERS,
  type Members,
  PERSON_KEY_MEMBERS,
  PERSON_MEMBERS,
  SNAPSHOT_MEMBERS,
} from "./lines.ts"
import { sqlText } from "./sql-text.ts"

/** DuckDB reads files in pieces of twice this, one thread per piece: small ones let all threads work. */
const LINE_BYTES_MIN = 1024 * 1024
/** A character of JavaScript has at most this many bytes in UTF-8. */
const CHARACTER_BYTES_MAX = 3

export const FILES = {
  events: "events.ndjson",
  persons: "persons.ndjson",
  snapshots: "snapshots.ndjson",
  groups: "groups.ndjson",
  overrides: "overrides.ndjson",
  merged: "merged.ndjson",
} as const

/** What a later catalogue must know to load lines written with an earlier one. */
export const Manifest = z.object({
  files: z.array(z.enum(FILES)),
  columns: z.array(
    z.object({ column: z.string().regex(COLUMN_NAME), type: z.enum(PROPERTY_COLUMN_TYPES) }),
  ),
  /** Keys with values that none of their columns can hold. */
  strayKeys: z.array(z.string()).default([]),
  /** Of the longest line. */
  lineCharacters: z.int(),
  /** Of the events' timestamps. */
  from: z.string().nullable(),
  to: z.string().nullable(),
})
export type Manifest = z.infer<typeof Manifest>

export interface Source {
  readonly folder: string
  readonly manifest: Manifest
}

interface LineSource {
  readonly folder: string
  readonly manifest: Pick<Manifest, "lineCharacters">
}

export function has({ manifest }: Source, file: Manifest["files"][number]): boolean {
  return manifest.files.includes(file)
}

/** A staged file as a table. */
export function fileSql(source: LineSource, name: string, members: Members): string {
  const { folder, manifest } = source
  const lineBytes = Math.max(LINE_BYTES_MIN, manifest.lineCharacters * CHARACTER_BYTES_MAX + 2)
  const columns = Object.entries(members).map(([member, type]) => `${sqlText(member)}: '${type}'`)
  return (
    `read_json(${sqlText(path.join(folder, name))}, format = 'newline_delimited', ` +
    `maximum_object_size = ${lineBytes}, columns = {${columns.join(", ")}})`
  )
}

export function eventMembers(columns: readonly Pick<PropertyColumn, "column" | "type">[]): Members {
  const promoted = columns.map(({ column, type }) => [column, COLUMN_TYPES[type]])
  return { ...EVENT_MEMBERS, ...Object.fromEntries(promoted) }
}

export async function loadPersons(connection: DuckDBConnection, source: Source): Promise<void> {
  const staged = fileSql(source, FILES.persons, PERSON_MEMBERS)
  await loadNewer(connection, { table: "persons", staged, keys: ["project_id", "uuid"] })
}

export async function loadGroups(connection: DuckDBConnection, source: Source): Promise<void> {
  const staged = fileSql(source, FILES.groups, GROUP_MEMBERS)
  const keys = ["project_id", "group_type_index", "group_key"]
  await loadNewer(connection, { table: "groups", staged, keys })
}

interface Load {
  readonly table: string
  readonly staged: string
  readonly keys: readonly string[]
}

/** What is stored with a higher version stays. */
async function loadNewer(connection: DuckDBConnection, { table, staged, keys }: Load) {
  const isSame = keys.map((key) => `${table}.${key} = s.${key}`).join(" AND ")
  await connection.run(
    `DELETE FROM ${table} USING ${staged} AS s WHERE ${isSame} AND ${table}.version <= s.version`,
  )
  await connection.run(
    `INSERT INTO ${table} BY NAME SELECT s.* FROM ${staged} AS s ANTI JOIN ${table} ON ${isSame}`,
  )
}

/** States never change, so what is there stays. */
export async function loadSnapshots(connection: DuckDBConnection, source: Source): Promise<void> {
  const staged = fileSql(source, FILES.snapshots, SNAPSHOT_MEMBERS)
  await connection.run(
    `INSERT INTO person_snapshots BY NAME SELECT s.* FROM ${staged} AS s ANTI JOIN person_snapshots AS p
      ON p.project_id = s.project_id AND p.snapshot_id = s.snapshot_id`,
  )
}

/** Without their snapshots: events refer to them. */
export async function removeMerged(connection: DuckDBConnection, source: Source): Promise<void> {
  const staged = fileSql(source, FILES.merged, PERSON_KEY_MEMBERS)
  await connection.run(
    `DELETE FROM persons USING ${staged} AS s
      WHERE persons.project_id = s.project_id AND persons.uuid = s.uuid`,
  )
}
