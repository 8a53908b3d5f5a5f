/** Plays the stores for identity: loads state, takes the changes of a batch, and refuses what a store would. */
import assert from "node:assert/strict"
import { uuidV5 } from "../../src/lib/ids.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import type {
  EventPerson,
  IdentityChanges,
  IdentityEvent,
  IngestionWarning,
  LoadedPersons,
  PersonChange,
  PersonState,
} from "../../src/persons/identity.ts"
import { distinctIdsOf, IdentityBatch } from "../../src/persons/identity-batch.ts"
import { jsonBytes } from "../../src/persons/json-size.ts"

export type StoredPerson = PersonState & { readonly project_id: number }

/** A stored event: who it belonged to when it was written, and the state it saw. */
export interface StoredEvent {
  readonly project_id: number
  readonly person_id: string
  readonly snapshot_id: number | null
}

export class PersonsInMemory {
  readonly persons = new Map<string, StoredPerson>()
  readonly owners = new Map<string, string>()
  readonly overrides = new Map<string, string>()
  readonly snapshots = new Map<number, JsonObject>()
  readonly warnings: IngestionWarning[] = []
  #lastId = 0
  #lastSnapshotId = 0

  /** Loads what the events name, applies them as one batch, and keeps what changed. */
  run(events: readonly IdentityEvent[]): StoredEvent[] {
    const batch = new IdentityBatch(this.#load(events))
    const seen = events.map((event) => batch.apply(event))
    const changes = batch.changes()
    const snapshotIds = changes.snapshots.map(() => ++this.#lastSnapshotId)
    const idOf = (handle: number) =>
      handle < 0 ? (snapshotIds[-1 - handle] ?? Number.NaN) : handle
    this.#commit(changes, idOf)
    return seen.map((person, index) => ({
      project_id: events[index]?.project_id ?? 0,
      person_id: person.uuid,
      snapshot_id: handleOf(person, idOf),
    }))
  }

  find(projectId: number, distinctId: string): StoredPerson | undefined {
    const owner = this.owners.get(`${projectId}:${distinctId}`)
    return owner === undefined ? undefined : this.persons.get(owner)
  }

  distinctIds(person: StoredPerson): string[] {
    const prefix = `${person.project_id}:`
    return [...this.owners]
      .filter(([, uuid]) => uuid === person.uuid)
      .map(([key]) => key.slice(prefix.length))
  }

  /** Who a stored event belongs to now. */
  resolve(uuid: string): string {
    return this.overrides.get(uuid) ?? uuid
  }

  #load(events: readonly IdentityEvent[]): LoadedPersons {
    const named = new Set(
      events.flatMap((event) => distinctIdsOf(event).map((id) => `${event.project_id}:${id}`)),
    )
    return {
      find: (projectId, distinctId) => {
        assert(named.has(`${projectId}:${distinctId}`), `${distinctId} was not asked for`)
        return this.find(projectId, distinctId)
      },
      baseUuid: firstUuid,
    }
  }

  #commit(changes: IdentityChanges, idOf: (handle: number) => number): void {
    this.warnings.push(...changes.warnings)
    changes.snapshots.forEach(({ properties }, index) => {
      this.snapshots.set(idOf(-1 - index), properties)
    })
    for (const { properties, properties_bytes } of [...changes.created, ...changes.updated]) {
      assert.equal(properties_bytes, jsonBytes(properties))
    }
    for (const change of changes.created) {
      assert(!this.persons.has(change.uuid) && change.base_version === 0)
      this.persons.set(change.uuid, stored({ ...change, id: ++this.#lastId }, idOf))
    }
    for (const { project_id, distinct_id, uuid } of changes.attached) {
      const key = `${project_id}:${distinct_id}`
      assert(!this.owners.has(key) && this.persons.has(uuid))
      this.owners.set(key, uuid)
    }
    for (const { from, from_id, into } of changes.merged) {
      assert(this.persons.get(from)?.id === from_id && this.persons.has(into))
      for (const [key, uuid] of this.owners) if (uuid === from) this.owners.set(key, into)
      this.persons.delete(from)
    }
    for (const change of changes.updated) {
      assert(this.persons.get(change.uuid)?.version === change.base_version)
      this.persons.set(change.uuid, stored(change, idOf))
    }
    for (const { old_person_id, person_id } of changes.overrides) {
      assert(this.persons.has(person_id) && !this.persons.has(old_person_id))
      for (const [key, to] of this.overrides) {
        if (to === old_person_id) this.overrides.set(key, person_id)
      }
      this.overrides.set(old_person_id, person_id)
    }
  }
}

export function firstUuid(projectId: number, distinctId: string): string {
  return uuidV5("932979b4-65c3-4424-8467-0b66ec27bc22", `${projectId}:${distinctId}`)
}

function stored(change: PersonChange, idOf: (handle: number) => number): StoredPerson {
  const { base_version, snapshot, ...person } = change
  return { ...person, version: base_version + 1, snapshot_id: idOf(snapshot) }
}

function handleOf(person: EventPerson, idOf: (handle: number) => number): number | null {
  return person.snapshot === null ? null : idOf(person.snapshot)
}
