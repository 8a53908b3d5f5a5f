/** The catalogue in the store: read at open, and given a column per new frequent property. */
import type { DuckDBConnection } from "@duckdb/node-api"
import { parseExact } from "../../lib/exact-json.ts"
import type { JsonObject } from "../../lib/json.ts"
import {
  COLUMN_TYPES,
  PROPERTY_COLUMNS_MAX,
  type PropertyColumnType,
  StoredCatalogue,
} from "./catalogue.ts"
import { type Candidate, Census } from "./census.ts"
import { readTexts } from "./read-texts.ts"

export async function readCatalogue(connection: DuckDBConnection): Promise<StoredCatalogue> {
  const tables = await readTexts(
    connection,
    "SELECT 1 FROM duckdb_tables() WHERE table_name = 'property_columns'",
  )
  if (tables.length === 0) return new StoredCatalogue([])
  const rows = await readTexts(
    connection,
    "SELECT number, key, type, is_filled FROM property_columns ORDER BY number",
  )
  return new StoredCatalogue(
    rows.map(([number = "", key = "", type = "", isFilled = ""]) => ({
      number: Number(number),
      key,
      type: type as PropertyColumnType,
      column: columnName(Number(number)),
      isFilled: isFilled === "true",
    })),
  )
}

/** Inside a transaction. Rows that are there keep their values in the rest until they are moved. */
export async function addPropertyColumns(
  connection: DuckDBConnection,
  catalogue: StoredCatalogue,
  candidates: readonly Candidate[],
): Promise<void> {
  const known = catalogue.list()
  let number = Math.max(0, ...known.map((column) => column.number))
  for (const { key, type } of candidates.slice(0, PROPERTY_COLUMNS_MAX - known.length)) {
    number += 1
    await connection.run(
      `ALTER TABLE events ADD COLUMN ${columnName(number)} ${COLUMN_TYPES[type]}`,
    )
    await connection.run("INSERT INTO property_columns VALUES ($1, $2, $3, false)", [
      number,
      key,
      type,
    ])
  }
}

const NEWEST_ROWS = 20_000

/** Of the newest stored events: a store that is opened often may never see enough of them arrive. */
export async function takeCensus(
  connection: DuckDBConnection,
  catalogue: StoredCatalogue,
): Promise<Census> {
  const census = new Census()
  const rows = await readTexts(
    connection,
    `SELECT coalesce(properties, '{}') FROM events
      WHERE rowid > (SELECT max(rowid) FROM events) - ${NEWEST_ROWS}`,
  )
  for (const [text = ""] of rows) {
    census.observe([{ properties: parseExact(text) as JsonObject }], catalogue)
  }
  return census
}

function columnName(number: number): string {
  return `p_${number}`
}
