/** The largest numbers in use. */
import type { DuckDBConnection } from "@duckdb/node-api"
import type { MaxIds } from "../engine.ts"
import { readTexts } from "./read-texts.ts"

/** Events of removed persons still name their states: those numbers are in use too. */
const SQL = `SELECT
  (SELECT coalesce(max(id), 0) FROM persons),
  greatest((SELECT coalesce(max(snapshot_id), 0) FROM persons),
    (SELECT coalesce(max(snapshot_id), 0) FROM person_snapshots),
    (SELECT coalesce(max(snapshot_id), 0) FROM events)),
  (SELECT coalesce(max(id), 0) FROM applied_changes)`

export async function readMaxIds(connection: DuckDBConnection): Promise<MaxIds> {
  const [row = []] = await readTexts(connection, SQL)
  const [person = 0, snapshot = 0, change = 0] = row.map(Number)
  return { person, snapshot, change }
}
