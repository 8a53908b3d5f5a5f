/** Who is in a static cohort: PostgreSQL is the truth about it. */
import { storedDistinctId } from "../persons/distinct-id.ts"
import type { Db } from "../relational/db.ts"

/** Ids in one statement. */
const IDS_PER_STATEMENT = 10_000

/** Persons named in any of three ways; who is not there is left out. */
export interface NamedPersons {
  readonly ids?: readonly number[]
  readonly uuids?: readonly string[]
  readonly distinctIds?: readonly string[]
}

interface StaticCohort {
  readonly id: number
  readonly project_id: number
}

/** Answers how many joined. */
export async function addMembers(
  db: Db,
  cohort: StaticCohort,
  { ids = [], uuids = [], distinctIds = [] }: NamedPersons,
): Promise<number> {
  const { project_id } = cohort
  let count = 0
  for (const some of slices(ids)) {
    count += await insertMembers(db, cohort, isNumbered(db, project_id, some))
  }
  for (const some of slices(uuids)) {
    count += await insertMembers(db, cohort, isUuid(db, project_id, some))
  }
  for (const some of slices(distinctIds.map(storedDistinctId))) {
    const owned = db`id in (select person_id from person_distinct_id
      where project_id = ${project_id} and distinct_id = any(${some}::text[]))`
    count += await insertMembers(db, cohort, owned)
  }
  return count
}

/** In the order of ids, as everyone locks persons; each stays until the transaction ends. */
async function insertMembers(db: Db, { id }: StaticCohort, condition: Condition) {
  const { count } = await db`
    insert into cohort_person (cohort_id, person_id)
    select ${id}, p.id from (select id from person where ${condition} order by id for key share) p
    on conflict do nothing`
  return count
}

/** Answers how many left. */
export async function removeMembers(
  db: Db,
  { id, project_id }: StaticCohort,
  { ids = [], uuids = [] }: NamedPersons,
): Promise<number> {
  let total = 0
  const conditions = [
    ...[...slices(ids)].map((some) => isNumbered(db, project_id, some)),
    ...[...slices(uuids)].map((some) => isUuid(db, project_id, some)),
  ]
  for (const condition of conditions) {
    const { count } = await db`
      delete from cohort_person
      where cohort_id = ${id} and person_id in (select id from person where ${condition})`
    total += count
  }
  return total
}

type Condition = ReturnType<typeof isNumbered>

function isNumbered(db: Db, projectId: number, ids: readonly number[]) {
  return db`project_id = ${projectId} and id = any(${[...ids]}::bigint[])`
}

function isUuid(db: Db, projectId: number, uuids: readonly string[]) {
  return db`project_id = ${projectId} and uuid = any(${[...uuids]}::uuid[])`
}

function* slices<T>(items: readonly T[]): Generator<T[]> {
  for (let index = 0; index < items.length; index += IDS_PER_STATEMENT) {
    yield items.slice(index, index + IDS_PER_STATEMENT)
  }
}

export async function listMemberUuids(db: Db, cohortId: number): Promise<readonly string[]> {
  const rows = await db<{ uuid: string }[]>`
    select p.uuid from cohort_person m join person p on p.id = m.person_id
    where m.cohort_id = ${cohortId}`
  return rows.map(({ uuid }) => uuid)
}

/** Persons that were deleted at or after a moment. */
export async function listRemovedSince(
  db: Db,
  projectId: number,
  since: Date,
): Promise<readonly string[]> {
  const rows = await db<{ uuid: string }[]>`
    select uuid from person_tombstone
    where project_id = ${projectId} and created_at >= ${since}`
  return rows.map(({ uuid }) => uuid)
}
