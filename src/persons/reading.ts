/**
 * Persons of distinct ids, as PostgreSQL has them. A small request may name thousands of persons of half a megabyte
 * each, so that what is read has a bound, and comes in pages that each take a few milliseconds to parse.
 */
import { BatchTooLarge } from "../lib/batch-too-large.ts"
import { parseExact } from "../lib/exact-json.ts"
import type { JsonObject } from "../lib/json.ts"
import { slicesWithin } from "../lib/slices.ts"
import type { Db } from "../relational/db.ts"
import type { PersonState } from "./identity.ts"

export interface WantedId {
  readonly project_id: number
  readonly distinct_id: string
}

export interface OwnedId extends WantedId {
  /** Ids of one person have the same object. */
  readonly person: PersonState
}

export interface ReadBounds {
  /** Of the JSON of all properties. */
  readonly maxBytes: number
  /** Persons beyond the bound are answered as unread, the largest first; without it they are an error. */
  readonly isPartAllowed: boolean
}

const IDS_PER_PAGE = 1_000
/** Smaller properties come along with the first look at a person. */
const SMALL_BYTES_MAX = 4 * 1024
const PAGE_BYTES_MAX = IDS_PER_PAGE * SMALL_BYTES_MAX

interface PersonRecord {
  readonly id: number
  readonly uuid: string
  readonly version: number
  readonly is_identified: boolean
  readonly created_at: string
  readonly snapshot_id: number
  readonly properties_bytes: number
  /** Null when they are not small. */
  readonly properties: string | null
}

type OwnerRecord = WantedId & { readonly person_id: number }

/** Ids without a person are left out. */
export async function readPersons(
  db: Db,
  wanted: readonly WantedId[],
  bounds: ReadBounds,
): Promise<OwnedId[]> {
  const owners: OwnerRecord[] = []
  const read = new PersonsRead(bounds)
  for (const page of slicesWithin(wanted, IDS_PER_PAGE, () => 1)) {
    const found = await listOwners(db, page)
    owners.push(...found)
    const ids = new Set(found.map(({ person_id }) => person_id).filter((id) => !read.knows(id)))
    if (ids.size > 0) for (const person of await lookUp(db, [...ids])) read.add(person)
  }
  for (const page of slicesWithin(read.large(), PAGE_BYTES_MAX, bytesOf)) {
    for (const person of await readLarge(db, page)) read.complete(person)
  }
  return owners.flatMap(({ project_id, distinct_id, person_id }) => {
    const person = read.states.get(person_id)
    // Whoever is gone since the first look has no ids any more either.
    return person === undefined ? [] : [{ project_id, distinct_id, person }]
  })
}

class PersonsRead {
  readonly states = new Map<number, PersonState>()
  readonly #large = new Map<number, PersonRecord>()
  readonly #bounds: ReadBounds
  #bytes = 0

  constructor(bounds: ReadBounds) {
    this.#bounds = bounds
  }

  knows(id: number): boolean {
    return this.states.has(id) || this.#large.has(id)
  }

  add(person: PersonRecord): void {
    if (person.properties === null && !this.#bounds.isPartAllowed) this.#takeRoom(person)
    if (person.properties === null) this.#large.set(person.id, person)
    else this.states.set(person.id, this.#takeRoom(person) ? stateOf(person) : unread(person))
  }

  /** Those whose properties are to be read. Smallest first: few are left out where there is no room for all. */
  large(): PersonRecord[] {
    const sorted = [...this.#large.values()].sort((left, right) => bytesOf(left) - bytesOf(right))
    if (!this.#bounds.isPartAllowed) return sorted
    return sorted.filter((person) => {
      const hasRoom = this.#takeRoom(person)
      if (!hasRoom) this.states.set(person.id, unread(person))
      return hasRoom
    })
  }

  complete(person: PersonRecord): void {
    this.states.set(person.id, stateOf(person))
  }

  #takeRoom({ properties_bytes }: PersonRecord): boolean {
    const { maxBytes, isPartAllowed } = this.#bounds
    if (this.#bytes + properties_bytes <= maxBytes) {
      this.#bytes += properties_bytes
      return true
    }
    if (isPartAllowed) return false
    throw new BatchTooLarge(`the persons of a batch have more than ${maxBytes} bytes of properties`)
  }
}

function bytesOf(person: PersonRecord): number {
  return person.properties_bytes
}

function stateOf(person: PersonRecord): PersonState {
  return { ...person, properties: parseExact(person.properties ?? "{}") as JsonObject }
}

function unread(person: PersonRecord): PersonState {
  return { ...person, properties: {}, is_unread: true }
}

function listOwners(db: Db, wanted: readonly WantedId[]): Promise<OwnerRecord[]> {
  return db<OwnerRecord[]>`
    select project_id, distinct_id, person_id
    from unnest(${wanted.map((id) => id.project_id)}::integer[],
                ${wanted.map((id) => id.distinct_id)}::text[]) w (project_id, distinct_id)
    join person_distinct_id using (project_id, distinct_id)`
}

/** `offset 0` keeps the inner part apart: properties are unpacked once to be measured, and only small ones again. */
function lookUp(db: Db, ids: readonly number[]): Promise<PersonRecord[]> {
  return db<PersonRecord[]>`
    select id, uuid, version, is_identified, snapshot_id, created_at, properties_bytes,
           case when properties_bytes <= ${SMALL_BYTES_MAX} then packed::text end as properties
    from (select id, uuid, version, is_identified, snapshot_id,
                 to_char(created_at, 'YYYY-MM-DD HH24:MI:SS.US') as created_at,
                 octet_length(properties::text) as properties_bytes, properties as packed
          from person where id = any(${[...ids]}::bigint[]) offset 0) measured`
}

/** All of it anew: the person may have changed since the first look. */
function readLarge(db: Db, persons: readonly PersonRecord[]): Promise<PersonRecord[]> {
  return db<PersonRecord[]>`
    select id, uuid, version, is_identified, snapshot_id,
           to_char(created_at, 'YYYY-MM-DD HH24:MI:SS.US') as created_at,
           octet_length(properties::text) as properties_bytes, properties::text as properties
    from person where id = any(${persons.map(({ id }) => id)}::bigint[])`
}
