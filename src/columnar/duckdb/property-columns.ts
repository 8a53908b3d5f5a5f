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
  const strays = await readStrays(connection)
  return new StoredCatalogue(
    rows.map(([number = "", key = "", type = "", isFilled = ""]) => ({
      number: Number(number),
      key,
      type: type as PropertyColumnType,
      column: columnName(Number(number)),
      isFilled: isFilled === "true",
    })),
    new Set(strays),
  )
}

/** A store of an older version knows of none; its keys are all taken for strays when it is migrated. */
async function readStrays(connection: DuckDBConnection): Promise<readonly string[]> {
  const tables = await readTexts(
    connection,
    "SELECT 1 FROM duckdb_tables() WHERE table_name = 'property_strays'",
  )
  const of = tables.length === 0 ? "property_columns" : "property_strays"
  return (await readTexts(connection, `SELECT DISTINCT key FROM ${of}`)).map(([key = ""]) => key)
}

/** What a batch brings that its columns do not hold. */
export interface OutsideColumns {
  /** Keys with values of other types than their columns. */
  readonly strayKeys: readonly string[]
  /** Numbers of columns that were not there yet when the batch was taken apart. */
  readonly lateColumns: readonly number[]
}

/** Inside a transaction, before the rows are in: who reads must know that the rest is to be read too. */
export async function noteOutside(
  connection: DuckDBConnection,
  { strayKeys, lateColumns }: OutsideColumns,
): Promise<void> {
  for (const key of strayKeys) {
    await connection.run("INSERT INTO property_strays VALUES ($1)", [key])
  }
  if (lateColumns.length === 0) return
  await connection.run(
    `UPDATE property_columns SET is_filled = false WHERE number IN (${lateColumns.join(", ")})`,
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
const SAMPLE_ROWS = 1_000
/** Read and parsed at once; others work in between. */
const PAGE_ROWS = 50
/** The properties of a longer one are not looked at. */
const ROW_BYTES_MAX = 64 * 1024

/** Of a sample of the newest stored events: a store that is opened often may never see enough of them arrive. */
export async function takeCensus(
  connection: DuckDBConnection,
  catalogue: StoredCatalogue,
): Promise<Census> {
  // By a hash: what clients send has periods of its own.
  const sample = await readTexts(
    connection,
    `WITH newest AS (SELECT rowid AS row FROM events
        WHERE rowid > (SELECT max(rowid) FROM events) - ${NEWEST_ROWS})
      SELECT row, (SELECT count(*) FROM newest) FROM (FROM newest ORDER BY hash(row) LIMIT ${SAMPLE_ROWS})
      ORDER BY row`,
  )
  const newestCount = Number(sample[0]?.[1] ?? 0)
  const census = new Census({ weight: Math.ceil(newestCount / Math.max(1, sample.length)) })
  for (let index = 0; index < sample.length; index += PAGE_ROWS) {
    const rowids = sample.slice(index, index + PAGE_ROWS).map(([rowid]) => Number(rowid))
    census.observe(await readPage(connection, rowids), catalogue)
  }
  return census
}

async function readPage(connection: DuckDBConnection, rowids: readonly number[]) {
  const texts = await readTexts(
    connection,
    `SELECT CASE WHEN strlen(properties) <= ${ROW_BYTES_MAX} THEN properties ELSE '{}' END FROM events
      WHERE rowid BETWEEN ${rowids[0]} AND ${rowids.at(-1)} AND rowid IN (${rowids.join(", ")})`,
  )
  return texts.map(([text = ""]) => ({ properties: parseExact(text) as JsonObject }))
}

function columnName(number: number): string {
  return `p_${number}`
}
