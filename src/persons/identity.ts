/**
 * Who an event belongs to, as data: what is loaded before a batch, what an event tells, and what a batch changes.
 */
import type { ColumnarTime, OverrideRow } from "../columnar/engine.ts"
import type { JsonObject } from "../lib/json.ts"

export interface PersonState {
  /** Primary key once stored. */
  readonly id: number | undefined
  readonly uuid: string
  /** 0 = not stored yet. */
  readonly version: number
  readonly created_at: ColumnarTime
  readonly is_identified: boolean
  readonly properties: JsonObject
  /** Of their JSON. */
  readonly properties_bytes: number
  /** Of `properties`, once stored. */
  readonly snapshot_id: number | undefined
  /** There was no room for its properties, so that nothing about it can change. */
  readonly is_unread?: true
}

/** State as it was before the batch, for every id that `distinctIdsOf` named. */
export interface LoadedPersons {
  find(projectId: number, distinctId: string): PersonState | undefined
  /** The uuid that a person gets who starts with this distinct id, and that its personless events have. */
  baseUuid(projectId: number, distinctId: string): string
}

/** A stored snapshot's id (>= 0), or `-1 - index` into `IdentityChanges.snapshots` for a new one. */
export type SnapshotHandle = number

/** A person's state at the end of the batch. */
export interface PersonChange {
  readonly project_id: number
  readonly id: number | undefined
  readonly uuid: string
  /** The version that was loaded: 0 for a created person. The new one is one more. */
  readonly base_version: number
  readonly created_at: ColumnarTime
  readonly is_identified: boolean
  readonly properties: JsonObject
  readonly properties_bytes: number
  readonly snapshot: SnapshotHandle
}

export interface DistinctIdChange {
  readonly project_id: number
  readonly distinct_id: string
  /** Of the person it belongs to at the end of the batch. */
  readonly uuid: string
}

/** The distinct ids of `from` move to `into`, then `from` is deleted. Only persons that were stored. */
export interface PersonMerge {
  readonly project_id: number
  readonly from: string
  readonly from_id: number | undefined
  readonly from_version: number
  /** The survivor at the end of the batch. */
  readonly into: string
}

export interface NewSnapshot {
  readonly project_id: number
  readonly person_id: string
  readonly properties: JsonObject
}

export interface IngestionWarning {
  readonly project_id: number
  readonly type: string
  readonly details: JsonObject
}

export interface IdentityChanges {
  readonly created: readonly PersonChange[]
  readonly updated: readonly PersonChange[]
  readonly attached: readonly DistinctIdChange[]
  readonly merged: readonly PersonMerge[]
  /** Of every merged person, and of the base uuid of each distinct id that joined a person of another uuid. */
  readonly overrides: readonly OverrideRow[]
  /** In order of their handles. */
  readonly snapshots: readonly NewSnapshot[]
  readonly warnings: readonly IngestionWarning[]
}

/** What identity needs to know of an event. */
export interface IdentityEvent {
  readonly project_id: number
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: ColumnarTime
  readonly properties: JsonObject
  /** Its sender asked for no person profile. */
  readonly is_personless: boolean
}

/** The person of an event. Final once `changes` was called: then the uuid is the survivor's. */
export interface EventPerson {
  readonly uuid: string
  /** Null for personless events. */
  readonly snapshot: SnapshotHandle | null
}
