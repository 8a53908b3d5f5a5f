/** Which person each distinct id of a batch belongs to, as the batch goes on. */
import type { ColumnarTime } from "../columnar/engine.ts"
import type { JsonObject } from "../lib/json.ts"
import type {
  LoadedPersons,
  PersonChange,
  PersonMerge,
  PersonState,
  SnapshotHandle,
} from "./identity.ts"
import type { MutableObject } from "./property-updates.ts"

/** Events of one state share one of these; its uuid becomes the survivor's when the batch ends. */
export interface SeenPerson {
  uuid: string
  snapshot: SnapshotHandle | null
}

export interface TrackedPerson {
  readonly project_id: number
  readonly id: number | undefined
  readonly uuid: string
  readonly base_version: number
  readonly is_unread: boolean
  created_at: ColumnarTime
  is_identified: boolean
  /** Changed through `ownProperties` only. */
  properties: JsonObject
  properties_bytes: number
  /** Nobody else refers to `properties`: neither a snapshot nor what was loaded. */
  is_owned: boolean
  snapshot: SnapshotHandle
  /** Whether `snapshot` holds `properties` as they are. */
  is_snapshot_current: boolean
  /** Of the snapshots that the batch took of it and of those merged into it. */
  snapshot_bytes: number
  is_changed: boolean
  merged_into: TrackedPerson | undefined
  /** The last of those of full events, and that of personless ones. */
  current: SeenPerson | undefined
  personless: SeenPerson | undefined
  /** Once there is one, full events share it: they see what the person is when the batch ends. */
  last: SeenPerson | undefined
  readonly seen: SeenPerson[]
}

export interface Slot {
  readonly project_id: number
  readonly distinct_id: string
  /** As of its last look; `personOf` follows merges. */
  person: TrackedPerson | undefined
  /** What its personless events got while there was no person. */
  personless: SeenPerson | undefined
}

interface ProjectPersons {
  readonly slots: Map<string, Slot>
  readonly byUuid: Map<string, TrackedPerson>
}

export class PersonMap {
  readonly #loaded: LoadedPersons
  readonly #projects = new Map<number, ProjectPersons>()

  constructor(loaded: LoadedPersons) {
    this.#loaded = loaded
  }

  slot(projectId: number, distinctId: string): Slot {
    const project = this.#project(projectId)
    const known = project.slots.get(distinctId)
    if (known !== undefined) return known
    const state = this.#loaded.find(projectId, distinctId)
    const person = state === undefined ? undefined : track(project, projectId, state)
    const slot = { project_id: projectId, distinct_id: distinctId, person, personless: undefined }
    project.slots.set(distinctId, slot)
    return slot
  }

  #project(projectId: number): ProjectPersons {
    let project = this.#projects.get(projectId)
    if (project === undefined) {
      project = { slots: new Map(), byUuid: new Map() }
      this.#projects.set(projectId, project)
    }
    return project
  }
}

/** Two distinct ids of one person must lead to the same object. */
function track(project: ProjectPersons, projectId: number, state: PersonState): TrackedPerson {
  const known = project.byUuid.get(state.uuid)
  if (known !== undefined) return known
  const person = trackedPerson(projectId, state)
  project.byUuid.set(state.uuid, person)
  return person
}

export function trackedPerson(projectId: number, state: PersonState): TrackedPerson {
  return {
    project_id: projectId,
    id: state.id,
    uuid: state.uuid,
    base_version: state.version,
    is_unread: state.is_unread === true,
    created_at: state.created_at,
    is_identified: state.is_identified,
    properties: state.properties,
    properties_bytes: state.properties_bytes,
    is_owned: false,
    snapshot: state.snapshot_id ?? 0,
    is_snapshot_current: state.snapshot_id !== undefined,
    snapshot_bytes: 0,
    is_changed: false,
    merged_into: undefined,
    current: undefined,
    personless: undefined,
    last: undefined,
    seen: [],
  }
}

/** To be changed in place. A copy is made only of what somebody else refers to. */
export function ownProperties(person: TrackedPerson): MutableObject {
  if (!person.is_owned) person.properties = { ...person.properties }
  person.is_owned = true
  person.is_snapshot_current = false
  return person.properties as MutableObject
}

export function personOf(slot: Slot): TrackedPerson | undefined {
  if (slot.person?.merged_into !== undefined) slot.person = survivorOf(slot.person)
  return slot.person
}

export function survivorOf(person: TrackedPerson): TrackedPerson {
  let survivor = person
  while (survivor.merged_into !== undefined) survivor = survivor.merged_into
  // A long chain of merges is walked once, not once for each of its members.
  let passed = person
  while (passed.merged_into !== undefined && passed.merged_into !== survivor) {
    const next = passed.merged_into
    passed.merged_into = survivor
    passed = next
  }
  return survivor
}

export function changeOf(person: TrackedPerson): PersonChange {
  const { project_id, id, uuid, base_version, created_at, is_identified } = person
  const { properties, properties_bytes, snapshot } = person
  return {
    ...{ project_id, id, uuid, base_version, created_at, is_identified },
    ...{ properties, properties_bytes, snapshot },
  }
}

export function mergeOf(person: TrackedPerson): PersonMerge {
  const into = survivorOf(person).uuid
  return {
    ...{ project_id: person.project_id, from: person.uuid, from_id: person.id },
    ...{ from_version: person.base_version, into },
  }
}
