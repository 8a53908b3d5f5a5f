/**
 * Squashing writes overrides into the rows they concern. Chunk by chunk the events change hands, each chunk in a
 * transaction; the overrides go in the last one, together with what arrived meanwhile. Until then both the
 * old and the new person of an event resolve to the same one, so no query ever sees anything wrong.
 */
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api"
import { readTexts } from "./read-texts.ts"
import type { Store } from "./store.ts"

/** The unit DuckDB stores and rewrites. */
const ROW_GROUP_ROWS = 122_880
const CHUNK_GROUPS = 4

/** Answers how many events changed. */
export async function squashAll(store: Store): Promise<number> {
  let changedCount = 0
  for (const chunk of await listChunks(store)) {
    changedCount += await store.write((tx) => updateEvents(tx, chunk))
  }
  return changedCount + (await store.write((tx) => squashWhere(tx, "true")))
}

/** Conditions that name the row groups with events to change. */
async function listChunks(store: Store): Promise<readonly string[]> {
  const sql = `SELECT DISTINCT events.rowid // ${ROW_GROUP_ROWS} AS number FROM events JOIN overrides AS o
    ON o.project_id = events.project_id AND o.old_person_id = events.person_id ORDER BY number`
  const numbers = await store.query((connection) => readTexts(connection, sql))
  const chunks: string[] = []
  for (let index = 0; index < numbers.length; index += CHUNK_GROUPS) {
    const ranges = numbers.slice(index, index + CHUNK_GROUPS).map(([number]) => {
      const from = Number(number) * ROW_GROUP_ROWS
      return `events.rowid BETWEEN ${from} AND ${from + ROW_GROUP_ROWS - 1}`
    })
    chunks.push(`(${ranges.join(" OR ")})`)
  }
  return chunks
}

/** Squashes the overrides `o` of a condition at once, in the caller's transaction. */
export async function squashWhere(
  connection: DuckDBConnection,
  condition: string,
  values: DuckDBValue[] = [],
): Promise<number> {
  const changedCount = await updateEvents(connection, condition, values)
  // Snapshots follow, or nothing would tell whose they are once the override is gone.
  await connection.run(
    `UPDATE person_snapshots SET person_id = o.person_id FROM overrides AS o
      WHERE o.project_id = person_snapshots.project_id
        AND o.old_person_id = person_snapshots.person_id AND ${condition}`,
    values,
  )
  await connection.run(`DELETE FROM overrides AS o WHERE ${condition}`, values)
  return changedCount
}

async function updateEvents(
  connection: DuckDBConnection,
  condition: string,
  values: DuckDBValue[] = [],
): Promise<number> {
  const result = await connection.run(
    `UPDATE events SET person_id = o.person_id FROM overrides AS o
      WHERE o.project_id = events.project_id AND o.old_person_id = events.person_id AND ${condition}`,
    values,
  )
  return result.rowsChanged
}
