/**
 * The segment being written, and what happens to it when the disk fails:
 *
 * 1. A write fails: what may have been written is cut off, and the segment goes on.
 * 2. The cut fails, or a sync does: the segment is abandoned. After a failed sync the page cache may show
 *    bytes that the disk will never have, so nothing more is built on this file. The next append starts a
 *    segment at the position after the last durable record, which hides the rest of the old one.
 * 3. Starting a segment fails: the old one stays abandoned all the same, because the new name may be on disk.
 */
import type { Logger } from "../lib/logger.ts"
import { withoutFirst } from "./batch.ts"
import type { LogFile } from "./files.ts"
import { createSegment, type Place } from "./segment-file.ts"
import type { Segment, Segments } from "./segments.ts"

export interface ActiveParts extends Place {
  readonly segments: Segments
  readonly logger: Logger
  /** The last of the segments, open and empty, if recovery could make one. */
  readonly active: LogFile | undefined
}

export class ActiveSegment {
  readonly #parts: ActiveParts
  #file: LogFile | undefined

  constructor(parts: ActiveParts) {
    this.#parts = parts
    this.#file = parts.active
  }

  /** Durable bytes in it, or undefined when it is abandoned. */
  sizeBytes(): number | undefined {
    return this.#file === undefined ? undefined : this.#parts.segments.last()?.readableBytes
  }

  /** Starts the next segment. */
  async roll(atLeast = 0): Promise<void> {
    const { segments, logger } = this.#parts
    const old = this.#file
    this.#file = undefined
    await old
      ?.close()
      .catch((err: unknown) => logger.warn({ err }, "cannot close a segment of the log"))
    const last = segments.last()
    // A segment abandoned before it held anything has the name that the next one would get.
    const free = Math.max(segments.end(), last === undefined ? 0 : last.start + 1)
    const start = Math.max(free, atLeast)
    this.#file = await createSegment(this.#parts, start)
    segments.add({ start, readableBytes: 0, diskBytes: 0 })
  }

  /** Returns when all the bytes are durable; after an error none of them count. */
  async write(parts: readonly Uint8Array[], bytes: number): Promise<void> {
    const file = this.#file
    const segment = this.#parts.segments.last()
    if (file === undefined || segment === undefined) throw new Error("no segment is open")
    try {
      await writeAll(file, { parts, bytes, offset: segment.readableBytes })
    } catch (error) {
      if (!(await this.#cutBack(file, segment, bytes))) await this.#abandon(file, segment)
      throw error
    }
    try {
      await file.syncData()
    } catch (error) {
      await this.#cutBack(file, segment, bytes)
      await this.#abandon(file, segment)
      throw error
    }
    segment.readableBytes += bytes
    segment.diskBytes = segment.readableBytes
  }

  async close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }

  async #cutBack(file: LogFile, segment: Segment, triedBytes: number): Promise<boolean> {
    try {
      await file.truncate(segment.readableBytes)
      segment.diskBytes = segment.readableBytes
      return true
    } catch {
      segment.diskBytes = segment.readableBytes + triedBytes
      return false
    }
  }

  async #abandon(file: LogFile, segment: Segment): Promise<void> {
    this.#file = undefined
    const place = { segment: segment.start, offset: segment.readableBytes }
    this.#parts.logger.error(place, "a segment of the log is left after a failed write or sync")
    await file.close().catch(() => undefined)
  }
}

interface Write {
  readonly parts: readonly Uint8Array[]
  readonly bytes: number
  readonly offset: number
}

async function writeAll(file: LogFile, { parts, bytes, offset }: Write): Promise<void> {
  let rest = parts
  let writtenBytes = 0
  while (writtenBytes < bytes) {
    const count = await file.write(rest, offset + writtenBytes)
    if (count <= 0) throw new Error("the disk took no bytes")
    writtenBytes += count
    if (writtenBytes < bytes) rest = withoutFirst(rest, count)
  }
}
