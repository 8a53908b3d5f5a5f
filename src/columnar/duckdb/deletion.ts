/** Deferred deletion: events of persons, or everything of a project. */
import type { DuckDBConnection } from "@duckdb/node-api"
import type { EventDeletion } from "../engine.ts"

/** Inside a transaction; answers how many events went. */
export async function deleteEvents(
  connection: DuckDBConnection,
  deletions: readonly EventDeletion[],
): Promise<number> {
  const ofPersons = deletions.filter(({ person_id }) => person_id !== undefined)
  let deletedCount = await deleteOfPersons(connection, ofPersons)
  for (const deletion of deletions) {
    if (deletion.person_id === undefined) deletedCount += await deleteProject(connection, deletion)
  }
  return deletedCount
}

const DELETIONS = `(SELECT s.* FROM (SELECT unnest(from_json($1,
  '[{"project_id":"INTEGER","person_id":"UUID","until":"TIMESTAMP"}]'), max_depth := 2)) AS s)`

/** Stored with the person, even if that is merged into another by now, or merged into it; also if dated ahead. */
async function deleteOfPersons(connection: DuckDBConnection, deletions: readonly EventDeletion[]) {
  if (deletions.length === 0) return 0
  const result = await connection.run(
    `DELETE FROM events USING (
        SELECT project_id, stored, max("until") AS "until" FROM (
          SELECT project_id, person_id AS stored, "until" FROM ${DELETIONS}
          UNION ALL SELECT d.project_id, o.old_person_id, d."until" FROM ${DELETIONS} AS d
            JOIN overrides AS o ON o.project_id = d.project_id AND o.person_id = d.person_id)
        GROUP BY project_id, stored) AS d
      WHERE events.project_id = d.project_id AND events.person_id = d.stored
        AND (events."timestamp" <= d."until" OR events.received_at <= d."until")`,
    [JSON.stringify(deletions)],
  )
  return result.rowsChanged
}

const COPIES = ["persons", "person_snapshots", "groups", "overrides", "cohort_members"]

async function deleteProject(connection: DuckDBConnection, { project_id, until }: EventDeletion) {
  for (const table of COPIES) {
    await connection.run(`DELETE FROM ${table} WHERE project_id = $1`, [project_id])
  }
  const result = await connection.run(
    // Also what claims to come from the future: nothing of the project may stay.
    `DELETE FROM events WHERE project_id = $1
      AND ("timestamp" <= CAST($2 AS TIMESTAMP) OR received_at <= CAST($2 AS TIMESTAMP))`,
    [project_id, until],
  )
  return result.rowsChanged
}
