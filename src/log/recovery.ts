/**
 * What a log finds in its folder when it is opened.
 *
 * 1. The names of the segment files give the order and the bounds; only the last one is read.
 * 2. The last segment is scanned. Bytes after its last valid record are a torn tail.
 * 3. A new segment is started at the end of that file, torn tail included: a position once used is never
 *    used again, and no byte is written behind bytes of which only the page cache of the past knew.
 * 4. Only then the torn tail is cut. A last segment that is empty is taken as the new one.
 */
import type { Logger } from "../lib/logger.ts"
import type { Damage } from "./damage.ts"
import type { LogFile } from "./files.ts"
import { HEADER_BYTES, type LogPosition } from "./record.ts"
import { type Gap, scanPiece } from "./scan.ts"
import { createSegment, findStart, type Place, readBytes, segmentFile } from "./segment-file.ts"
import { type Segment, Segments } from "./segments.ts"

const SCAN_CHUNK_BYTES = 1024 * 1024

export interface Recovered {
  readonly segments: Segments
  /** The last segment, open and empty; undefined if it could not be made yet. */
  readonly active: LogFile | undefined
  /** Whether there was any segment before. */
  readonly isNew: boolean
}

export interface RecoveryParts extends Place {
  readonly damage: Damage
  readonly logger: Logger
}

export async function recoverSegments(parts: RecoveryParts): Promise<Recovered> {
  const list = await listSegments(parts)
  const segments = new Segments(list)
  const last = segments.last()
  const torn = last === undefined ? undefined : await findTornTail(parts, last)
  const active = await startSegment(parts, segments)
  if (last !== undefined && torn !== undefined) {
    parts.damage.reportTorn(torn, last.start)
    if (active !== undefined) await cut(parts, last, torn.position)
  }
  return { segments, active, isNew: list.length === 0 }
}

async function listSegments({ folder, files }: Place): Promise<Segment[]> {
  const names = await files.list(folder)
  const starts = names.map(findStart).filter((start) => start !== undefined)
  starts.sort((a, b) => a - b)
  const list: Segment[] = []
  for (const [index, start] of starts.entries()) {
    const diskBytes = await files.sizeBytes(segmentFile(folder, start))
    const room = (starts[index + 1] ?? Number.POSITIVE_INFINITY) - start
    // A segment abandoned before it held anything ends a byte after its start.
    const readableBytes = room < HEADER_BYTES ? 0 : Math.min(diskBytes, room)
    list.push({ start, diskBytes, readableBytes })
  }
  return list
}

/** Scans the segment and makes what is in it durable: its last records may be known to the cache only. */
async function findTornTail(parts: RecoveryParts, segment: Segment): Promise<Gap | undefined> {
  if (segment.readableBytes === 0) return undefined
  try {
    const file = await parts.files.openToMend(segmentFile(parts.folder, segment.start))
    try {
      const torn = await scanToEnd(parts, segment, file)
      await file.sync()
      return torn
    } finally {
      await file.close()
    }
  } catch (err) {
    const place = { err, segment: segment.start }
    parts.logger.error(place, "cannot check the last segment of the log; reading it may fail too")
    return undefined
  }
}

async function scanToEnd(
  { damage }: RecoveryParts,
  { start, readableBytes }: Segment,
  file: LogFile,
): Promise<Gap | undefined> {
  const end = start + readableBytes
  let at = start
  let wantedBytes = HEADER_BYTES
  let open: Gap | undefined
  while (at < end) {
    const sizeBytes = Math.min(Math.max(SCAN_CHUNK_BYTES, wantedBytes), end - at)
    const chunk = await readBytes(file, at - start, sizeBytes)
    if (chunk.length < sizeBytes) throw new Error("the segment shrinks while it is read")
    const scan = scanPiece({ chunk, position: at, extentEnd: end, open })
    for (const gap of scan.gaps) damage.reportGap(gap, start)
    at = scan.next
    wantedBytes = scan.wantedBytes
    open = scan.open
  }
  return open
}

/** A full disk must not keep the log from being read: then the first append starts the segment. */
async function startSegment(
  parts: RecoveryParts,
  segments: Segments,
): Promise<LogFile | undefined> {
  const last = segments.last()
  const start = segments.end()
  try {
    const active = await createSegment(parts, start)
    if (last?.start !== start) segments.add({ start, readableBytes: 0, diskBytes: 0 })
    return active
  } catch (err) {
    parts.logger.error({ err, segment: start }, "cannot start a segment of the log yet")
    return undefined
  }
}

async function cut(parts: RecoveryParts, segment: Segment, end: LogPosition): Promise<void> {
  const sizeBytes = end - segment.start
  try {
    const file = await parts.files.openToMend(segmentFile(parts.folder, segment.start))
    try {
      await file.truncate(sizeBytes)
      await file.sync()
    } finally {
      await file.close()
    }
    segment.readableBytes = sizeBytes
    segment.diskBytes = sizeBytes
  } catch (err) {
    parts.logger.warn({ err, segment: segment.start }, "cannot cut the end of a segment off")
  }
}
