/**
 * One record on disk: a header of 24 bytes, then the payload.
 *
 * | bytes | what                                                             |
 * |-------|------------------------------------------------------------------|
 * | 4     | mark, to find the next record after damage                       |
 * | 4     | length of the payload                                            |
 * | 8     | position of the record: moved or stale bytes are never a record  |
 * | 4     | CRC-32C of the payload                                           |
 * | 4     | CRC-32C of the 20 bytes before                                   |
 *
 * Numbers are little-endian. The header has a checksum of its own, so that a damaged payload is skipped by
 * its length, and so that a search for the next record never has to add up a payload on a guess.
 */
import { crc32c } from "./crc32c.ts"

/** Byte offset in the whole log since its beginning; positions only grow. A safe integer. */
export type LogPosition = number

export interface LogRecord {
  readonly position: LogPosition
  /** Where to read on. */
  readonly next: LogPosition
  readonly payload: Buffer
}

export const HEADER_BYTES = 24

/** Where the record after this one begins, unless the log was closed or failed in between. */
export function positionAfter(position: LogPosition, payload: readonly Uint8Array[]): LogPosition {
  return payload.reduce((end, part) => end + part.length, position + HEADER_BYTES)
}
export const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024
/** No UTF-8 text holds 0xff or 0xfe: payloads of text cannot look like a record's beginning. */
export const MARK = Buffer.from([0xff, 0x48, 0x52, 0xfe])
const MARK_NUMBER = MARK.readUInt32LE()

const LENGTH_AT = 4
const POSITION_AT = 8
const PAYLOAD_CRC_AT = 16
const HEADER_CRC_AT = 20
const TWO_TO_32 = 2 ** 32

export interface Header {
  readonly position: LogPosition
  readonly payloadBytes: number
  readonly payloadCrc: number
}

/** Writes the header into `target` at `offset`. */
export function writeHeader(target: Buffer, offset: number, header: Header): void {
  target.writeUInt32LE(MARK_NUMBER, offset)
  target.writeUInt32LE(header.payloadBytes, offset + LENGTH_AT)
  target.writeUInt32LE(header.position % TWO_TO_32, offset + POSITION_AT)
  target.writeUInt32LE(Math.floor(header.position / TWO_TO_32), offset + POSITION_AT + 4)
  target.writeUInt32LE(header.payloadCrc, offset + PAYLOAD_CRC_AT)
  const crc = crc32c(target.subarray(offset, offset + HEADER_CRC_AT))
  target.writeUInt32LE(crc, offset + HEADER_CRC_AT)
}

/** The header at `offset`, if one of a record at just this position is there, whole. */
export function findHeader(
  source: Buffer,
  offset: number,
  position: LogPosition,
): Header | undefined {
  if (source.readUInt32LE(offset) !== MARK_NUMBER) return undefined
  const high = source.readUInt32LE(offset + POSITION_AT + 4)
  const written = high * TWO_TO_32 + source.readUInt32LE(offset + POSITION_AT)
  if (written !== position) return undefined
  const crc = crc32c(source.subarray(offset, offset + HEADER_CRC_AT))
  if (crc !== source.readUInt32LE(offset + HEADER_CRC_AT)) return undefined
  const payloadBytes = source.readUInt32LE(offset + LENGTH_AT)
  if (payloadBytes > MAX_PAYLOAD_BYTES) return undefined
  return { position, payloadBytes, payloadCrc: source.readUInt32LE(offset + PAYLOAD_CRC_AT) }
}

/** The checksum of a payload given in parts. */
export function payloadCrc(parts: readonly Uint8Array[]): number {
  let crc = 0
  for (const part of parts) crc = crc32c(part, crc)
  return crc
}
