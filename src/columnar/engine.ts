/**
 * The columnar port: what every engine must do. Events, copies of persons and groups, and overrides of merged
 * persons go in; rows of a query tree come out. No caller knows which engine runs.
 */
import type { JsonObject } from "../lib/json.ts"
import type { Query } from "../query/tree.ts"

/** UTC, "2026-01-02 03:04:05.678901": what engines read without a time zone. */
export type ColumnarTime = string

export interface EventRow {
  readonly project_id: number
  readonly uuid: string
  readonly event: string
  readonly timestamp: ColumnarTime
  readonly distinct_id: string
  readonly person_id: string
  /** The person's state right after this event; null for events without a person. */
  readonly snapshot_id: number | null
  readonly received_at: ColumnarTime
  readonly elements_chain: string
  readonly properties: JsonObject
}

/** A person as it is now. `id` is the number the API shows. */
export interface PersonRow {
  readonly project_id: number
  readonly id: number
  readonly uuid: string
  readonly version: number
  readonly snapshot_id: number
  readonly is_identified: boolean
  readonly created_at: ColumnarTime
  readonly properties: JsonObject
}

/** A state that events refer to; outlives the person's later states, not the person. */
export interface SnapshotRow {
  readonly project_id: number
  readonly snapshot_id: number
  readonly person_id: string
  readonly properties: JsonObject
}

export interface GroupRow {
  readonly project_id: number
  readonly group_type_index: number
  readonly group_key: string
  readonly version: number
  readonly created_at: ColumnarTime
  readonly properties: JsonObject
}

/** Events of `old_person_id` belong to `person_id`. Later rows win; chains are followed when written. */
export interface OverrideRow {
  readonly project_id: number
  readonly old_person_id: string
  readonly person_id: string
}

export interface LogMark {
  readonly log_id: string
  /** Everything before it is in the store. */
  readonly position: number
}

/** One transaction's worth. Rows older than what is stored (by `version`) change nothing. */
export interface ColumnarBatch {
  readonly events: readonly EventRow[]
  readonly persons: readonly PersonRow[]
  readonly snapshots: readonly SnapshotRow[]
  readonly groups: readonly GroupRow[]
  readonly overrides: readonly OverrideRow[]
  /** Persons merged away. Their snapshots stay: events refer to them. */
  readonly merged: readonly { readonly project_id: number; readonly uuid: string }[]
  readonly mark: LogMark
}

/** A batch that is safe on this node's disk, so that appending it can be repeated after a crash. */
export interface PreparedBatch {
  readonly mark: LogMark
  readonly folder: string
}

/** What a write endpoint changes at once. */
export interface ColumnarChange {
  readonly persons?: readonly PersonRow[]
  readonly snapshots?: readonly SnapshotRow[]
  readonly groups?: readonly GroupRow[]
  readonly events?: readonly EventRow[]
  /** Gone with their snapshots; their events stay and keep the person's uuid, overrides included. */
  readonly removed_persons?: readonly { readonly project_id: number; readonly uuid: string }[]
  /** Only their copies go. Their snapshots stay: events refer to them. */
  readonly merged?: readonly { readonly project_id: number; readonly uuid: string }[]
  /** Events of `distinct_id` that belong to `from` (overrides included) move to `to`. */
  readonly moved?: readonly {
    readonly project_id: number
    readonly distinct_id: string
    readonly from: string
    readonly to: string
  }[]
}

/** Where a change stands among all that are recorded. */
export interface ChangeId {
  readonly id: number
  /** Changes with smaller ids are never applied again. */
  readonly settledBefore: number
}

export interface EventDeletion {
  readonly project_id: number
  /** Stored with this person or merged into it; without it, of the whole project with all copies. */
  readonly person_id?: string
  /** Only events that happened or were received at or before. */
  readonly until: ColumnarTime
}

export interface SquashOptions {
  /** Persons whose events keep them for now, asked while no merge can come in. */
  readonly keep?: () => Promise<readonly { project_id: number; person_id: string }[]>
}

/** The largest numbers in use; 0 where there is none. */
export interface MaxIds {
  readonly person: number
  readonly snapshot: number
  /** Of changes that are remembered as applied. */
  readonly change: number
}

/** A set of persons that queries can ask about. */
export interface CohortKey {
  readonly project_id: number
  readonly cohort_id: number
}

/** Uuids of persons. */
export interface MemberChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

export interface QueryLimits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export type Row = Readonly<Record<string, unknown>>

export interface ColumnarEngine extends AsyncDisposable {
  /** Grows with every change of what queries see; undefined where other processes change it too. */
  readonly changeCount: number | undefined
  /** Makes or upgrades the tables; answers what it did. */
  migrate(): Promise<readonly string[]>
  /** How far a log is stored. */
  findPosition(logId: string): Promise<number | undefined>
  prepare(batch: ColumnarBatch): Promise<PreparedBatch>
  append(prepared: PreparedBatch): Promise<void>
  /** What a crash left prepared, oldest first. */
  listPrepared(logId: string): Promise<readonly PreparedBatch[]>
  discard(prepared: PreparedBatch): Promise<void>
  /** With an id, a change that was applied before is skipped; without, twice may differ from once. */
  apply(change: ColumnarChange, id?: ChangeId): Promise<void>
  /** For sequences that an older backup set back: new numbers must be above these. */
  findMaxIds(): Promise<MaxIds>
  rows(query: Query, limits: QueryLimits): Promise<readonly Row[]>
  /** Pages of rows, as they come. */
  stream(query: Query, limits: QueryLimits): AsyncIterable<readonly Row[]>
  /**
   * The members become exactly what the query answers (one column of uuids), or these persons; who reads sees
   * the ones before or the ones after. Of a query's, only persons that are there and not merged away are kept.
   * Answers how many there are.
   */
  replaceCohortMembers(
    cohort: CohortKey,
    members: Query | readonly string[],
    limits: QueryLimits,
  ): Promise<number>
  /** Persons that join and leave; who does both leaves. Answers how many there are. */
  changeCohortMembers(cohort: CohortKey, change: MemberChange): Promise<number>
  removeCohort(cohort: CohortKey): Promise<void>
  /** Writes overrides into the events they concern; answers how many rows changed. */
  squashOverrides(options?: SquashOptions): Promise<number>
  /** Gives frequent properties columns of their own; answers the keys that got one. */
  promoteProperties(): Promise<readonly string[]>
  deleteEvents(deletions: readonly EventDeletion[]): Promise<number>
  /** Rewrites the store so that nothing deleted is left in any file, and gives the space back. */
  compact(): Promise<void>
  /** A consistent copy while everything goes on, of the moment when `onBegun` is called. */
  backup(folder: string, onBegun?: () => void): Promise<void>
  close(): Promise<void>
}
