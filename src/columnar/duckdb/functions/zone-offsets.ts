/**
 * The clock on the wall without the engine's own zones, which take microseconds a row: what a zone's offset is
 * between which changes is known while printing, so that rows only compare numbers.
 */
import { momentMs, wallClockMs } from "../../../query/time-zone.ts"

/** Where most events are. Outside, the engine's zones are asked. */
const KNOWN_FROM_MS = Date.UTC(2000, 0, 1)
const KNOWN_UNTIL_MS = Date.UTC(2040, 0, 1)
/** Shorter than any offset lasts. */
const SAMPLE_MS = 7 * 86_400_000
const MINUTE_MS = 60_000
const ZONES_KEPT_MAX = 20

interface Change {
  /** UTC. */
  readonly atMs: number
  readonly beforeMs: number
  readonly afterMs: number
}

interface Offsets {
  readonly firstMs: number
  readonly changes: readonly Change[]
}

const known = new Map<string, Offsets>()

function offsetsOf(zone: string): Offsets {
  const kept = known.get(zone)
  if (kept !== undefined) return kept
  if (known.size >= ZONES_KEPT_MAX) known.clear()
  const offsets = findOffsets(zone)
  known.set(zone, offsets)
  return offsets
}

function findOffsets(zone: string): Offsets {
  const offsetAt = (ms: number) => wallClockMs(ms, zone) - ms
  const changes: Change[] = []
  let beforeMs = offsetAt(KNOWN_FROM_MS)
  for (let ms = KNOWN_FROM_MS; ms < KNOWN_UNTIL_MS; ms += SAMPLE_MS) {
    const afterMs = offsetAt(ms + SAMPLE_MS)
    if (afterMs === beforeMs) continue
    changes.push({ atMs: findChange(ms, afterMs, offsetAt), beforeMs, afterMs })
    beforeMs = afterMs
  }
  return { firstMs: offsetAt(KNOWN_FROM_MS), changes }
}

/** The first minute of the sample that has the new offset. */
function findChange(fromMs: number, afterMs: number, offsetAt: (ms: number) => number): number {
  let [low, high] = [0, SAMPLE_MS / MINUTE_MS]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(fromMs + middle * MINUTE_MS) === afterMs) high = middle
    else low = middle
  }
  return fromMs + high * MINUTE_MS
}

/** Microseconds to add to a moment (printed, in microseconds) for what the wall shows. */
export function printOffset(micros: string, zone: string): string {
  const { firstMs, changes } = offsetsOf(zone)
  const steps = changes.map(({ atMs, afterMs }) => ({ atMs, offsetMs: afterMs }))
  return printSteps(micros, firstMs, steps)
}

export type LongUnit = "day" | "week" | "weekSunday" | "month" | "quarter" | "year"

/**
 * Microseconds that the zone was ahead of UTC when the unit began that holds the moment: those after a change, from
 * the first start of a unit on that comes after it.
 */
export function printOffsetOfStart(micros: string, zone: string, unit: LongUnit): string {
  const { firstMs, changes } = offsetsOf(zone)
  const steps = changes.map(({ atMs, afterMs }) => ({
    atMs: momentMs(NEXT_STARTS[unit](new Date(atMs + afterMs - 1)), zone),
    offsetMs: afterMs,
  }))
  return printSteps(micros, firstMs, steps)
}

const dayStart = (at: Date, days: number): number =>
  Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + days)
const monthStart = (at: Date, months: number): number =>
  Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1)

/** The first start after what the wall shows. */
const NEXT_STARTS: Readonly<Record<LongUnit, (wall: Date) => number>> = {
  day: (wall) => dayStart(wall, 1),
  week: (wall) => dayStart(wall, 7 - ((wall.getUTCDay() + 6) % 7)),
  weekSunday: (wall) => dayStart(wall, 7 - wall.getUTCDay()),
  month: (wall) => monthStart(wall, 1),
  quarter: (wall) => monthStart(wall, 3 - (wall.getUTCMonth() % 3)),
  year: (wall) => Date.UTC(wall.getUTCFullYear() + 1, 0, 1),
}

/** So that units which hold the moment begin after the first known offset. */
const MARGIN_MS = 400 * 86_400_000

export function isKnownSpan(micros: string): string {
  return `${micros} BETWEEN ${printMicros(KNOWN_FROM_MS + MARGIN_MS)} AND ${printMicros(KNOWN_UNTIL_MS)}`
}

interface Step {
  readonly atMs: number
  readonly offsetMs: number
}

/** By halves: a row is compared with a handful of changes, not with all. */
function printSteps(micros: string, firstMs: number, steps: readonly Step[]): string {
  const middle = Math.floor(steps.length / 2)
  const step = steps[middle]
  if (step === undefined) return printMicros(firstMs)
  const before = printSteps(micros, firstMs, steps.slice(0, middle))
  const after = printSteps(micros, step.offsetMs, steps.slice(middle + 1))
  return `CASE WHEN ${micros} < ${printMicros(step.atMs)} THEN ${before} ELSE ${after} END`
}

const printMicros = (ms: number): string => `${ms}000`
