/** What the load did, as it is handed over when it has ended. */
import type { JsonObject } from "../../src/lib/json.ts"

export interface SentEvent {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  /** Without one, the server's own time counts. */
  readonly timestamp?: string
  readonly properties: JsonObject
}

/** Ids that only this group's events name; they are sent one request after the other, so their order is known. */
export type Household = string

export interface SentRequest {
  readonly household: Household
  readonly events: readonly SentEvent[]
  /** How often it went out without an answer of 200: each time it may or may not have been kept. */
  readonly unansweredCount: number
  /** Answered 200 in the end; else given up. */
  readonly isAcked: boolean
}

export interface Journal {
  /** Of each household in order. */
  readonly requests: readonly SentRequest[]
  readonly statusCounts: Readonly<Record<string, number>>
  readonly slowestAckMs: number
}
