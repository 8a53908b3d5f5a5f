/** A person as the API knows it, and the rows that tell the columnar store about one. */
import type {
  ColumnarChange,
  ColumnarTime,
  EventRow,
  PersonRow,
  SnapshotRow,
} from "../columnar/engine.ts"
import { newUuid } from "../lib/ids.ts"
import type { JsonObject } from "../lib/json.ts"

export interface Person {
  readonly project_id: number
  readonly id: number
  readonly uuid: string
  readonly version: number
  readonly snapshot_id: number
  readonly is_identified: boolean
  /** As the API sends it. */
  readonly created_at: string
  readonly properties: JsonObject
  /** In order of arrival; of very many, the first. */
  readonly distinct_ids: readonly string[]
}

/** "2026-01-02T03:04:05Z", with or without a fraction → "2026-01-02 03:04:05.000000". */
export function columnarTime(wire: string): ColumnarTime {
  const [whole = "", fraction = ""] = wire.replace("T", " ").replace("Z", "").split(".")
  return `${whole}.${fraction.padEnd(6, "0")}`
}

/** What the person is now, for the next read of any endpoint. */
export function stateOf(person: Person): Required<Pick<ColumnarChange, "persons" | "snapshots">> {
  return { persons: [personRowOf(person)], snapshots: [snapshotRowOf(person)] }
}

export function personRowOf(person: Person): PersonRow {
  const { project_id, id, uuid, version, snapshot_id, is_identified, properties } = person
  const created_at = columnarTime(person.created_at)
  return { project_id, id, uuid, version, snapshot_id, is_identified, created_at, properties }
}

export function snapshotRowOf({ project_id, snapshot_id, uuid, properties }: Person): SnapshotRow {
  return { project_id, snapshot_id, person_id: uuid, properties }
}

export interface NewEvent {
  readonly event: string
  readonly properties: JsonObject
  readonly now: Date
}

/** An event that the API emits for a person, in the state it has afterwards. */
export function eventRowOf(person: Person, { event, properties, now }: NewEvent): EventRow {
  const timestamp = columnarTime(now.toISOString())
  return {
    project_id: person.project_id,
    uuid: newUuid(),
    event,
    timestamp,
    distinct_id: person.distinct_ids[0] ?? person.uuid,
    person_id: person.uuid,
    snapshot_id: person.snapshot_id,
    received_at: timestamp,
    elements_chain: "",
    properties,
  }
}
