/**
 * Persons as ingestion needs them: read for many distinct ids at once, written as one batch. Whoever else
 * changes a person meanwhile makes the batch fail with `PersonConflict`, to be run again on what is true now.
 */
import { stringifyExact } from "../lib/exact-json.ts"
import { uuidV5 } from "../lib/ids.ts"
import { slicesWithin } from "../lib/slices.ts"
import type { Db } from "../relational/db.ts"
import type { PersonCache } from "./cache.ts"
import type {
  DistinctIdChange,
  IdentityChanges,
  LoadedPersons,
  PersonChange,
  PersonMerge,
  PersonState,
} from "./identity.ts"
import { type ReadBounds, readPersons, type WantedId } from "./reading.ts"

export class PersonConflict extends Error {}

/** Anyone who knows a project and a distinct id can tell the person's uuid before it exists. */
const PERSON_NAMESPACE = "932979b4-65c3-4424-8467-0b66ec27bc22"

export function firstUuid(projectId: number, distinctId: string): string {
  return uuidV5(PERSON_NAMESPACE, `${projectId}:${distinctId}`)
}

/**
 * Of the JSON of the persons that one batch reads. Parsed they take up to ten times as much, and what the batch
 * writes about them is as large again.
 */
const LOADED_BYTES_MAX = 128 * 1024 * 1024

/** `wanted` must hold no id twice. Throws `BatchTooLarge` when the persons are too many to be in memory together. */
export function loadPersons(
  db: Db,
  wanted: readonly WantedId[],
  cache: PersonCache,
): Promise<LoadedPersons> {
  return loadPersonsWithin(db, wanted, {
    ...{ cache, maxBytes: LOADED_BYTES_MAX, isPartAllowed: false },
  })
}

/**
 * For a batch of a single request, which cannot be divided. Persons beyond the bound are unread: their events are
 * stored as theirs, and change nothing about them. Only a request made to do harm names so much.
 */
export function loadPersonsInPart(
  db: Db,
  wanted: readonly WantedId[],
  cache: PersonCache,
): Promise<LoadedPersons> {
  return loadPersonsWithin(db, wanted, {
    ...{ cache, maxBytes: LOADED_BYTES_MAX, isPartAllowed: true },
  })
}

export async function loadPersonsWithin(
  db: Db,
  wanted: readonly WantedId[],
  { cache, ...bounds }: ReadBounds & { cache: PersonCache },
): Promise<LoadedPersons> {
  const persons = new Map<string, PersonState>()
  const missing: WantedId[] = []
  for (const id of wanted) {
    const cached = cache.find(id.project_id, id.distinct_id)
    if (cached === undefined) missing.push(id)
    else persons.set(keyOf(id.project_id, id.distinct_id), cached)
  }
  for (const { project_id, distinct_id, person } of await readPersons(db, missing, bounds)) {
    persons.set(keyOf(project_id, distinct_id), person)
    if (person.is_unread) continue
    cache.keepPerson(project_id, person)
    cache.keepId(project_id, distinct_id, person.uuid)
  }
  const unknown = missing.filter((id) => !persons.has(keyOf(id.project_id, id.distinct_id)))
  const successors = await readSuccessors(db, unknown)
  return {
    find: (projectId, distinctId) => persons.get(keyOf(projectId, distinctId)),
    baseUuid(projectId, distinctId) {
      let uuid = firstUuid(projectId, distinctId)
      for (;;) {
        const successor = successors.get(keyOf(projectId, uuid))
        if (successor === undefined) return uuid
        uuid = successor
      }
    },
  }
}

