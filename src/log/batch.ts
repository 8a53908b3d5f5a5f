/** Appends that are written together, and the bytes they become. */
import { HEADER_BYTES, type LogPosition, writeHeader } from "./record.ts"

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

/** The payloads stay where they are: only the headers are new bytes. */
export function encodeBatch(appends: readonly Append[], start: LogPosition): EncodedBatch {
  const headers = Buffer.allocUnsafe(HEADER_BYTES * appends.length)
  const parts: Uint8Array[] = []
  const positions: LogPosition[] = []
  let position = start
  for (const [index, append] of appends.entries()) {
    const offset = index * HEADER_BYTES
    writeHeader(headers, offset, { ...append, position })
    parts.push(headers.subarray(offset, offset + HEADER_BYTES), ...append.parts)
    positions.push(position)
    position += recordBytes(append)
  }
  return { parts, positions, bytes: position - start }
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
