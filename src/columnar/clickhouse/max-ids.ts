/** The largest numbers in use. */
import type { MaxIds } from "../engine.ts"
import type { Connection } from "./connection.ts"

/** Events of removed persons still name their states: those numbers are in use too. */
const SQL = `SELECT
  (SELECT max(id) FROM persons),
  greatest((SELECT max(snapshot_id) FROM persons), (SELECT max(snapshot_id) FROM person_snapshots),
    (SELECT coalesce(max(snapshot_id), 0) FROM events)),
  (SELECT max(id) FROM applied_changes)`

export async function readMaxIds(connection: Connection): Promise<MaxIds> {
  const [row = []] = await connection.read(SQL)
  const [person = 0, snapshot = 0, change = 0] = row.map(Number)
  return { person, snapshot, change }
}
