/** Which person each distinct id of a batch belongs to, as the batch goes on. */
import type { ColumnarTime } from "../columnar/engine.ts"
import type { JsonObject } from "../lib/json.ts"
import type { LoadedPersons, PersonState, SnapshotHandle } from "./identity.ts"

/** Events of one state share one of these; its uuid becomes the survivor's when the batch ends. */
export interface SeenPerson {
  uuid: string
  readonly snapshot: SnapshotHandle | null
}

export interface TrackedPerson {
  readonly project_id: number
  readonly id: number | undefined
  readonly uuid: string
  readonly base_version: number
  created_at: ColumnarTime
  is_identified: boolean
  properties: JsonObject
  snapshot: SnapshotHandle
  /** What `snapshot` holds; undefined while there is none. */
  snapshot_properties: JsonObject | undefined
  is_changed: boolean
  merged_into: TrackedPerson | undefined
  /** The last of those of full events, and that of personless ones. */
  current: SeenPerson | undefined
  personless: SeenPerson | undefined
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
    created_at: state.created_at,
    is_identified: state.is_identified,
    properties: state.properties,
    snapshot: state.snapshot_id ?? 0,
    snapshot_properties: state.snapshot_id === undefined ? undefined : state.properties,
    is_changed: false,
    merged_into: undefined,
    current: undefined,
    personless: undefined,
    seen: [],
  }
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
