/**
 * Moves values that were stored before their column existed. Chunk by chunk, each in a transaction: rows are read,
 * taken apart as when they arrive, and updated. Reading is right at every moment: a value is in its
 * column or in the rest, never in both.
 */
import { mkdir, rm } from "node:fs/promises"
import path from "node:path"
import type { DuckDBConnection } from "@duckdb/node-api"
import { parseExact } from "../../lib/exact-json.ts"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import { jsonText } from "../json-text.ts"
import { type LineFacts, writeFiles } from "../staging.ts"
import { COLUMN_TYPES, type StoredColumn } from "./catalogue.ts"
import { fileSql } from "./load.ts"
import { noteOutside, readCatalogue } from "./property-columns.ts"
import { readTexts } from "./read-texts.ts"
import { columnTypeOf } from "./shred.ts"
import type { Store } from "./store.ts"

/** Few enough that a batch of events waits for a moment only. */
const CHUNK_ROWS = 8_192
/** Of properties. They are parsed while they are written, with pauses; handing them over takes a moment at once. */
const CHUNK_BYTES = 16 * 1024 * 1024

/** Answers the keys whose columns are now filled; late ones are left for the next time. */
export async function fillColumns(
  store: Store,
  isLate: (column: number) => boolean,
): Promise<readonly string[]> {
  const columns = (await store.query(readCatalogue)).list().filter(({ isFilled }) => !isFilled)
  if (columns.length === 0) return []
  const newest = await store.query((connection) =>
    readTexts(connection, "SELECT coalesce(max(rowid), -1) FROM events"),
  )
  const last = Number(newest[0]?.[0])
  const strayKeys = new Set<string>()
  for (let from = 0; from <= last; from += CHUNK_ROWS) {
    for (const chunk of await store.query((connection) => listChunks(connection, columns, from))) {
      await store.write((tx) =>
        fillChunk(tx, { columns, ...chunk, strayKeys, folder: store.folder }),
      )
    }
  }
  await store.write(async (tx) => {
    const known = await readCatalogue(tx)
    const found = [...strayKeys].filter((key) => !known.isStray(key))
    await noteOutside(tx, { strayKeys: found, lateColumns: [] })
    const numbers = columns.map(({ number }) => number).filter((number) => !isLate(number))
    if (numbers.length === 0) return
    await tx.run(
      `UPDATE property_columns SET is_filled = true WHERE number IN (${numbers.join(", ")})`,
    )
  })
  return columns.map(({ key }) => key)
}

interface Chunk {
  readonly columns: readonly StoredColumn[]
  /** The first and the last row number. */
  readonly from: number
  readonly to: number
  readonly folder: string
  /** Keys of whose values some stay in the rest, added as they are found. */
  readonly strayKeys: Set<string>
}

/** The rows from `from` on, in pieces. Each has few bytes, or begins with an event that has more. */
async function listChunks(
  connection: DuckDBConnection,
  columns: readonly StoredColumn[],
  from: number,
): Promise<readonly Pick<Chunk, "from" | "to">[]> {
  const { condition, values } = mayHold(columns)
  const range = rangeSql({ from, to: from + CHUNK_ROWS - 1 })
  const rows = await readTexts(
    connection,
    `SELECT min(row), max(row) FROM (
      SELECT rowid AS row, sum(strlen(properties)) OVER (ORDER BY rowid) - 1 AS total
      FROM events WHERE ${range} AND ${condition})
      GROUP BY total // ${CHUNK_BYTES} ORDER BY 1`,
    values,
  )
  return rows.map(([first, last]) => ({ from: Number(first), to: Number(last) }))
}

async function fillChunk(connection: DuckDBConnection, chunk: Chunk): Promise<void> {
  const rows = await readChunk(connection, chunk)
  if (rows.length === 0) return
  const folder = path.join(chunk.folder, "moving")
  await mkdir(folder, { recursive: true })
  try {
    const file = { name: FILE, lines: movedLines(rows, chunk) }
    const facts = await writeFiles(folder, [file])
    if (facts.lineCharacters > 0) await connection.run(updateSql(folder, chunk, facts))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface StoredRest {
  readonly rowid: string
  readonly properties: string
}

async function readChunk(
  connection: DuckDBConnection,
  chunk: Chunk,
): Promise<readonly StoredRest[]> {
  const { condition, values } = mayHold(chunk.columns)
  const reader = await connection.runAndReadAll(
    `SELECT rowid, properties FROM events WHERE ${rangeSql(chunk)} AND ${condition}`,
    values,
  )
  return reader.getRows().map(([rowid, properties]) => ({
    rowid: String(rowid),
    properties: String(properties),
  }))
}

/** A row without the key's text cannot hold the key; one with it is looked at closely. */
function mayHold(columns: readonly StoredColumn[]): { condition: string; values: string[] } {
  const some = columns.map((_, index) => `contains(properties, $${index + 1})`).join(" OR ")
  return {
    condition: `properties IS NOT NULL AND (${some})`,
    values: columns.map(({ key }) => `${jsonText(key)}:`),
  }
}

function rangeSql({ from, to }: Pick<Chunk, "from" | "to">): string {
  return `events.rowid BETWEEN ${from} AND ${to}`
}

/** Made while they are written, so that the event loop goes on in between. */
function* movedLines(rows: readonly StoredRest[], chunk: Chunk): Iterable<string> {
  for (const row of rows) {
    const line = movedLine(row, chunk)
    if (line !== undefined) yield line
  }
}

function movedLine({ rowid, properties }: StoredRest, { columns, strayKeys }: Chunk) {
  const rest = parseExact(properties) as JsonObject
  const moved = new Set<string>()
  let members = ""
  for (const { key, type, column } of columns) {
    if (!Object.hasOwn(rest, key)) continue
    const value = rest[key] as JsonValue
    if (columnTypeOf(value) !== type) continue
    moved.add(key)
    members += `,"${column}":${jsonText(value)}`
  }
  for (const { key } of columns) {
    if (Object.hasOwn(rest, key) && rest[key] !== null && !moved.has(key)) strayKeys.add(key)
  }
  if (moved.size === 0) return undefined
  const left = Object.keys(rest).filter((key) => !moved.has(key))
  const text = left.map((key) => `${jsonText(key)}:${jsonText(rest[key])}`).join(",")
  const restMember = text === "" ? "" : `,"rest":${JSON.stringify(`{${text}}`)}`
  return `{"row":${rowid}${members}${restMember}}`
}

const FILE = "rows.ndjson"

function updateSql(folder: string, chunk: Chunk, manifest: LineFacts): string {
  const { columns } = chunk
  const types = columns.map(({ column, type }) => [column, COLUMN_TYPES[type]])
  const members = { row: "BIGINT", rest: "VARCHAR", ...Object.fromEntries(types) }
  const values = columns.map(({ column }) => `${column} = coalesce(s.${column}, events.${column})`)
  return `UPDATE events SET properties = s.rest, ${values.join(", ")}
    FROM ${fileSql({ folder, manifest }, FILE, members)} AS s
    WHERE events.rowid = s.row AND ${rangeSql(chunk)}`
}
