/** Appends that are written together, and the bytes they become. */
import { HEADER_BYTES, type LogPosition, writeHeader } from "./record.ts"

const LARGE_PART_BYTES = 8_192

export interface Append {
  readonly parts: readonly Uint8Array[]
  readonly payloadBytes: number
  readonly payloadCrc: number
  readonly resolve: (position: LogPosition) => void
  readonly reject: (error: Error) => void
}

export interface EncodedBatch {
  readonly parts: Uint8Array[]
  readonly positions: LogPosition[]
  readonly bytes: number
}

export function recordBytes({ payloadBytes }: Append): number {
  return HEADER_BYTES + payloadBytes
}

/** How many of the first appends fit in so many bytes; at least one. */
export function countFitting(appends: readonly Append[], maxBytes: number): number {
  let bytes = 0
  for (const [index, append] of appends.entries()) {
    bytes += recordBytes(append)
    if (bytes > maxBytes) return Math.max(1, index)
  }
  return appends.length
}

/**
 * Headers and small parts are gathered in one buffer, large parts stay where they are: handing a buffer to the
 * system costs more than copying a few thousand bytes.
 */
export function encodeBatch(appends: readonly Append[], start: LogPosition): EncodedBatch {
  const gathered = Buffer.allocUnsafeSlow(gatheredBytes(appends))
  const parts: Uint8Array[] = []
  const positions: LogPosition[] = []
  let position = start
  let from = 0
  let to = 0
  for (const append of appends) {
    const { payloadBytes, payloadCrc } = append
    writeHeader(gathered, to, { position, payloadBytes, payloadCrc })
    to += HEADER_BYTES
    for (const part of append.parts) {
      if (part.length < LARGE_PART_BYTES) {
        gathered.set(part, to)
        to += part.length
      } else {
        parts.push(gathered.subarray(from, to), part)
        from = to
      }
    }
    positions.push(position)
    position += HEADER_BYTES + payloadBytes
  }
  if (from < to) parts.push(gathered.subarray(from, to))
  return { parts, positions, bytes: position - start }
}

function gatheredBytes(appends: readonly Append[]): number {
  let bytes = 0
  for (const { parts } of appends) {
    bytes += HEADER_BYTES
    for (const { length } of parts) if (length < LARGE_PART_BYTES) bytes += length
  }
  return bytes
}

/** What is left to write after the first `writtenBytes`. */
export function withoutFirst(parts: readonly Uint8Array[], writtenBytes: number): Uint8Array[] {
  let skip = writtenBytes
  const rest: Uint8Array[] = []
  for (const part of parts) {
    if (skip < part.length) rest.push(skip > 0 ? part.subarray(skip) : part)
    skip = Math.max(0, skip - part.length)
  }
  return rest
}
