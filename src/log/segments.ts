/**
 * The segment files of a log, oldest first. A segment's name is its start position, and the start of the next
 * one bounds it: what a file holds beyond that was never acked and is not read. So a segment whose tail cannot
 * be trusted any more is left behind by starting the next one at the position that is known to be good.
 */
import type { LogPosition } from "./record.ts"

export interface Segment {
  readonly start: LogPosition
  /** From the start; for the segment being written, those that are durable. */
  readableBytes: number
  /** Bytes of the file, those beyond the readable ones included. */
  diskBytes: number
}

export class Segments {
  readonly #list: Segment[]

  constructor(list: readonly Segment[]) {
    this.#list = [...list]
  }

  add(segment: Segment): void {
    this.#list.push(segment)
  }

  start(): LogPosition {
    return this.#list[0]?.start ?? 0
  }

  end(): LogPosition {
    const last = this.last()
    return last === undefined ? 0 : last.start + last.readableBytes
  }

  last(): Segment | undefined {
    return this.#list.at(-1)
  }

  diskBytes(): number {
    return this.#list.reduce((sum, segment) => sum + segment.diskBytes, 0)
  }

  /** The segment to read at `position`, or the first after it; undefined past the last. */
  findAt(position: LogPosition): Segment | undefined {
    return this.#list.find(({ start, readableBytes }) => position < start + readableBytes)
  }

  /**
   * The oldest segment, if all of it is before `position`. Never the last one: its name is what keeps
   * positions growing after everything is released.
   */
  findReleased(position: LogPosition): Segment | undefined {
    const [first, second] = this.#list
    return first !== undefined && second !== undefined && second.start <= position
      ? first
      : undefined
  }

  removeFirst(): void {
    this.#list.shift()
  }

  restoreFirst(segment: Segment): void {
    this.#list.unshift(segment)
  }
}
