/** Persons as the API reads and changes them, one or a page at a time. PostgreSQL is the truth about them. */
import { parseExact, stringifyExact } from "../lib/exact-json.ts"
import type { JsonObject } from "../lib/json.ts"
import { toStorable } from "../lib/text.ts"
import { type Db, first, one } from "../relational/db.ts"
import type { Person } from "./person.ts"

/** Persons with more ids exist (shared logins, tests); nobody reads them all. */
const DISTINCT_IDS_MAX = 10_000
export const LISTED_DISTINCT_IDS_MAX = 1_000

/** How a person may be named. */
export type PersonName =
  | { readonly id: number }
  | { readonly uuid: string }
  | { readonly distinct_id: string }

interface PersonRecord extends Omit<Person, "properties"> {
  readonly properties: string
}

function personColumns(db: Db, distinctIdsMax: number) {
  return db`
    p.project_id, p.id, p.uuid, p.version, p.snapshot_id, p.is_identified, p.created_at,
    p.properties::text as properties,
    (select coalesce(json_agg(d.distinct_id order by d.id), '[]')
     from (select distinct_id, id from person_distinct_id where person_id = p.id
           order by id limit ${distinctIdsMax}) d) as distinct_ids`
}

function personOf(record: PersonRecord): Person {
  return { ...record, properties: parseExact(record.properties) as JsonObject }
}

function isNamed(db: Db, projectId: number, name: PersonName) {
  if ("id" in name) return db`p.project_id = ${projectId} and p.id = ${name.id}`
  if ("uuid" in name) return db`p.project_id = ${projectId} and p.uuid = ${name.uuid}`
  // It must not depend on the row of the person, or every person is looked at.
  return db`p.id = (select person_id from person_distinct_id
                    where project_id = ${projectId} and distinct_id = ${name.distinct_id})`
}

export async function findPerson(
  db: Db,
  projectId: number,
  name: PersonName,
): Promise<Person | undefined> {
  const record = await first(db<PersonRecord[]>`
    select ${personColumns(db, DISTINCT_IDS_MAX)} from person p
    where ${isNamed(db, projectId, name)}`)
  return record === undefined ? undefined : personOf(record)
}

/** In a transaction: nobody else changes the person, nor gives it a distinct id, before it ends. */
export async function findPersonToWrite(
  db: Db,
  projectId: number,
  name: PersonName,
): Promise<Person | undefined> {
  const locked = await first(db<{ id: number }[]>`
    select p.id from person p where ${isNamed(db, projectId, name)} for update`)
  // Read only now: a statement that waits for the lock would still see the distinct ids of before.
  return locked === undefined ? undefined : findPerson(db, projectId, locked)
}

/** Locks those that exist, in the order of ids, as everyone does, so that no two wait for each other. */
export async function lockPersons(
  db: Db,
  projectId: number,
  names: readonly PersonName[],
): Promise<readonly LockedPerson[]> {
  const ids = names.flatMap((name) => ("id" in name ? [name.id] : []))
  const uuids = names.flatMap((name) => ("uuid" in name ? [name.uuid] : []))
  const distinctIds = names.flatMap((name) => ("distinct_id" in name ? [name.distinct_id] : []))
  const found = await db<{ id: number }[]>`
    select id from person where project_id = ${projectId} and id = any(${ids}::bigint[])
    union
    select id from person where project_id = ${projectId} and uuid = any(${uuids}::uuid[])
    union
    select person_id from person_distinct_id
    where project_id = ${projectId} and distinct_id = any(${distinctIds}::text[])`
  return db<LockedPerson[]>`
    select id, uuid from person where id = any(${found.map(({ id }) => id)}::bigint[])
    order by id for update`
}

export type LockedPerson = Pick<Person, "id" | "uuid">

/** In the order of `ids`; without those that have gone. */
export async function listPersonsByIds(
  db: Db,
  projectId: number,
  ids: readonly number[],
): Promise<readonly Person[]> {
  if (ids.length === 0) return []
  const records = await db<PersonRecord[]>`
    select ${personColumns(db, LISTED_DISTINCT_IDS_MAX)}
    from unnest(${[...ids]}::bigint[]) with ordinality w (id, place)
    join person p on p.id = w.id and p.project_id = ${projectId}
    order by w.place`
  return records.map(personOf)
}

/** Whose each distinct id is; without those that nobody has. */
export async function listUuidsByDistinctIds(
  db: Db,
  projectId: number,
  distinctIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // Nobody has an id that cannot even be stored, or asked for.
  const possible = distinctIds.filter((distinctId) => toStorable(distinctId) === distinctId)
  if (possible.length === 0) return new Map()
  const rows = await db<{ distinct_id: string; uuid: string }[]>`
    select d.distinct_id, p.uuid from person_distinct_id d join person p on p.id = d.person_id
    where d.project_id = ${projectId} and d.distinct_id = any(${possible}::text[])`
  return new Map(rows.map(({ distinct_id, uuid }) => [distinct_id, uuid]))
}

/** In the order of `uuids`; without those that have gone. */
export async function listPersonsByUuids(
  db: Db,
  projectId: number,
  uuids: readonly string[],
): Promise<readonly Person[]> {
  if (uuids.length === 0) return []
  const records = await db<PersonRecord[]>`
    select ${personColumns(db, LISTED_DISTINCT_IDS_MAX)}
    from unnest(${[...uuids]}::uuid[]) with ordinality w (uuid, place)
    join person p on p.uuid = w.uuid and p.project_id = ${projectId}
    order by w.place`
  return records.map(personOf)
}

/** The person with these properties, as a new state of its own. */
export async function updatePerson(
  db: Db,
  person: Person,
  properties: JsonObject,
): Promise<Person> {
  const state = await one(db<{ version: number; snapshot_id: number }[]>`
    update person set properties = ${stringifyExact(properties)}::text::json,
                      version = version + 1, snapshot_id = nextval('person_snapshot')
    where id = ${person.id} returning version, snapshot_id`)
  return { ...person, ...state, properties }
}

/** Properties whose first non-empty one names a person, when the project has chosen some. */
export async function findNameKeys(db: Db, projectId: number): Promise<readonly string[] | null> {
  const row = await first(db<{ keys: string[] | null }[]>`
    select person_display_name_properties as keys from project where id = ${projectId}`)
  return row?.keys ?? null
}

export async function isIdOf(
  db: Db,
  { project_id, id }: Pick<Person, "project_id" | "id">,
  distinctId: string,
): Promise<boolean> {
  const row = await first(db`
    select 1 from person_distinct_id
    where project_id = ${project_id} and distinct_id = ${distinctId} and person_id = ${id}`)
  return row !== undefined
}
