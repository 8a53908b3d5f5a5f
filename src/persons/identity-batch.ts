/**
 * The rules of identity. One batch runs over loaded state in log order and ends in a list of changes; nothing here
 * reads a store or a clock, so the same batch over the same state always gives the same changes.
 */
import type { JsonObject } from "../lib/json.ts"
import { distinctIdOf, isIllegalDistinctId } from "./distinct-id.ts"
import type {
  EventPerson,
  IdentityChanges,
  IdentityEvent,
  IngestionWarning,
  LoadedPersons,
} from "./identity.ts"
import { jsonBytes, PERSON_BYTES_MAX } from "./json-size.ts"
import {
  changeOf,
  mergeOf,
  ownProperties,
  PersonMap,
  personOf,
  type Slot,
  survivorOf,
  type TrackedPerson,
  trackedPerson,
} from "./person-map.ts"
import { applyChange, findChange, missingIn, replacedIn } from "./property-updates.ts"
import { BatchSnapshots, seen } from "./snapshots.ts"

/** Every id whose state must be loaded before the event is applied. */
export function distinctIdsOf(event: IdentityEvent): string[] {
  const other = otherDistinctIdOf(event)
  return other === undefined ? [event.distinct_id] : [event.distinct_id, other]
}

/** The id whose person the event asks to merge into its own. */
function otherDistinctIdOf(event: IdentityEvent): string | undefined {
  switch (event.event) {
    case "$identify":
      return distinctIdOf(event.properties.$anon_distinct_id)
    case "$create_alias":
    case "$merge_dangerously":
      return distinctIdOf(event.properties.alias)
    default:
      return undefined
  }
}

/** They are about the person, so that even a value that changes all the time is worth a write. */
const PERSON_EVENTS = new Set(["$identify", "$create_alias", "$merge_dangerously", "$set"])
/** So frequent, and so little about the person, that they never change one. */
const UNRELATED_EVENTS = new Set(["$exception", "$$heatmap"])

export class IdentityBatch {
  readonly #loaded: LoadedPersons
  readonly #persons: PersonMap
  readonly #touched: TrackedPerson[] = []
  readonly #attached: Slot[] = []
  readonly #merged: TrackedPerson[] = []
  readonly #overrides: { readonly old_person_id: string; readonly person: TrackedPerson }[] = []
  readonly #snapshots = new BatchSnapshots()
  readonly #warnings: IngestionWarning[] = []

  constructor(loaded: LoadedPersons) {
    this.#loaded = loaded
    this.#persons = new PersonMap(loaded)
  }

  apply(event: IdentityEvent): EventPerson {
    const slot = this.#persons.slot(event.project_id, event.distinct_id)
    if (event.is_personless) return this.#seeWithoutProfile(slot)
    const otherId = otherDistinctIdOf(event)
    if (otherId !== undefined) this.#merge(event, slot, otherId)
    const person = personOf(slot) ?? this.#create(event, slot)
    this.#updateProperties(person, event)
    return this.#snapshots.see(person)
  }

