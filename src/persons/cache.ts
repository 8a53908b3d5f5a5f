/**
 * Persons that events came from lately, so that most batches ask PostgreSQL for few. What is here may be out of
 * date: writers check versions when they commit, and whoever changes persons elsewhere in this process says so.
 */
import type { DistinctIdChange, PersonChange, PersonMerge, PersonState } from "./identity.ts"

const PERSONS_MAX = 50_000
/** Of the JSON of their properties; in memory it is several times as much. */
const PERSONS_BYTES_MAX = 64 * 1024 * 1024
const IDS_MAX = 200_000
const IDS_BYTES_MAX = 32 * 1024 * 1024
const BYTES_PER_CHARACTER = 2
/** What is left of a full map when it lets go of its oldest entries. */
const SHRUNK_SHARE = 0.9

/** What a batch made of persons, once it is committed. */
export interface CommittedPersons {
  readonly persons: readonly (PersonChange & {
    readonly id: number
    readonly snapshot_id: number
  })[]
  readonly attached: readonly DistinctIdChange[]
  readonly merged: readonly Pick<PersonMerge, "project_id" | "from">[]
}

export class PersonCache {
  readonly #uuids = new WeighedMap<string>({ count: IDS_MAX, bytes: IDS_BYTES_MAX })
  readonly #persons = new WeighedMap<PersonState>({ count: PERSONS_MAX, bytes: PERSONS_BYTES_MAX })
  #changeCount = 0

  /** Grows whenever something was forgotten: what was read before may be out of date. */
  get changeCount(): number {
    return this.#changeCount
  }

  find(projectId: number, distinctId: string): PersonState | undefined {
    const uuid = this.#uuids.get(keyOf(projectId, distinctId))
    return uuid === undefined ? undefined : this.#persons.get(keyOf(projectId, uuid))
  }

  keepPerson(projectId: number, person: PersonState): void {
    this.#persons.keep(keyOf(projectId, person.uuid), person, person.properties_bytes)
  }

  keepId(projectId: number, distinctId: string, uuid: string): void {
    const key = keyOf(projectId, distinctId)
    this.#uuids.keep(key, uuid, (key.length + uuid.length) * BYTES_PER_CHARACTER)
  }

  /**
   * Takes the states that the next batch will find in the database. `changeCount` is that of before the batch was
   * loaded: if anything was forgotten since, all it touched is forgotten instead.
   */
  settle({ persons, attached, merged }: CommittedPersons, changeCount: number): void {
    const isUpToDate = this.#changeCount === changeCount
    for (const { project_id, from } of merged) this.#persons.delete(keyOf(project_id, from))
    for (const person of persons) {
      if (isUpToDate) this.keepPerson(person.project_id, stateAfter(person))
      else this.#persons.delete(keyOf(person.project_id, person.uuid))
    }
    for (const { project_id, distinct_id, uuid } of attached) {
      if (isUpToDate) this.keepId(project_id, distinct_id, uuid)
      else this.#uuids.delete(keyOf(project_id, distinct_id))
    }
  }

  /** Its distinct ids are then found nowhere, whichever they are. */
  forgetPerson(projectId: number, uuid: string): void {
    this.#persons.delete(keyOf(projectId, uuid))
    this.#changeCount += 1
  }

  forgetId(projectId: number, distinctId: string): void {
    this.#uuids.delete(keyOf(projectId, distinctId))
    this.#changeCount += 1
  }

  clear(): void {
    this.#uuids.clear()
    this.#persons.clear()
    this.#changeCount += 1
  }
}

function keyOf(projectId: number, name: string): string {
  return `${projectId}:${name}`
}

function stateAfter(person: CommittedPersons["persons"][number]): PersonState {
  const { id, uuid, base_version, created_at, is_identified, snapshot_id } = person
  const { properties, properties_bytes } = person
  return {
    ...{ id, uuid, version: base_version + 1, created_at, is_identified, snapshot_id },
    ...{ properties, properties_bytes },
  }
}

/** Lets go of what was kept longest ago when there is too much. */
class WeighedMap<T> {
  readonly #max: { readonly count: number; readonly bytes: number }
  /** A map remembers the order of its keys. */
  readonly #entries = new Map<string, { readonly value: T; readonly bytes: number }>()
  #bytes = 0

  constructor(max: { readonly count: number; readonly bytes: number }) {
    this.#max = max
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value
  }

  keep(key: string, value: T, bytes: number): void {
    this.delete(key)
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    if (!this.#isWithin(1)) this.#shrink()
  }

  /** By many at once: to find the first key, a map steps over the gaps that former ones left. */
  #shrink(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#isWithin(SHRUNK_SHARE)) return
      this.delete(oldest)
    }
  }

  #isWithin(share: number): boolean {
    const { count, bytes } = this.#max
    return this.#entries.size <= count * share && this.#bytes <= bytes * share
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#bytes -= entry.bytes
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }
}
