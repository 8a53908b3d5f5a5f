/** Taking a person apart: every distinct id but one becomes a person of its own, with its past events. */
import type { ColumnarChange } from "../columnar/engine.ts"
import { newUuid } from "../lib/ids.ts"
import type { Db } from "../relational/db.ts"
import { type Person, personRowOf, snapshotRowOf } from "./person.ts"
import { listBaseUuids } from "./starting-uuids.ts"

const IDS_PER_BATCH = 1_000

export interface Split {
  /** The distinct id that stays. */
  readonly main: string
  readonly now: Date
  /** Told of each batch, in the transaction. */
  readonly record: (change: ColumnarChange) => Promise<void>
}

/** The person must be locked. Answers how many new ones there are. */
export async function splitPerson(
  db: Db,
  person: Pick<Person, "id" | "uuid" | "project_id">,
  split: Split,
): Promise<number> {
  let count = 0
  for (;;) {
    // Those of the batches before are somebody else's by now.
    const rows = await db<{ distinct_id: string }[]>`
      select distinct_id from person_distinct_id
      where person_id = ${person.id} and distinct_id <> ${split.main}
      order by id limit ${IDS_PER_BATCH}`
    if (rows.length === 0) return count
    const distinctIds = rows.map(({ distinct_id }) => distinct_id)
    const created = await createPersons(db, person.project_id, { distinctIds, now: split.now })
    await split.record({
      persons: created.map(personRowOf),
      snapshots: created.map(snapshotRowOf),
      moved: created.map(({ project_id, uuid, distinct_ids: [distinct_id = ""] }) => ({
        ...{ project_id, distinct_id },
        ...{ from: person.uuid, to: uuid },
      })),
    })
    count += rows.length
  }
}

type NewPersons = { readonly distinctIds: readonly string[]; readonly now: Date }

/** One for each distinct id, which it takes from its owner. */
async function createPersons(
  db: Db,
  projectId: number,
  { distinctIds, now }: NewPersons,
): Promise<readonly Person[]> {
  const uuids = await listFreeUuids(db, projectId, distinctIds)
  const rows = await db<Omit<Person, "properties" | "distinct_ids">[]>`
    insert into person (project_id, uuid, properties, is_identified, created_at, snapshot_id)
    select ${projectId}, w.uuid, '{}', false, ${now}, nextval('person_snapshot')
    from unnest(${uuids}::uuid[]) with ordinality w (uuid, place) order by w.place
    returning project_id, id, uuid, version, snapshot_id, is_identified, created_at`
  const created = new Map(rows.map((row) => [row.uuid, row]))
  const persons = distinctIds.flatMap((distinctId, index) => {
    const row = created.get(uuids[index] ?? "")
    return row === undefined ? [] : [{ ...row, properties: {}, distinct_ids: [distinctId] }]
  })
  await db`
    update person_distinct_id d set person_id = w.person_id
    from unnest(${distinctIds}::text[], ${persons.map(({ id }) => id)}::bigint[])
      w (distinct_id, person_id)
    where d.project_id = ${projectId} and d.distinct_id = w.distinct_id`
  return persons
}

/** The uuid each distinct id would have started with, unless a person has it. */
async function listFreeUuids(
  db: Db,
  projectId: number,
  distinctIds: readonly string[],
): Promise<string[]> {
  const bases = await listBaseUuids(db, projectId, distinctIds)
  const wanted = distinctIds.map((distinctId) => bases.get(distinctId) ?? newUuid())
  const rows = await db<{ uuid: string }[]>`
    select uuid from person where project_id = ${projectId} and uuid = any(${wanted}::uuid[])`
  const taken = new Set(rows.map(({ uuid }) => uuid))
  return wanted.map((uuid) => (taken.has(uuid) ? newUuid() : uuid))
}