/** Of deleted persons whose distinct ids are seen again; a successor may itself have been deleted. */
async function readSuccessors(db: Db, unknown: readonly WantedId[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let asked = unknown.map(({ project_id, distinct_id }) => ({
    project_id,
    uuid: firstUuid(project_id, distinct_id),
  }))
  while (asked.length > 0) {
    const rows = await db<{ project_id: number; uuid: string; successor: string }[]>`
      select project_id, uuid, successor
      from unnest(${asked.map((one) => one.project_id)}::integer[],
                  ${asked.map((one) => one.uuid)}::uuid[]) w (project_id, uuid)
      join person_tombstone using (project_id, uuid)`
    for (const row of rows) found.set(keyOf(row.project_id, row.uuid), row.successor)
    asked = rows.map(({ project_id, successor }) => ({ project_id, uuid: successor }))
  }
  return found
}

function keyOf(projectId: number, name: string): string {
  return `${projectId}:${name}`
}

export interface DrawnIds {
  readonly persons: readonly number[]
  readonly snapshots: readonly number[]
}

/** Ids for what the batch will create; those of a batch that fails are lost, which harms nobody. */
export async function drawIds(
  db: Db,
  counts: { persons: number; snapshots: number },
): Promise<DrawnIds> {
  const [persons, snapshots] = await Promise.all([
    drawFrom(db, "person_id_seq", counts.persons),
    drawFrom(db, "person_snapshot", counts.snapshots),
  ])
  return { persons, snapshots }
}

async function drawFrom(db: Db, sequence: string, count: number): Promise<readonly number[]> {
  if (count === 0) return []
  const rows = await db<{ id: number }[]>`
    select nextval(${sequence}::regclass) as id from generate_series(1, ${count}::integer)`
  return rows.map(({ id }) => id)
}

export interface PersonWrites extends Pick<IdentityChanges, "attached" | "merged"> {
  /** With the ids drawn for them. */
  readonly created: readonly StoredChange[]
  readonly updated: readonly StoredChange[]
}

export type StoredChange = PersonChange & { readonly id: number; readonly snapshot_id: number }

/** In one transaction; in the order in which rows need each other. */
export async function writePersons(db: Db, writes: PersonWrites): Promise<void> {
  await lockPersons(db, writes)
  for (const some of statements(writes.created)) await insertPersons(db, some)
  await attachIds(db, writes.attached)
  await mergePersons(db, writes.merged)
  for (const some of statements(writes.updated)) await updatePersons(db, some)
}

/** Of the JSON of properties in one statement. */
const STATEMENT_BYTES_MAX = 8 * 1024 * 1024

function statements(persons: readonly StoredChange[]): Iterable<readonly StoredChange[]> {
  return slicesWithin(persons, STATEMENT_BYTES_MAX, ({ properties_bytes }) => properties_bytes)
}

/** In the order of ids, as everyone locks them, so that two writers never wait for each other. */
async function lockPersons(db: Db, { updated, merged }: PersonWrites): Promise<void> {
  const versions = new Map<number, number>()
  for (const person of updated) versions.set(person.id, person.base_version)
  for (const merge of merged) {
    if (merge.from_id !== undefined) versions.set(merge.from_id, merge.from_version)
  }
  if (versions.size === 0) return
  const rows = await db<{ id: number; version: number }[]>`
    select id, version from person where id = any(${[...versions.keys()]}::bigint[])
    order by id for update`
  const isSame = rows.every(({ id, version }) => versions.get(id) === version)
  if (rows.length !== versions.size || !isSame) throw new PersonConflict("a person has changed")
}

async function insertPersons(db: Db, persons: readonly StoredChange[]): Promise<void> {
  const { count } = await db`
    insert into person (id, project_id, uuid, is_identified, created_at, snapshot_id, properties)
    select w.id, w.project_id, w.uuid, w.is_identified, w.created_at, w.snapshot_id,
           w.properties::json
    from unnest(${persons.map((person) => person.id)}::bigint[],
                ${persons.map((person) => person.project_id)}::integer[],
                ${persons.map((person) => person.uuid)}::uuid[],
                ${persons.map((person) => String(person.is_identified))}::text[]::boolean[],
                ${persons.map((person) => person.created_at)}::timestamptz[],
                ${persons.map((person) => person.snapshot_id)}::bigint[],
                ${persons.map((person) => stringifyExact(person.properties))}::text[])
      w (id, project_id, uuid, is_identified, created_at, snapshot_id, properties)
    on conflict (project_id, uuid) do nothing`
  if (count !== persons.length) throw new PersonConflict("a person was created meanwhile")
}

async function attachIds(db: Db, ids: readonly DistinctIdChange[]): Promise<void> {
  if (ids.length === 0) return
  const { count } = await db`
    insert into person_distinct_id (project_id, distinct_id, person_id)
    select w.project_id, w.distinct_id, p.id
    from unnest(${ids.map((id) => id.project_id)}::integer[],
                ${ids.map((id) => id.distinct_id)}::text[],
                ${ids.map((id) => id.uuid)}::uuid[]) with ordinality
      w (project_id, distinct_id, uuid, place)
    join person p on p.project_id = w.project_id and p.uuid = w.uuid
    order by w.place
    on conflict (project_id, distinct_id) do nothing`
  if (count !== ids.length) throw new PersonConflict("a distinct id was taken meanwhile")
}

async function mergePersons(db: Db, merges: readonly PersonMerge[]): Promise<void> {
  const stored = merges.filter((merge) => merge.from_id !== undefined)
  if (stored.length === 0) return
  const fromIds = stored.map((merge) => merge.from_id ?? 0)
  await db`
    update person_distinct_id d set person_id = p.id
    from unnest(${fromIds}::bigint[], ${stored.map((merge) => merge.project_id)}::integer[],
                ${stored.map((merge) => merge.into)}::uuid[]) w (from_id, project_id, uuid)
    join person p on p.project_id = w.project_id and p.uuid = w.uuid
    where d.person_id = w.from_id`
  const left = await db`
    select 1 from person_distinct_id where person_id = any(${fromIds}::bigint[]) limit 1`
  if (left.length > 0) throw new PersonConflict("a person to merge into has gone")
  await moveMemberships(db, stored)
  await db`delete from person where id = any(${fromIds}::bigint[])`
}

/** Whoever a member of a static cohort is merged into is a member. */
async function moveMemberships(db: Db, merges: readonly PersonMerge[]): Promise<void> {
  await db`
    insert into cohort_person (cohort_id, person_id)
    select m.cohort_id, p.id
    from unnest(${merges.map((merge) => merge.from_id ?? 0)}::bigint[],
                ${merges.map((merge) => merge.project_id)}::integer[],
                ${merges.map((merge) => merge.into)}::uuid[]) w (from_id, project_id, uuid)
    join cohort_person m on m.person_id = w.from_id
    join person p on p.project_id = w.project_id and p.uuid = w.uuid
    on conflict do nothing`
}

async function updatePersons(db: Db, persons: readonly StoredChange[]): Promise<void> {
  await db`
    update person p
    set is_identified = w.is_identified, created_at = w.created_at, snapshot_id = w.snapshot_id,
        properties = w.properties::json, version = p.version + 1
    from unnest(${persons.map((person) => person.id)}::bigint[],
                ${persons.map((person) => String(person.is_identified))}::text[]::boolean[],
                ${persons.map((person) => person.created_at)}::timestamptz[],
                ${persons.map((person) => person.snapshot_id)}::bigint[],
                ${persons.map((person) => stringifyExact(person.properties))}::text[])
      w (id, is_identified, created_at, snapshot_id, properties)
    where p.id = w.id`
}
