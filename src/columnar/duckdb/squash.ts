/**
 * Squashing writes overrides into the rows they concern. Chunk by chunk the events change hands, each chunk in a
 * transaction; the overrides go in the last one, together with what arrived meanwhile. Until then both the
 * old and the new person of an event resolve to the same one, so no query ever sees anything wrong.
 */
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api"
import type { SquashOptions } from "../engine.ts"
import { readTexts } from "./read-texts.ts"
import type { Store } from "./store.ts"

/** The unit DuckDB stores and rewrites. */
const ROW_GROUP_ROWS = 122_880
const CHUNK_GROUPS = 4

/** Answers how many events changed. */
export async function squashAll(store: Store, { keep }: SquashOptions = {}): Promise<number> {
  let changedCount = 0
  for (const chunk of await listChunks(store)) {
    changedCount += await store.write(async (tx) => {
      const kept = await readKept(keep)
      return updateEvents(tx, `${chunk} AND ${kept.condition}`, kept.values)
    })
  }
  const restCount = await store.write(async (tx) => {
    const kept = await readKept(keep)
    return squashWhere(tx, kept.condition, kept.values)
  })
  return changedCount + restCount
}

/** To be asked by who holds the writer: an override of that moment then is of a person that was asked about. */
async function readKept(
  keep: SquashOptions["keep"],
): Promise<{ condition: string; values: DuckDBValue[] }> {
  const persons = (await keep?.()) ?? []
  if (persons.length === 0) return { condition: "true", values: [] }
  return {
    condition: `(o.project_id, o.old_person_id) NOT IN (SELECT (s.project_id, s.person_id) FROM
      (SELECT unnest(from_json($1, '[{"project_id":"INTEGER","person_id":"UUID"}]')) AS s))`,
    values: [JSON.stringify(persons)],
  }
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
  await updateMembers(connection, condition, values)
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

/** A cohort may have the old and the new person: what remains is one. */
async function updateMembers(
  connection: DuckDBConnection,
  condition: string,
  values: DuckDBValue[],
): Promise<void> {
  const isOfMember = "o.project_id = m.project_id AND o.old_person_id = m.person_id"
  await connection.run(
    `INSERT INTO cohort_members SELECT DISTINCT m.project_id, m.cohort_id, o.person_id
      FROM cohort_members AS m JOIN overrides AS o ON ${isOfMember} WHERE ${condition}
      EXCEPT SELECT project_id, cohort_id, person_id FROM cohort_members`,
    values,
  )
  await connection.run(
    `DELETE FROM cohort_members AS m USING overrides AS o WHERE ${isOfMember} AND ${condition}`,
    values,
  )
}
