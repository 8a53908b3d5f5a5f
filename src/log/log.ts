/**
 * The write-ahead log: an append-only sequence of opaque records on disk, in segments. What `append`
 * resolved for survives a crash; what it rejected may or may not be there after one, and never harms the
 * reading of the rest. One process owns a folder.
 */
import { mkdir } from "node:fs/promises"
import path from "node:path"
import { Closer } from "../lib/closer.ts"
import { openLockFile } from "../lib/lock-file.ts"
import type { Logger } from "../lib/logger.ts"
import { Damage, type DamageCounts } from "./damage.ts"
import { EndWaiters } from "./end-waiters.ts"
import { type LogFiles, nodeFiles } from "./files.ts"
import { loadIdentity } from "./identity.ts"
import { type LogRead, Reader } from "./reader.ts"
import type { LogPosition } from "./record.ts"
import { recoverSegments } from "./recovery.ts"
import { type Place, segmentFile } from "./segment-file.ts"
import type { Segments } from "./segments.ts"
import { Writer } from "./writer.ts"

export { LogFullError } from "./full-error.ts"
export { type LogPosition, type LogRecord, positionAfter } from "./record.ts"

const DEFAULT_SEGMENT_BYTES = 64 * 1024 * 1024
const DEFAULT_BUDGET_BYTES = 4 * 1024 * 1024 * 1024

export interface LogOptions {
  readonly folder: string
  readonly segmentBytes?: number
  /** Bytes kept on disk before appends are refused. */
  readonly budgetBytes?: number
  readonly logger: Logger
  readonly files?: LogFiles
}

export interface Log extends AsyncDisposable {
  /** Random id written into the folder when the log was made; names this log in the stores. */
  readonly id: string
  /**
   * Appends one record, given in parts, and resolves with its position after the bytes are on disk. The
   * parts must not change until then. Rejects with a `LogFullError` if they cannot be kept for now.
   */
  append(payload: readonly Uint8Array[]): Promise<LogPosition>
  /** Position after the last durable record. */
  end(): LogPosition
  /** Oldest position still on disk. */
  start(): LogPosition
  /** Records from `from` on, about `maxBytes` of them, at least one if there is any. Skips damage, loudly. */
  read(from: LogPosition, maxBytes: number): Promise<LogRead>
  /** True when `end()` is past the position; false when the signal aborts or the log closes. */
  waitPast(position: LogPosition, signal: AbortSignal): Promise<boolean>
  /** Everything before `position` is stored elsewhere: whole segments before it are deleted. */
  release(position: LogPosition): Promise<void>
  /** What was appended so far goes into no segment with what follows: once released, it is gone. */
  roll(): Promise<void>
  /** Whatever is appended from now on is at this position or later. */
  skipTo(position: LogPosition): Promise<void>
  bytesOnDisk(): number
  /** What was skipped as damaged, or cut off as half written, since opening. */
  stats(): DamageCounts
  close(): Promise<void>
}

export async function openLog(options: LogOptions): Promise<Log> {
  const { folder, logger, files = nodeFiles } = options
  await makeFolder({ folder, files })
  const opened = new Closer()
  try {
    const lock = opened.use(await openLockFile(path.join(folder, "lock")))
    const damage = new Damage(logger)
    const place = { folder, files, logger, damage }
    const { segments, active, isNew } = await recoverSegments(place)
    opened.add(() => active?.close())
    const id = await loadIdentity({ ...place, isNew, isEmpty: segments.end() === 0 })
    const waiters = new EndWaiters()
    const writer = new Writer({
      ...{ ...place, segments, active },
      segmentBytes: options.segmentBytes ?? DEFAULT_SEGMENT_BYTES,
      budgetBytes: options.budgetBytes ?? DEFAULT_BUDGET_BYTES,
      onGrown: () => waiters.wake(segments.end()),
    })
    return new OpenLog({ ...place, id, lock, segments, writer, waiters })
  } catch (error) {
    await opened.close()
    throw error
  }
}

interface OpenParts extends Place {
  readonly id: string
  readonly logger: Logger
  readonly damage: Damage
  readonly lock: AsyncDisposable
  readonly segments: Segments
  readonly writer: Writer
  readonly waiters: EndWaiters
}

class OpenLog implements Log {
  readonly id: string
  readonly #parts: OpenParts
  readonly #reader: Reader
  #closing: Promise<void> | undefined

  constructor(parts: OpenParts) {
    this.id = parts.id
    this.#parts = parts
    this.#reader = new Reader(parts)
  }

  append(payload: readonly Uint8Array[]): Promise<LogPosition> {
    return this.#parts.writer.append(payload)
  }

  end(): LogPosition {
    return this.#parts.segments.end()
  }

  start(): LogPosition {
    return this.#parts.segments.start()
  }

  read(from: LogPosition, maxBytes: number): Promise<LogRead> {
    return this.#reader.read(from, maxBytes)
  }

  async waitPast(position: LogPosition, signal: AbortSignal): Promise<boolean> {
    if (this.end() > position) return true
    return this.#closing === undefined && this.#parts.waiters.wait(position, signal)
  }

  async release(position: LogPosition): Promise<void> {
    const { folder, files, segments, writer, logger } = this.#parts
    await writer.makeRoom(position)
    for (;;) {
      const segment = segments.findReleased(position)
      if (segment === undefined) return
      // Out of the list first, so that a reader that misses the file knows why.
      segments.removeFirst()
      try {
        // Not synced: a segment that a power loss brings back is released again.
        await files.remove(segmentFile(folder, segment.start))
      } catch (err) {
        segments.restoreFirst(segment)
        logger.warn({ err, segment: segment.start }, "cannot remove a segment of the log")
        return
      }
    }
  }

  roll(): Promise<void> {
    return this.#parts.writer.roll()
  }

  skipTo(position: LogPosition): Promise<void> {
    return this.#parts.writer.roll(position)
  }

  bytesOnDisk(): number {
    return this.#parts.segments.diskBytes()
  }

  stats(): DamageCounts {
    return this.#parts.damage.counts()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    const { writer, waiters, lock } = this.#parts
    try {
      await writer.close()
    } finally {
      waiters.close()
      await lock[Symbol.asyncDispose]()
    }
  }
}

/** The folder's own name must survive a power loss too. */
async function makeFolder({ folder, files }: Place): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made === undefined) return
  await files.syncFolder(path.dirname(folder))
  await files.syncFolder(path.dirname(made))
}
