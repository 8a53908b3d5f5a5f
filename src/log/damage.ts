/** Counts and reports what could not be read, each place once, however often it is read again. */
import type { Logger } from "../lib/logger.ts"
import type { LogPosition } from "./record.ts"
import type { Gap } from "./scan.ts"

/** Places remembered; beyond them a place read again is counted again. */
const MAX_KNOWN_PLACES = 10_000

export interface DamageCounts {
  readonly corruptRecords: number
  readonly corruptBytes: number
  readonly tornBytes: number
}

export class Damage {
  readonly #logger: Logger
  readonly #known = new Set<LogPosition>()
  #counts: DamageCounts = { corruptRecords: 0, corruptBytes: 0, tornBytes: 0 }

  constructor(logger: Logger) {
    this.#logger = logger
  }

  counts(): DamageCounts {
    return this.#counts
  }

  /** Bytes in the middle of the log that are no record: something acked may be lost. */
  reportGap(gap: Gap, segmentStart: LogPosition): void {
    if (!this.#isNew(gap.position)) return
    this.#counts = {
      ...this.#counts,
      corruptRecords: this.#counts.corruptRecords + gap.records,
      corruptBytes: this.#counts.corruptBytes + gap.bytes,
    }
    const place = { segment: segmentStart, offset: gap.position - segmentStart, bytes: gap.bytes }
    this.#logger.error(place, "the log is damaged: skipped what is no valid record")
  }

  /** The end of the last segment, which a crash left half written: nothing acked is in it. */
  reportTorn(gap: Gap, segmentStart: LogPosition): void {
    if (!this.#isNew(gap.position)) return
    this.#counts = { ...this.#counts, tornBytes: this.#counts.tornBytes + gap.bytes }
    const place = { segment: segmentStart, offset: gap.position - segmentStart, bytes: gap.bytes }
    this.#logger.warn(place, "the log ends in a half-written record: cut it off")
  }

  #isNew(position: LogPosition): boolean {
    if (this.#known.has(position)) return false
    if (this.#known.size < MAX_KNOWN_PLACES) this.#known.add(position)
    return true
  }
}
