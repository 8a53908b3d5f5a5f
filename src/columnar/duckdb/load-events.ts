/** Staged events into the table, each uuid of a project once. */
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api"
import { eventMembers, FILES, fileSql, type Source } from "./load.ts"

export interface EventLoad {
  readonly insertedAt: Date
  /** Only these uuids may be stored already; undefined when nobody knows. */
  readonly suspects: readonly string[] | undefined
}

/** More are not worth a list: the whole batch is compared. */
const SUSPECTS_MAX = 1_000

export async function loadEvents(
  connection: DuckDBConnection,
  source: Source,
  { insertedAt, suspects }: EventLoad,
): Promise<void> {
  const { manifest } = source
  const members = eventMembers(manifest.columns)
  const names = Object.keys(members)
    .map((name) => `"${name}"`)
    .join(", ")
  const values: DuckDBValue[] = [insertedAt.toISOString()]
  let stored = ""
  if (suspects?.length !== 0) {
    stored = `ANTI JOIN (SELECT project_id, uuid FROM events
      WHERE "timestamp" BETWEEN CAST($2 AS TIMESTAMP) - INTERVAL 1 DAY
        AND CAST($3 AS TIMESTAMP) + INTERVAL 1 DAY`
    values.push(manifest.from, manifest.to)
    if (suspects !== undefined && suspects.length <= SUSPECTS_MAX) {
      stored += ` AND uuid IN (SELECT unnest(from_json($4, '["UUID"]')))`
      values.push(JSON.stringify(suspects))
    }
    stored += ") AS stored USING (project_id, uuid)"
  }
  await connection.run(
    `INSERT INTO events (${names}, inserted_at) SELECT ${names}, CAST($1 AS TIMESTAMP)
      FROM ${fileSql(source, FILES.events, members)} AS staged ${stored}`,
    values,
  )
}
