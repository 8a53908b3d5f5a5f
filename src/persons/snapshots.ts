/**
 * The states of persons that the events of a batch saw. Each is a copy of all that a person has, so one small event
 * can ask for half a megabyte: beyond a bound, events share what the person is when the batch ends.
 */
import type { JsonObject } from "../lib/json.ts"
import type { EventPerson, NewSnapshot, SnapshotHandle } from "./identity.ts"
import { type SeenPerson, survivorOf, type TrackedPerson } from "./person-map.ts"

/** Of one person and those merged into it, besides the last one. */
const PERSON_SNAPSHOT_BYTES_MAX = 2 * 1024 * 1024
/** Of all persons, besides the last one of each. */
const BATCH_SNAPSHOT_BYTES_MAX = 64 * 1024 * 1024

export class BatchSnapshots {
  readonly #taken: { readonly person: TrackedPerson; readonly properties: JsonObject }[] = []
  readonly #sharing: { readonly person: TrackedPerson; readonly last: SeenPerson }[] = []
  #bytes = 0

  /** For an event that sees the person as it is. */
  see(person: TrackedPerson): EventPerson {
    if (person.last !== undefined) return person.last
    if (!person.is_snapshot_current) {
      if (!this.#hasRoom(person)) return this.#share(person)
      this.#take(person)
      person.current = undefined
    }
    person.current ??= seen(person, person.snapshot)
    return person.current
  }

  /** Gives shared events their state. All, in the order of their handles. */
  settle(): NewSnapshot[] {
    for (const { person, last } of this.#sharing) {
      const survivor = survivorOf(person)
      if (!survivor.is_snapshot_current) this.#take(survivor)
      last.snapshot = survivor.snapshot
    }
    return this.#taken.map(({ person, properties }) => ({
      project_id: person.project_id,
      person_id: survivorOf(person).uuid,
      properties,
    }))
  }

  #hasRoom({ snapshot_bytes, properties_bytes }: TrackedPerson): boolean {
    return (
      snapshot_bytes + properties_bytes <= PERSON_SNAPSHOT_BYTES_MAX &&
      this.#bytes + properties_bytes <= BATCH_SNAPSHOT_BYTES_MAX
    )
  }

  #share(person: TrackedPerson): EventPerson {
    const last = seen(person, null)
    person.last = last
    this.#sharing.push({ person, last })
    return last
  }

  #take(person: TrackedPerson): void {
    this.#taken.push({ person, properties: person.properties })
    this.#bytes += person.properties_bytes
    person.snapshot = -this.#taken.length
    person.snapshot_bytes += person.properties_bytes
    person.is_snapshot_current = true
    person.is_owned = false
  }
}

export function seen(person: TrackedPerson, snapshot: SnapshotHandle | null): SeenPerson {
  const one = { uuid: person.uuid, snapshot }
  person.seen.push(one)
  return one
}
