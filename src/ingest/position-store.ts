/** How far each log is in PostgreSQL. */
import { type Db, first } from "../relational/db.ts"

export async function findPosition(db: Db, logId: string): Promise<number | undefined> {
  const row = await first(db<{ position: number }[]>`
    select position from ingest_position where log_id = ${logId}`)
  return row?.position
}

export async function writePosition(
  db: Db,
  mark: { log_id: string; position: number },
  now: Date,
): Promise<void> {
  await db`
    insert into ingest_position (log_id, position, updated_at)
    values (${mark.log_id}, ${mark.position}, ${now})
    on conflict (log_id) do update set position = excluded.position, updated_at = excluded.updated_at`
}
