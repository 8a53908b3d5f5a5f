/** An event on its way through the steps. Steps change it in place: a copy for each would be most of their cost. */
import type { ColumnarTime } from "../../columnar/engine.ts"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import type { IdentityEvent, IngestionWarning } from "../../persons/identity.ts"
import type { DropReason } from "../drop-reasons.ts"
import type { GroupTypes } from "./group-types.ts"
import type { GroupUpdates } from "./group-updates.ts"
import type { Moment } from "./moment.ts"

export interface Draft extends IdentityEvent {
  /** As the client sent it. Its properties are the draft's own. */
  readonly raw: JsonObject
  /** Its place in the record. */
  readonly index: number
  readonly project_id: number
  uuid: string
  event: string
  distinct_id: string
  timestamp: ColumnarTime
  is_personless: boolean
  elements_chain: string
  properties: Record<string, JsonValue>
  readonly received_at: ColumnarTime
}

/** What the events of one record share. */
export interface RecordContext {
  readonly project: IngestProject
  readonly receivedAt: Moment
  readonly sentAt: Moment | undefined
  /** The same as events keep it. */
  readonly sentAtText: string | undefined
  readonly ip: string | null
  /** `/engage`: an event without a name identifies. */
  readonly isEngage: boolean
  /** Hexadecimal, of this record and no other. */
  readonly seedHex: string
  readonly groupTypes: GroupTypes
  readonly groupUpdates: GroupUpdates
  readonly warnings: IngestionWarning[]
}

/** The settings of a project that ingestion heeds. */
export interface IngestProject {
  readonly id: number
  readonly anonymize_ips: boolean
}

/** Passes the event on, or says why it ends here. */
export type Step = (draft: Draft, record: RecordContext) => DropReason | undefined

export function warn(draft: Draft, record: RecordContext, warning: Warning): void {
  const { uuid, event, distinct_id } = draft
  const about = { event_uuid: uuid, event, distinct_id }
  const details = { ...about, ...warning.details }
  record.warnings.push({ project_id: record.project.id, type: warning.type, details })
}

interface Warning {
  readonly type: string
  readonly details?: JsonObject
}
