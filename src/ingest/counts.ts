/** What ingestion did since the start, as plain numbers; `/metrics` reads them. */
import { DROP_REASONS, type DropReason } from "./drop-reasons.ts"

export class IngestCounts {
  storedEventCount = 0
  batchCount = 0
  /** Batches that ran again because a person changed meanwhile. */
  conflictCount = 0
  /** Attempts that failed because a store was away or full. */
  failureCount = 0
  /** Records that no attempt could take; they are kept aside. */
  quarantinedRecordCount = 0
  readonly droppedEventCounts = Object.fromEntries(
    DROP_REASONS.map((reason) => [reason, 0]),
  ) as Record<DropReason, number>
}
