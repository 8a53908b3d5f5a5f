/** When the event happened, told by the server's clock: what the client's clock is off by is taken out. */
import { textOf, toStorable, truncate } from "../../lib/text.ts"
import type { DropReason } from "../drop-reasons.ts"
import { type Draft, type RecordContext, warn } from "./draft.ts"
import { EPOCH_TIME, findColumnarTime, type Moment } from "./moment.ts"
import { findMoment } from "./parse-moment.ts"

/** Time zones mistaken for UTC reach this far ahead; what is further is a broken clock. */
const FUTURE_MS_MAX = 23 * 3_600_000

/** Of a timestamp that is none. */
const SHOWN_CHARACTERS_MAX = 100

export function stampTime(draft: Draft, record: RecordContext): DropReason | undefined {
  const moment = momentOf(draft, record)
  const isTooLate = moment.ms - record.receivedAt.ms > FUTURE_MS_MAX
  draft.timestamp = isTooLate ? draft.received_at : (findColumnarTime(moment) ?? EPOCH_TIME)
  return undefined
}

function momentOf(draft: Draft, record: RecordContext): Moment {
  const { receivedAt, sentAt } = record
  const { offset, timestamp } = draft.raw
  if (typeof offset === "number") return { ms: receivedAt.ms - Math.round(offset), micros: 0 }
  if (timestamp === undefined || timestamp === null) return receivedAt
  const given = findMoment(timestamp)
  if (given === undefined) {
    const details = { timestamp: toStorable(truncate(textOf(timestamp), SHOWN_CHARACTERS_MAX)) }
    warn(draft, record, { type: "ignored_invalid_timestamp", details })
    return receivedAt
  }
  if (sentAt === undefined || isTrue(draft.properties.$ignore_sent_at)) return given
  const micros = receivedAt.micros - sentAt.micros + given.micros
  const carriedMs = Math.floor(micros / 1000)
  return {
    ms: receivedAt.ms - (sentAt.ms - given.ms) + carriedMs,
    micros: micros - carriedMs * 1000,
  }
}

function isTrue(value: unknown): boolean {
  return value === true || value === "true" || value === 1
}
