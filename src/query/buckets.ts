/** The buckets of a range: when each begins, what it is called, and which one an event falls into. */
import { invalid } from "../lib/errors.ts"
import { and, call, gte, lt, lte, number, timestamp } from "./build.ts"
import { bucketStartMs, DAY_MS, type DateRange, type Interval, nextBucketMs } from "./date-range.ts"
import { columnarTime } from "./dates.ts"
import { wallClockMs } from "./time-zone.ts"
import type { Expr } from "./tree.ts"

const BUCKETS_MAX = 10_000

export interface Buckets {
  readonly interval: Interval
  readonly timezone: string
  /** When each begins. */
  readonly startsMs: readonly number[]
  /** When the one after the last would begin. */
  readonly endMs: number
}

export function listBuckets(range: DateRange): Buckets {
  const startsMs: number[] = []
  let startMs = bucketStartMs(range.fromMs, range)
  while (startMs <= range.toMs) {
    if (startsMs.length === BUCKETS_MAX) {
      throw invalid(
        `The range has more than ${BUCKETS_MAX} intervals of one ${range.interval}: take longer intervals.`,
        "interval",
      )
    }
    startsMs.push(startMs)
    startMs = nextBucketMs(startMs, range)
  }
  return { interval: range.interval, timezone: range.timezone, startsMs, endMs: startMs }
}

/** "2020-01-01", for hours "2020-01-01 13:00:00". */
export function dayName(startMs: number, { interval, timezone }: Place): string {
  const wall = new Date(wallClockMs(startMs, timezone)).toISOString()
  return interval === "hour" ? wall.slice(0, 19).replace("T", " ") : wall.slice(0, 10)
}

/** "1-Jan-2020", for hours "1-Jan-2020 13:00", for months "Jan 2020". */
export function bucketLabel(startMs: number, { interval, timezone }: Place): string {
  const wall = new Date(wallClockMs(startMs, timezone))
  const month = MONTHS[wall.getUTCMonth()]
  if (interval === "month") return `${month} ${wall.getUTCFullYear()}`
  const day = `${wall.getUTCDate()}-${month}-${wall.getUTCFullYear()}`
  return interval === "hour" ? `${day} ${wall.toISOString().slice(11, 16)}` : day
}

type Place = Pick<Buckets, "interval" | "timezone">

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** Whether a moment lies in the range. */
export function isInRange(moment: Expr, { eventsFromMs, toMs }: DateRange): Expr {
  // The end is a whole millisecond; what comes in the same one still belongs to it.
  return and(gte(moment, momentOf(eventsFromMs)), lt(moment, momentOf(toMs + 1)))
}

export const momentOf = (ms: number): Expr => timestamp(columnarTime(ms))

/** Up to and including a millisecond. */
export const isUntil = (moment: Expr, ms: number): Expr =>
  lte(moment, timestamp(columnarTime(ms, "999")))

/**
 * The place of the moment's bucket, from 0, as a whole number; negative before the first. Counted on the wall
 * clock of the zone, whose changes within the buckets are known here, so that the engine needs no zones.
 */
export function bucketIndex(moment: Expr, buckets: Buckets): Expr {
  const [firstMs = 0] = buckets.startsMs
  if (buckets.interval === "hour") return call("diffHours", momentOf(firstMs), moment)
  const wall = wallClock(moment, { fromMs: firstMs, toMs: buckets.endMs }, buckets.timezone)
  const start = momentOf(wallClockMs(firstMs, buckets.timezone))
  switch (buckets.interval) {
    case "day":
      return call("diffDays", start, wall)
    case "week":
      return call("diffWeeks", start, wall)
    case "month":
      return call("diffMonths", start, wall)
  }
}

/** What the clock on the wall shows at a moment of the span; further away the nearest known offset counts. */
export function wallClock(
  moment: Expr,
  span: { readonly fromMs: number; readonly toMs: number },
  timezone: string,
): Expr {
  const [first, ...later] = listOffsets(span, timezone)
  const shifted = (offsetMs: number) =>
    offsetMs === 0 ? moment : call("addSeconds", moment, number(offsetMs / 1000))
  if (first === undefined || later.length === 0) return shifted(first?.offsetMs ?? 0)
  const all = [first, ...later]
  return {
    kind: "case",
    branches: later.map(({ sinceMs }, index) => ({
      when: lt(moment, momentOf(sinceMs)),
      result: shifted(all[index]?.offsetMs ?? 0),
    })),
    otherwise: shifted(all.at(-1)?.offsetMs ?? 0),
  }
}

/** Offsets from UTC, each with the moment from which on it holds. */
function listOffsets(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  timezone: string,
): readonly { readonly sinceMs: number; readonly offsetMs: number }[] {
  const offsetAt = (ms: number) => wallClockMs(ms, timezone) - ms
  const offsets = [{ sinceMs: fromMs, offsetMs: offsetAt(fromMs) }]
  for (let ms = fromMs; ms < toMs; ms += OFFSET_STEP_MS) {
    const nextMs = Math.min(ms + OFFSET_STEP_MS, toMs)
    if (offsetAt(nextMs) === offsets.at(-1)?.offsetMs) continue
    const sinceMs = findChangeMs(ms, nextMs, offsetAt)
    offsets.push({ sinceMs, offsetMs: offsetAt(sinceMs) })
  }
  return offsets
}

/** No zone changes its clocks twice within it. */
const OFFSET_STEP_MS = 10 * DAY_MS

function findChangeMs(fromMs: number, toMs: number, offsetAt: (ms: number) => number): number {
  let [before, after] = [fromMs, toMs]
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000
    if (middle <= before || middle >= after) break
    if (offsetAt(middle) === offsetAt(fromMs)) before = middle
    else after = middle
  }
  return after
}
