/** The range of time a question is about, from what a caller wrote, in the project's zone. */
import { invalid } from "../lib/errors.ts"
import { columnarTime, dayOf, parseDateInput } from "./dates.ts"
import { momentMs, wallClockMs } from "./time-zone.ts"

export const INTERVALS = ["hour", "day", "week", "month"] as const
export type Interval = (typeof INTERVALS)[number]

export interface ZoneSettings {
  readonly now: Date
  readonly timezone: string
  /** 0 Sunday, 1 Monday. */
  readonly weekStartsOn: 0 | 1
}

export interface RangeInput {
  /** "all" begins with the first event, which the caller must then give. */
  readonly date_from?: string | null | undefined
  readonly date_to?: string | null | undefined
  readonly interval: Interval
}

/** Moments as milliseconds since 1970; the end is the last millisecond that belongs to the range. */
export interface DateRange {
  readonly interval: Interval
  /** Where the caller's range begins. */
  readonly fromMs: number
  /** The first moment whose events count: the start of the first bucket, unless the range is finer than it. */
  readonly eventsFromMs: number
  readonly toMs: number
  readonly timezone: string
  readonly weekStartsOn: 0 | 1
}

const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** `earliest`: the moment of the project's first event, where `date_from` is "all". */
export function parseDateRange(
  { date_from, date_to, interval }: RangeInput,
  settings: ZoneSettings,
  earliest?: string,
): DateRange {
  const { timezone, weekStartsOn } = settings
  const from = date_from === "all" ? (earliest ?? "dStart") : (date_from ?? DEFAULT_FROM)
  const fromMs = msOf(parseDateInput(from, { ...settings, attr: "date_from" }).time)
  const toMs = parseEnd(date_to ?? undefined, interval, settings)
  if (toMs < fromMs) {
    throw invalid(`The range ends (${date_to ?? "now"}) before it begins (${from}).`, "date_to")
  }
  const isFine = interval === "hour" || (interval === "day" && HOURS_AGO.test(from))
  const eventsFromMs = isFine ? fromMs : bucketStartMs(fromMs, { interval, timezone, weekStartsOn })
  return { interval, fromMs, eventsFromMs, toMs, timezone, weekStartsOn }
}

const DEFAULT_FROM = "-7d"
const HOURS_AGO = /^-?\d*h$/
const WEEKS_OF_DAYS = /^-(\d+)d$/

function parseEnd(text: string | undefined, interval: Interval, settings: ZoneSettings): number {
  const { timezone, now } = settings
  const end =
    text === undefined
      ? { time: columnarTime(now.getTime()), isRelative: true }
      : parseDateInput(text, { ...settings, attr: "date_to" })
  if (interval !== "hour") return msOf(dayOf(end.time, timezone).end)
  const ms = msOf(end.time)
  return end.isRelative ? hourStartMs(ms, timezone) + HOUR_MS - 1 : ms
}

/**
 * As long a range right before. A range of whole weeks up to now begins a day later, so that the same days of
 * the week lie above each other.
 */
export function previousRange(range: DateRange, { date_from, date_to }: RangeInput): DateRange {
  const { fromMs, toMs, interval, timezone } = range
  // The end is the last millisecond, so the length is one more; the cut to the day takes it off again.
  const lengthMs = toMs - fromMs
  const days = WEEKS_OF_DAYS.exec(date_from ?? DEFAULT_FROM)?.[1]
  const isAligned = interval === "day" && days !== undefined && Number(days) % 7 === 0
  const isOpen = date_to === undefined || date_to === null
  const cutMs =
    interval === "hour"
      ? hourStartMs(fromMs - lengthMs, timezone)
      : startOfDayMs(fromMs - lengthMs, timezone)
  const newFromMs =
    isAligned && isOpen ? startOfDayMs(cutMs + DAY_MS + DAY_MS / 2, timezone) : cutMs
  const newToMs = interval === "hour" ? newFromMs + lengthMs : newFromMs + lengthMs
  return withBounds(range, newFromMs, newToMs)
}

/** The same range so much earlier, such as "-1m": what `compare_to` asks for. */
export function shiftedRange(range: DateRange, by: string): DateRange {
  const { timezone } = range
  const shift = (ms: number) =>
    msOf(
      parseDateInput(by, { now: new Date(ms), timezone, truncate: false, attr: "compare_to" }).time,
    )
  return withBounds(range, shift(range.fromMs), shift(range.toMs))
}

function withBounds(range: DateRange, fromMs: number, toMs: number): DateRange {
  const end = range.interval === "hour" ? toMs : msOf(dayOf(columnarTime(toMs), range.timezone).end)
  const eventsFromMs = range.interval === "hour" ? fromMs : bucketStartMs(fromMs, range)
  return { ...range, fromMs, eventsFromMs, toMs: end }
}

export type BucketPlace = Pick<DateRange, "interval" | "timezone" | "weekStartsOn">

/** The start of the bucket that holds a moment. */
export function bucketStartMs(
  ms: number,
  { interval, timezone, weekStartsOn }: BucketPlace,
): number {
  switch (interval) {
    case "hour":
      return hourStartMs(ms, timezone)
    case "day":
      return startOfDayMs(ms, timezone)
    case "week": {
      const wall = startOfWallDayMs(wallClockMs(ms, timezone))
      const weekday = (new Date(wall).getUTCDay() - weekStartsOn + 7) % 7
      return momentMs(wall - weekday * DAY_MS, timezone)
    }
    case "month": {
      const wall = new Date(startOfWallDayMs(wallClockMs(ms, timezone)))
      wall.setUTCDate(1)
      return momentMs(wall.getTime(), timezone)
    }
  }
}

/** The start of the bucket after the one that begins here. */
export function nextBucketMs(startMs: number, place: BucketPlace): number {
  const { interval, timezone } = place
  if (interval === "hour") return startMs + HOUR_MS
  // Where clocks are put forward at midnight, the day begins at one o'clock.
  const wall = new Date(startOfWallDayMs(wallClockMs(startMs, timezone)))
  if (interval === "month") wall.setUTCMonth(wall.getUTCMonth() + 1)
  else wall.setUTCDate(wall.getUTCDate() + (interval === "week" ? 7 : 1))
  return momentMs(wall.getTime(), timezone)
}

/** The start of the bucket before the one that begins here. */
export function previousBucketMs(startMs: number, place: BucketPlace): number {
  return place.interval === "hour" ? startMs - HOUR_MS : bucketStartMs(startMs - 1, place)
}

function startOfDayMs(ms: number, timezone: string): number {
  return momentMs(startOfWallDayMs(wallClockMs(ms, timezone)), timezone)
}

const startOfWallDayMs = (wallMs: number): number => Math.floor(wallMs / DAY_MS) * DAY_MS

/** Zones may be half an hour off. */
function hourStartMs(ms: number, timezone: string): number {
  const wall = wallClockMs(ms, timezone)
  return ms - (wall - Math.floor(wall / HOUR_MS) * HOUR_MS)
}

const msOf = (time: string): number => Date.parse(`${time.replace(" ", "T").slice(0, 23)}Z`)
