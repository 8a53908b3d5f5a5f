/** What capture did since the start, as plain numbers; `/metrics` reads them. */
import { DROP_REASONS, type DropReason, REFUSAL_REASONS, type RefusalReason } from "./refusal.ts"

export class CaptureCounts {
  acceptedRequestCount = 0
  acceptedEventCount = 0
  readonly refusedRequestCounts: Record<RefusalReason, number> = zeros(REFUSAL_REASONS)
  readonly droppedEventCounts: Record<DropReason, number> = zeros(DROP_REASONS)

  accept(eventCount: number): void {
    this.acceptedRequestCount += 1
    this.acceptedEventCount += eventCount
  }

  refuse(reason: RefusalReason): void {
    this.refusedRequestCounts[reason] += 1
  }

  drop(reason: DropReason, eventCount: number): void {
    this.droppedEventCounts[reason] += eventCount
  }
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
}
