/**
 * The uuid that a distinct id starts with when nobody has it. It follows from the id alone, until a person of
 * that uuid is deleted: from then on its successor takes its place.
 */
import { newUuid } from "../lib/ids.ts"
import type { Db } from "../relational/db.ts"
import { firstUuid } from "./ingest-store.ts"

export async function listBaseUuids(
  db: Db,
  projectId: number,
  distinctIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const uuids = distinctIds.map((distinctId) => firstUuid(projectId, distinctId))
  const rows = await db<{ distinct_id: string; uuid: string }[]>`
    with recursive chain as (
      select * from unnest(${[...distinctIds]}::text[], ${uuids}::uuid[]) w (distinct_id, uuid)
      union all
      select c.distinct_id, t.successor
      from chain c join person_tombstone t on t.project_id = ${projectId} and t.uuid = c.uuid)
    select distinct_id, uuid from chain c
    where not exists (select 1 from person_tombstone t
                      where t.project_id = ${projectId} and t.uuid = c.uuid)`
  return new Map(rows.map(({ distinct_id, uuid }) => [distinct_id, uuid]))
}

/** No new person gets any of these: whoever would have, gets a uuid that never was. */
export async function retireUuids(
  db: Db,
  uuids: readonly string[],
  { projectId, now }: { projectId: number; now: Date },
): Promise<void> {
  await db`
    insert into person_tombstone (project_id, uuid, successor, created_at)
    select ${projectId}, w.uuid, w.successor, ${now}
    from unnest(${[...uuids]}::uuid[], ${uuids.map(() => newUuid())}::uuid[]) w (uuid, successor)
    on conflict do nothing`
}
