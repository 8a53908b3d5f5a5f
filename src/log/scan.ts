/**
 * Finds the records in a piece of a segment. Pure. What is no record is a gap: a record whose payload does
 * not match its checksum, or bytes among which the next mark with a valid header has to be searched.
 */
import { crc32c } from "./crc32c.ts"
import { findHeader, HEADER_BYTES, type LogPosition, type LogRecord, MARK } from "./record.ts"

export interface Gap {
  readonly position: LogPosition
  readonly bytes: number
  /** How many records were in it, as far as can be told: at least one. */
  readonly records: number
}

export interface Piece {
  /** Bytes of the log from `position` on. */
  readonly chunk: Buffer
  readonly position: LogPosition
  /** Where the readable bytes of the segment end: no record reaches beyond. */
  readonly extentEnd: LogPosition
  /** The gap that ends at `position`, if the piece before this one ended in one. */
  readonly open?: Gap | undefined
}

export interface Scan {
  readonly records: LogRecord[]
  /** Gaps that a record follows. */
  readonly gaps: Gap[]
  /** The gap that ends at `next`, without a record after it yet. */
  readonly open: Gap | undefined
  /** Where the next piece has to begin; `extentEnd` when all is seen. */
  readonly next: LogPosition
  /** How many bytes the next piece must have at least. */
  readonly wantedBytes: number
}

export function scanPiece({ chunk, position, extentEnd, open }: Piece): Scan {
  const records: LogRecord[] = []
  const gaps: Gap[] = []
  let gap = open
  let at = position
  let wantedBytes = HEADER_BYTES
  while (at < extentEnd) {
    const step = stepAt({ chunk, position, extentEnd }, at)
    if ("wantedBytes" in step) {
      wantedBytes = step.wantedBytes
      break
    }
    if (step.payload === undefined) {
      gap = widened(gap, { position: at, bytes: step.next - at, isRecord: step.isRecord })
    } else {
      if (gap !== undefined) gaps.push(gap)
      gap = undefined
      records.push({ position: at, next: step.next, payload: step.payload })
    }
    at = step.next
  }
  return { records, gaps, open: gap, next: at, wantedBytes }
}

type Step =
  | { readonly wantedBytes: number }
  | { readonly next: LogPosition; readonly payload: Buffer }
  | { readonly next: LogPosition; readonly payload: undefined; readonly isRecord: boolean }

function stepAt({ chunk, position, extentEnd }: Piece, at: LogPosition): Step {
  const offset = at - position
  if (at + HEADER_BYTES > extentEnd) return { next: extentEnd, payload: undefined, isRecord: false }
  if (offset + HEADER_BYTES > chunk.length) return { wantedBytes: HEADER_BYTES }
  const header = findHeader(chunk, offset, at)
  const recordBytes = HEADER_BYTES + (header?.payloadBytes ?? 0)
  if (header === undefined || at + recordBytes > extentEnd) {
    return { next: position + nextMark(chunk, offset + 1), payload: undefined, isRecord: false }
  }
  if (offset + recordBytes > chunk.length) return { wantedBytes: recordBytes }
  const payload = chunk.subarray(offset + HEADER_BYTES, offset + recordBytes)
  const next = at + recordBytes
  if (crc32c(payload) === header.payloadCrc) return { next, payload }
  return { next, payload: undefined, isRecord: true }
}

/** Where the search goes on: at the next mark, or where one may begin that the chunk does not hold whole. */
function nextMark(chunk: Buffer, from: number): number {
  const found = chunk.indexOf(MARK, from)
  return found >= 0 ? found : Math.max(from, chunk.length - MARK.length + 1)
}

interface Skipped {
  readonly position: LogPosition
  readonly bytes: number
  readonly isRecord: boolean
}

/** Searching moves in many steps through what may have been one record: they count once. */
function widened(gap: Gap | undefined, { position, bytes, isRecord }: Skipped): Gap {
  if (gap === undefined) return { position, bytes, records: 1 }
  return { ...gap, bytes: gap.bytes + bytes, records: gap.records + (isRecord ? 1 : 0) }
}
