/**
 * Group commit. While one write and its sync are under way, appends queue up; the next write takes all of
 * them, within bounds, with one sync. An append resolves only after the sync of its bytes.
 */
import { DomainError } from "../lib/errors.ts"
import { type ActiveParts, ActiveSegment } from "./active-segment.ts"
import { type Append, countFitting, encodeBatch, recordBytes } from "./batch.ts"
import { diskError, LogFullError } from "./full-error.ts"
import { HEADER_BYTES, type LogPosition, MAX_PAYLOAD_BYTES, payloadCrc } from "./record.ts"

const MAX_BATCH_BYTES = 16 * 1024 * 1024
/** Bytes in memory that wait for the disk; a disk that slow is as good as full. */
const MAX_WAITING_BYTES = 256 * 1024 * 1024

export interface WriterParts extends ActiveParts {
  readonly segmentBytes: number
  readonly budgetBytes: number
  /** Called when the log has grown. */
  readonly onGrown: () => void
}

export class Writer {
  readonly #parts: WriterParts
  readonly #segment: ActiveSegment
  #queue: Append[] = []
  /** Bytes of the records not yet durable. */
  #waitingBytes = 0
  #rolls: Roll[] = []
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(parts: WriterParts) {
    this.#parts = parts
    this.#segment = new ActiveSegment(parts)
  }

  append(parts: readonly Uint8Array[]): Promise<LogPosition> {
    let payloadBytes = 0
    for (const part of parts) payloadBytes += part.length
    const refusal = this.#findRefusal(payloadBytes)
    if (refusal !== undefined) return Promise.reject(refusal)
    const crc = payloadCrc(parts)
    return new Promise((resolve, reject) => {
      this.#queue.push({ parts, payloadBytes, payloadCrc: crc, resolve, reject })
      this.#waitingBytes += HEADER_BYTES + payloadBytes
      this.#start()
    })
  }

  /** Starts another segment if only what is stored elsewhere fills most of the budget. */
  async makeRoom(released: LogPosition): Promise<void> {
    const { segments, budgetBytes } = this.#parts
    const isAllReleased = released >= segments.end()
    if (!isAllReleased || segments.diskBytes() * 2 < budgetBytes) return
    await this.roll().catch((err: unknown) => {
      this.#parts.logger.warn({ err }, "cannot start a segment of the log yet")
    })
  }

  /** Starts another segment, at this position or later, unless the newest is empty and good enough. */
  async roll(atLeast: LogPosition = 0): Promise<void> {
    const last = this.#parts.segments.last()
    if (this.#isClosed || (last?.readableBytes === 0 && last.start >= atLeast)) return
    await new Promise<void>((resolve, reject) => {
      this.#rolls.push({ atLeast, resolve, reject })
      this.#start()
    })
  }

  /** Refuses what comes from now on and waits for the rest. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
    await this.#segment.close()
  }

  #findRefusal(payloadBytes: number): Error | undefined {
    if (this.#isClosed) return new Error("the log is closed")
    if (payloadBytes > MAX_PAYLOAD_BYTES) return tooLarge(payloadBytes)
    const { segments, budgetBytes } = this.#parts
    const waitingBytes = this.#waitingBytes + HEADER_BYTES + payloadBytes
    if (segments.diskBytes() + waitingBytes > budgetBytes) return new LogFullError("budget")
    if (waitingBytes > MAX_WAITING_BYTES) return new LogFullError("backlog")
    return undefined
  }

  #start(): void {
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    // Appends made in the same turn go into the first write together.
    await null
    while (this.#queue.length > 0 || this.#rolls.length > 0) {
      if (this.#rolls.length > 0) await this.#roll()
      else await this.#commit()
    }
    // In the turn that found nothing left: an append that comes a moment later starts anew.
    this.#running = undefined
  }

  async #commit(): Promise<void> {
    let batch: Append[] = []
    try {
      const room = await this.#findRoom()
      batch = this.#queue.splice(0, countFitting(this.#queue, Math.min(room, MAX_BATCH_BYTES)))
      const { parts, positions, bytes } = encodeBatch(batch, this.#parts.segments.end())
      await this.#segment.write(parts, bytes)
      this.#waitingBytes -= bytes
      for (const [index, { resolve }] of batch.entries()) resolve(positions[index] as LogPosition)
      this.#parts.onGrown()
    } catch (error) {
      this.#rejectAll(batch, error)
    }
  }

  /** Bytes left in the segment, a new one if the next record does not fit; a large record gets one alone. */
  async #findRoom(): Promise<number> {
    const { segmentBytes } = this.#parts
    const [first] = this.#queue
    const usedBytes = this.#segment.sizeBytes()
    const neededBytes = first === undefined ? 0 : recordBytes(first)
    const isFit =
      usedBytes !== undefined && (usedBytes === 0 || usedBytes + neededBytes <= segmentBytes)
    if (isFit) return segmentBytes - usedBytes
    await this.#segment.roll()
    return segmentBytes
  }

  /** Those who wait behind a failed write would wait for the same disk: they learn it at once. */
  #rejectAll(batch: readonly Append[], cause: unknown): void {
    const all = [...batch, ...this.#queue.splice(0)]
    this.#waitingBytes = 0
    for (const { reject } of all) reject(diskError(cause))
  }

  async #roll(): Promise<void> {
    const rolls = this.#rolls.splice(0)
    try {
      await this.#segment.roll(Math.max(...rolls.map(({ atLeast }) => atLeast)))
      for (const { resolve } of rolls) resolve()
    } catch (error) {
      for (const { reject } of rolls) reject(diskError(error))
    }
  }
}

interface Roll {
  readonly atLeast: LogPosition
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

function tooLarge(payloadBytes: number): DomainError {
  const detail = `a record of ${payloadBytes} bytes is too large for the log; the most is ${MAX_PAYLOAD_BYTES}`
  return new DomainError("too_large", { code: "too_large", detail })
}
