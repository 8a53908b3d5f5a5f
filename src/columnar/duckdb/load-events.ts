/** Staged events into the table, each uuid of a project once. */
import type { DuckDBConnection } from "@duckdb/node-api"
import { eventMembers, FILES, fileSql, type Source } from "./load.ts"

export async function loadEvents(
  connection: DuckDBConnection,
  source: Source,
  insertedAt: Date,
): Promise<void> {
  const { manifest } = source
  const members = eventMembers(manifest.columns)
  const staged = fileSql(source, FILES.events, members)
  const names = Object.keys(members).map((name) => `"${name}"`)
  await connection.run(
    `INSERT INTO events (${names.join(", ")}, inserted_at)
      SELECT ${names.join(", ")}, CAST($1 AS TIMESTAMP) FROM ${staged} AS s
      ANTI JOIN (SELECT project_id, uuid FROM events
        WHERE "timestamp" BETWEEN CAST($2 AS TIMESTAMP) - INTERVAL 1 DAY
          AND CAST($3 AS TIMESTAMP) + INTERVAL 1 DAY) AS stored USING (project_id, uuid)`,
    [insertedAt.toISOString(), manifest.from, manifest.to],
  )
}
