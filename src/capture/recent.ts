/**
 * Requests that were appended to the log a moment ago, as they were parsed to be checked: ingestion that keeps up
 * need neither read them from disk nor parse them again. What is not here is in the log.
 */
import { exactly } from "../lib/exact-json.ts"
import type { LogPosition } from "../log/log.ts"
import { type CapturedRequest, type RecordHead, requestOf } from "./record.ts"

/** Parsed, a body takes several times its size. */
const KEPT_BYTES_MAX = 24 * 1024 * 1024

export interface ParsedBody {
  readonly value: unknown
  readonly text: string
}

interface Kept {
  readonly position: LogPosition
  /** Where the next record begins. */
  readonly next: LogPosition
  readonly head: RecordHead
  readonly body: ParsedBody
}

export interface RecentRequest {
  readonly position: LogPosition
  /** Once: whoever takes the events may change them. */
  decode(): CapturedRequest
}

export class RecentRequests {
  /** In the order of positions, as they were appended. */
  readonly #kept = new Map<LogPosition, Kept & { readonly bytes: number }>()
  #bytes = 0

  keep(one: Kept): void {
    const bytes = one.body.text.length
    if (this.#bytes + bytes > KEPT_BYTES_MAX) return
    this.#kept.set(one.position, { ...one, bytes })
    this.#bytes += bytes
  }

  /** All that follow `from` without a gap, within `maxBytes`; what is before it is forgotten. */
  take(
    from: LogPosition,
    maxBytes: number,
  ): { readonly requests: readonly RecentRequest[]; readonly next: LogPosition } {
    this.#forgetBefore(from)
    const requests: RecentRequest[] = []
    let next = from
    let bytes = 0
    for (;;) {
      const one = this.#kept.get(next)
      if (one === undefined || (bytes > 0 && bytes + one.bytes > maxBytes)) break
      this.#forget(one)
      bytes += one.bytes
      next = one.next
      const { position, head, body } = one
      requests.push({ position, decode: () => requestOf(head, exactly(body.value, body.text)) })
    }
    return { requests, next }
  }

  #forgetBefore(position: LogPosition): void {
    for (const one of this.#kept.values()) {
      if (one.position >= position) return
      this.#forget(one)
    }
  }

  #forget(one: Kept & { readonly bytes: number }): void {
    this.#kept.delete(one.position)
    this.#bytes -= one.bytes
  }
}