  changes(): IdentityChanges {
    this.#settleUuids()
    const snapshots = this.#snapshots.settle()
    const living = this.#touched.filter((person) => person.merged_into === undefined)
    return {
      created: living.filter((person) => person.base_version === 0).map(changeOf),
      updated: living.filter((person) => person.base_version > 0).map(changeOf),
      attached: this.#attached.map((slot) => ({
        project_id: slot.project_id,
        distinct_id: slot.distinct_id,
        uuid: (personOf(slot) as TrackedPerson).uuid,
      })),
      merged: this.#merged.filter((person) => person.base_version > 0).map(mergeOf),
      overrides: this.#overrides.map(({ old_person_id, person }) => {
        const survivor = survivorOf(person)
        return { project_id: survivor.project_id, old_person_id, person_id: survivor.uuid }
      }),
      snapshots,
      warnings: this.#warnings,
    }
  }

  /** Merges the person of `otherId` into that of the event; afterwards the event's id has a person, if legal. */
  #merge(event: IdentityEvent, slot: Slot, otherId: string): void {
    if (isIllegalDistinctId(otherId) || isIllegalDistinctId(event.distinct_id)) {
      this.#warn(event, "cannot_merge_with_illegal_distinct_id", { other_distinct_id: otherId })
      return
    }
    if (otherId === event.distinct_id) return
    const otherSlot = this.#persons.slot(event.project_id, otherId)
    const other = personOf(otherSlot)
    let into = personOf(slot)
    if (into?.is_unread || other?.is_unread) {
      this.#warn(event, "request_names_too_many_large_persons", { other_distinct_id: otherId })
      return
    }
    if (into === undefined && other !== undefined) this.#attach(slot, other)
    into = personOf(slot) ?? this.#create(event, slot)
    if (other === undefined) this.#attach(otherSlot, into)
    else if (other !== into) {
      if (other.is_identified && event.event !== "$merge_dangerously") {
        this.#warn(event, "cannot_merge_already_identified", { other_distinct_id: otherId })
      } else this.#join(event, other, into)
    }
    if (!into.is_identified) {
      into.is_identified = true
      this.#touch(into)
    }
  }

  #join(event: IdentityEvent, other: TrackedPerson, into: TrackedPerson): void {
    this.#joinProperties(event, other, into)
    if (other.created_at < into.created_at) into.created_at = other.created_at
    into.snapshot_bytes += other.snapshot_bytes
    other.merged_into = into
    this.#merged.push(other)
    this.#overrides.push({ old_person_id: other.uuid, person: into })
    this.#touch(into)
  }

  /** The survivor's values win. The smaller object goes into the larger: a chain of merges copies little. */
  #joinProperties(event: IdentityEvent, other: TrackedPerson, into: TrackedPerson): void {
    const isOtherSmaller = other.properties_bytes <= into.properties_bytes
    const change = isOtherSmaller
      ? missingIn(into.properties, other.properties)
      : replacedIn(other.properties, into.properties)
    const bytes = (isOtherSmaller ? into : other).properties_bytes + change.bytes
    if (isOtherSmaller && change.put.size === 0) return
    if (!this.#isAllowed(event, into, bytes)) return
    if (!isOtherSmaller) {
      into.properties = other.properties
      into.is_owned = other.is_owned
    }
    applyChange(ownProperties(into), change)
    into.properties_bytes = bytes
  }

  #create(event: IdentityEvent, slot: Slot): TrackedPerson {
    const properties = { $creator_event_uuid: event.uuid }
    const person = trackedPerson(event.project_id, {
      id: undefined,
      uuid: this.#loaded.baseUuid(event.project_id, event.distinct_id),
      version: 0,
      created_at: event.timestamp,
      is_identified: false,
      properties,
      properties_bytes: jsonBytes(properties),
      snapshot_id: undefined,
    })
    this.#touch(person)
    slot.person = person
    this.#attached.push(slot)
    return person
  }

  /** Gives an id without a person to one; its personless events follow. */
  #attach(slot: Slot, person: TrackedPerson): void {
    slot.person = person
    this.#attached.push(slot)
    const oldId = this.#loaded.baseUuid(slot.project_id, slot.distinct_id)
    if (oldId !== person.uuid) this.#overrides.push({ old_person_id: oldId, person })
  }

  #updateProperties(person: TrackedPerson, event: IdentityEvent): void {
    if (UNRELATED_EVENTS.has(event.event)) return
    if (person.is_unread) {
      this.#warn(event, "request_names_too_many_large_persons", { person_id: person.uuid })
      return
    }
    const isPersonEvent = PERSON_EVENTS.has(event.event)
    const change = findChange(person.properties, event.properties, isPersonEvent)
    if (change === undefined) return
    const bytes = person.properties_bytes + change.bytes
    if (!this.#isAllowed(event, person, bytes)) return
    applyChange(ownProperties(person), change)
    person.properties_bytes = bytes
    this.#touch(person)
  }

  /** What is too large already may still shrink. */
  #isAllowed(event: IdentityEvent, person: TrackedPerson, bytes: number): boolean {
    if (bytes <= PERSON_BYTES_MAX || bytes < person.properties_bytes) return true
    this.#warn(event, "person_properties_size_violation", { person_id: person.uuid })
    return false
  }

  #seeWithoutProfile(slot: Slot): EventPerson {
    const person = personOf(slot)
    if (person !== undefined) {
      person.personless ??= seen(person, null)
      return person.personless
    }
    slot.personless ??= {
      uuid: this.#loaded.baseUuid(slot.project_id, slot.distinct_id),
      snapshot: null,
    }
    return slot.personless
  }

  #touch(person: TrackedPerson): void {
    if (person.is_changed) return
    person.is_changed = true
    this.#touched.push(person)
  }

  #warn(event: IdentityEvent, type: string, details: JsonObject): void {
    const { project_id, uuid, distinct_id } = event
    const about = { event_uuid: uuid, event: event.event, distinct_id }
    this.#warnings.push({ project_id, type, details: { ...about, ...details } })
  }

  /** Rows of this batch need no override when they name the survivor at once. */
  #settleUuids(): void {
    for (const person of this.#merged) {
      const { uuid } = survivorOf(person)
      for (const one of person.seen) one.uuid = uuid
    }
    for (const slot of this.#attached) {
      const person = personOf(slot)
      if (slot.personless !== undefined && person !== undefined) slot.personless.uuid = person.uuid
    }
  }
}
