/** What PostgreSQL knows about deleted projects and persons besides the request itself. */
import type { Database } from "../relational/db.ts"
import type { DeletionRequest } from "./requests.ts"

const ROWS_PER_TRANSACTION = 5_000

/** Distinct ids go with their persons. */
const TABLES_OF_PROJECT = [
  "person",
  "person_tombstone",
  "group_profile",
  "group_type",
  "ingestion_warning",
] as const

/** Small transactions: whoever writes to these tables never waits long. */
export async function removeProjectRows(database: Database, projectId: number): Promise<void> {
  for (const table of TABLES_OF_PROJECT) {
    await inBatches(() =>
      database.transaction(
        (db) => db`
          delete from ${db(table)} where ctid = any(array(
            select ctid from ${db(table)} where project_id = ${projectId}
            limit ${ROWS_PER_TRANSACTION}))`,
      ),
    )
  }
  await database.transaction(
    (db) => db`delete from activity_log where project_id = ${projectId} and scope = 'Person'`,
  )
}

async function inBatches(removeSome: () => Promise<{ count: number }>): Promise<void> {
  while ((await removeSome()).count === ROWS_PER_TRANSACTION);
}

/**
 * That a person was changed and deleted stays in the activity log; what it was called and what was written
 * does not. Warnings quote distinct ids, which nobody can tell from each other once the person is gone, so
 * all that the project had until then go.
 */
export async function removePersonTraces(
  database: Database,
  persons: readonly DeletionRequest[],
): Promise<void> {
  const projectIds = persons.map(({ project_id }) => project_id)
  const uuids = persons.map(({ key }) => key)
  const times = persons.map(({ created_at }) => created_at)
  await database.transaction(async (db) => {
    await db`
      update activity_log a
      set detail = a.detail || jsonb_build_object('name', gone.uuid, 'changes', null)
      from (select d.project_id, d.item_id, p.uuid
            from unnest(${projectIds}::integer[], ${uuids}::text[]) as p (project_id, uuid)
            join activity_log d on d.project_id = p.project_id and d.scope = 'Person'
              and d.activity = 'deleted' and d.detail->>'name' = p.uuid) gone
      where a.project_id = gone.project_id and a.scope = 'Person' and a.item_id = gone.item_id
        and (a.detail->>'name' is distinct from gone.uuid or a.detail->'changes' <> 'null')`
    await db`
      delete from ingestion_warning w
      using (select project_id, max(created_at) as until
             from unnest(${projectIds}::integer[], ${times}::timestamptz[])
               as p (project_id, created_at)
             group by project_id) p
      where w.project_id = p.project_id and w.created_at <= p.until`
  })
}
