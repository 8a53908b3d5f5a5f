/**
 * From records of the log to rows and changes, without I/O:
 *   1. `add` runs the steps over each event of a record, in log order;
 *   2. the caller loads the persons of `wantedIds`;
 *   3. `identify` gives each event its person. After a conflict it runs again over state loaded anew.
 * A batch changes the events it is given; whoever starts over decodes them again.
 */
import type { EventRow } from "../columnar/engine.ts"
import type { GroupType } from "../groups/store.ts"
import { sha256Hex } from "../lib/ids.ts"
import type { JsonObject } from "../lib/json.ts"
import type {
  EventPerson,
  IdentityChanges,
  IngestionWarning,
  LoadedPersons,
} from "../persons/identity.ts"
import { distinctIdsOf, IdentityBatch } from "../persons/identity-batch.ts"
import type { WantedId } from "../persons/reading.ts"
import { DROP_REASONS, type DropReason } from "./drop-reasons.ts"
import type { Draft, IngestProject, RecordContext, Step } from "./steps/draft.ts"
import { chainElements } from "./steps/elements.ts"
import type { GroupTypes } from "./steps/group-types.ts"
import { GroupUpdates } from "./steps/group-updates.ts"
import { assignGroups } from "./steps/groups.ts"
import { EPOCH_TIME, findColumnarTime } from "./steps/moment.ts"
import { takeNames } from "./steps/names.ts"
import { normalise } from "./steps/normalise.ts"
import { findMoment } from "./steps/parse-moment.ts"
import { heedPersonless } from "./steps/personless.ts"
import { stampTime } from "./steps/timestamp.ts"

/** In this order. Each passes the event on, or drops it with a reason. */
const STEPS: readonly Step[] = [
  takeNames,
  stampTime,
  normalise,
  heedPersonless,
  assignGroups,
  chainElements,
]

/** They take a few milliseconds, also where each is large. */
const EVENTS_PER_YIELD = 300

/** What of a captured request matters here. */
export interface IngestRecord {
  readonly head: {
    readonly project_id: number
    /** Milliseconds. */
    readonly received_at: number
    readonly ip: string | null
    readonly sent_at: number | string | null
    readonly is_engage?: true
  }
  readonly events: readonly JsonObject[]
}

export interface IngestState {
  readonly projects: ReadonlyMap<number, IngestProject>
  readonly groupTypes: GroupTypes
}

export interface IdentifiedBatch {
  readonly changes: IdentityChanges
  /** `snapshotIds` are those of the changes' snapshots, in their order. */
  rows(snapshotIds: readonly number[]): EventRow[]
}

export class IngestBatch {
  /** Of the steps; those of identity are among its changes. */
  readonly warnings: IngestionWarning[] = []
  readonly drops = Object.fromEntries(DROP_REASONS.map((reason) => [reason, 0])) as Record<
    DropReason,
    number
  >
  readonly groupUpdates = new GroupUpdates()
  readonly #state: IngestState
  readonly #drafts: Draft[] = []
  readonly #wanted = new Map<number, Set<string>>()

  constructor(state: IngestState) {
    this.#state = state
  }

  get eventCount(): number {
    return this.#drafts.length
  }

  /** Kinds of groups that the batch met first. */
  get newGroupTypes(): readonly GroupType[] {
    return this.#state.groupTypes.created
  }

  /** Those that events are stored for. */
  projectIds(): number[] {
    return [...this.#wanted.keys()]
  }

  /**
   * `seed` names the record among all of all logs; the uuids of its events follow from it. Like `identify`, it
   * yields every few milliseconds, and does nothing unless it is driven to its end.
   */
  *add({ head, events }: IngestRecord, seed: string): Generator<undefined, void> {
    const project = this.#state.projects.get(head.project_id)
    if (project === undefined) {
      this.drops.unknown_project += events.length
      return
    }
    const record = this.#context(head, project, seed)
    const receivedAt = findColumnarTime(record.receivedAt) ?? EPOCH_TIME
    const wanted = this.#wantedOf(project.id)
    for (let index = 0; index < events.length; index++) {
      const draft = newDraft(events[index] as JsonObject, { index, record, receivedAt })
      const reason = runSteps(draft, record)
      if (reason !== undefined) this.drops[reason] += 1
      else {
        this.#drafts.push(draft)
        for (const id of distinctIdsOf(draft)) wanted.add(id)
      }
      if ((index + 1) % EVENTS_PER_YIELD === 0) yield
    }
  }

  /** Every id whose person must be loaded, once. */
  wantedIds(): WantedId[] {
    return [...this.#wanted].flatMap(([project_id, ids]) =>
      Array.from(ids, (distinct_id) => ({ project_id, distinct_id })),
    )
  }

  /** Yields every few milliseconds: a large batch must not keep others waiting. */
  *identify(loaded: LoadedPersons): Generator<undefined, IdentifiedBatch> {
    const identity = new IdentityBatch(loaded)
    const drafts = this.#drafts
    const persons: EventPerson[] = []
    for (const draft of drafts) {
      persons.push(identity.apply(draft))
      if (persons.length % EVENTS_PER_YIELD === 0) yield
    }
    return {
      changes: identity.changes(),
      rows: (snapshotIds) =>
        drafts.map((draft, index) => rowOf(draft, persons[index] as EventPerson, snapshotIds)),
    }
  }

  #context(head: IngestRecord["head"], project: IngestProject, seed: string): RecordContext {
    const sentAt = head.sent_at === null ? undefined : findMoment(head.sent_at)
    return {
      project,
      receivedAt: { ms: head.received_at, micros: 0 },
      sentAt,
      sentAtText: sentAt && findColumnarTime(sentAt)?.replace(" ", "T").concat("Z"),
      ip: head.ip,
      isEngage: head.is_engage === true,
      seedHex: sha256Hex(seed),
      groupTypes: this.#state.groupTypes,
      groupUpdates: this.groupUpdates,
      warnings: this.warnings,
    }
  }

  #wantedOf(projectId: number): Set<string> {
    let ids = this.#wanted.get(projectId)
    if (ids === undefined) {
      ids = new Set()
      this.#wanted.set(projectId, ids)
    }
    return ids
  }
}

function newDraft(
  raw: JsonObject,
  { index, record, receivedAt }: { index: number; record: RecordContext; receivedAt: string },
): Draft {
  return {
    raw,
    index,
    project_id: record.project.id,
    uuid: "",
    event: "",
    distinct_id: "",
    timestamp: receivedAt,
    received_at: receivedAt,
    is_personless: false,
    elements_chain: "",
    properties: {},
  }
}

function runSteps(draft: Draft, record: RecordContext): DropReason | undefined {
  for (let index = 0; index < STEPS.length; index++) {
    const reason = (STEPS[index] as Step)(draft, record)
    if (reason !== undefined) return reason
  }
  return undefined
}

function rowOf(draft: Draft, person: EventPerson, snapshotIds: readonly number[]): EventRow {
  const { snapshot } = person
  return {
    project_id: draft.project_id,
    uuid: draft.uuid,
    event: draft.event,
    timestamp: draft.timestamp,
    distinct_id: draft.distinct_id,
    person_id: person.uuid,
    snapshot_id:
      snapshot === null || snapshot >= 0 ? snapshot : (snapshotIds[-1 - snapshot] as number),
    received_at: draft.received_at,
    elements_chain: draft.elements_chain,
    properties: draft.properties,
  }
}
