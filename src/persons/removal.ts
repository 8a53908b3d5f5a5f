/** Persons that go: at once, so that their distinct ids can start over; their events only if that is asked. */
import { newUuid } from "../lib/ids.ts"
import type { Db } from "../relational/db.ts"
import { listBaseUuids, retireUuids } from "./starting-uuids.ts"
import type { LockedPerson } from "./store.ts"

const IDS_PER_STATEMENT = 5_000

interface Removal {
  readonly projectId: number
  readonly now: Date
}

/** The persons must be locked. */
export async function removePersons(
  db: Db,
  persons: readonly LockedPerson[],
  removal: Removal,
): Promise<void> {
  const ids = persons.map(({ id }) => id)
  await retireDistinctIds(db, ids, removal)
  await retireUuids(
    db,
    persons.map(({ uuid }) => uuid),
    removal,
  )
  await db`delete from person where id = any(${ids}::bigint[])`
}

/**
 * Events of each distinct id may be stored under its base uuid and belong to the person by an override. A new
 * person under that uuid would lose its own events to the deleted one.
 */
async function retireDistinctIds(
  db: Db,
  personIds: readonly number[],
  removal: Removal,
): Promise<void> {
  let afterId = 0
  for (;;) {
    const rows = await db<{ id: number; distinct_id: string }[]>`
      select id, distinct_id from person_distinct_id
      where person_id = any(${[...personIds]}::bigint[]) and id > ${afterId}
      order by id limit ${IDS_PER_STATEMENT}`
    const distinctIds = rows.map(({ distinct_id }) => distinct_id)
    const bases = await listBaseUuids(db, removal.projectId, distinctIds)
    await retireUuids(db, [...bases.values()], removal)
    if (rows.length < IDS_PER_STATEMENT) return
    afterId = rows.at(-1)?.id ?? afterId
  }
}

/** Asking again changes nothing while it waits; once it ran, it is a new request. */
export async function queueEventDeletions(
  db: Db,
  personUuids: readonly string[],
  { projectId, userId, now }: Removal & { userId: number },
): Promise<void> {
  await db`
    insert into data_deletion (id, kind, project_id, key, created_by, created_at)
    select w.id, 'person', ${projectId}, w.uuid, ${userId}, ${now}
    from unnest(${personUuids.map(() => newUuid())}::uuid[], ${[...personUuids]}::text[]) w (id, uuid)
    on conflict (kind, project_id, key)
      do update set created_by = excluded.created_by, created_at = excluded.created_at,
                    finished_at = null
      where data_deletion.finished_at is not null`
}
