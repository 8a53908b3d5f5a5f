/** Reads durable records, also while others are appended. Damage is skipped, counted and reported. */
import { isErrno } from "../lib/system-error.ts"
import type { Damage } from "./damage.ts"
import type { LogFile } from "./files.ts"
import { HEADER_BYTES, type LogPosition, type LogRecord, MAX_PAYLOAD_BYTES } from "./record.ts"
import { type Gap, scanPiece } from "./scan.ts"
import { type Place, readBytes, segmentFile } from "./segment-file.ts"
import type { Segment, Segments } from "./segments.ts"

export interface LogRead {
  readonly records: LogRecord[]
  /** Where to read on. */
  readonly next: LogPosition
}

export interface ReaderParts extends Place {
  readonly segments: Segments
  readonly damage: Damage
}

interface Extent {
  readonly segment: Segment
  readonly from: LogPosition
  readonly end: LogPosition
  readonly maxBytes: number
}

export class Reader {
  readonly #parts: ReaderParts

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  async read(from: LogPosition, maxBytes: number): Promise<LogRead> {
    const { segments } = this.#parts
    const boundedBytes = Math.min(Math.max(maxBytes, HEADER_BYTES), MAX_PAYLOAD_BYTES)
    let at = from
    for (;;) {
      const segment = segments.findAt(at)
      if (segment === undefined) return { records: [], next: Math.max(at, segments.end()) }
      const found = await this.#readSegment({
        segment,
        from: Math.max(at, segment.start),
        end: segment.start + segment.readableBytes,
        maxBytes: boundedBytes,
      })
      if (found.records.length > 0) return found
      at = found.next
    }
  }

  /** Records of one segment; none only if there is none up to its end. */
  async #readSegment(extent: Extent): Promise<LogRead> {
    const { files, folder, segments, damage } = this.#parts
    const { segment, from, end } = extent
    let file: LogFile
    try {
      file = await files.openToRead(segmentFile(folder, segment.start))
    } catch (error) {
      if (!isErrno(error, "ENOENT")) throw error
      // Released meanwhile, or taken away by someone else.
      const isReleased = segments.start() > segment.start
      if (!isReleased) damage.reportGap(lostBytes(from, end), segment.start)
      return { records: [], next: end }
    }
    try {
      return await this.#readFile(file, extent)
    } finally {
      await file.close()
    }
  }

  async #readFile(file: LogFile, { segment, from, end, maxBytes }: Extent): Promise<LogRead> {
    const { damage } = this.#parts
    let at = from
    let wantedBytes = HEADER_BYTES
    let open: Gap | undefined
    while (at < end) {
      const sizeBytes = Math.min(Math.max(maxBytes, wantedBytes), end - at)
      const chunk = await readBytes(file, at - segment.start, sizeBytes)
      const isCutShort = chunk.length < sizeBytes
      const extentEnd = isCutShort ? at + chunk.length : end
      const scan = scanPiece({ chunk, position: at, extentEnd, open })
      for (const gap of scan.gaps) damage.reportGap(gap, segment.start)
      const isAllSeen = scan.next >= extentEnd
      if (isAllSeen && scan.open !== undefined) damage.reportGap(scan.open, segment.start)
      if (isAllSeen && isCutShort) damage.reportGap(lostBytes(extentEnd, end), segment.start)
      const last = scan.records.at(-1)
      if (isAllSeen) return { records: scan.records, next: end }
      // A gap that is not over yet is left to the next read, which then sees all of it.
      if (last !== undefined) return { records: scan.records, next: last.next }
      at = scan.next
      wantedBytes = scan.wantedBytes
      open = scan.open
    }
    return { records: [], next: end }
  }
}

function lostBytes(from: LogPosition, end: LogPosition): Gap {
  return { position: from, bytes: end - from, records: 1 }
}
