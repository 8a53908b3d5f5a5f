/** From when to when a timeline reaches. */
import { columnarTime, type DateInput, dayOf, parseDateInput } from "../../query/dates.ts"
import { momentMs, wallClockMs } from "../../query/time-zone.ts"
import type { TimelineQuery } from "./timeline-schema.ts"

/** Both inclusive, UTC with microseconds, as engines take them. */
export interface TimeRange {
  readonly from: string
  readonly to: string
}

export interface Moment {
  readonly now: Date
  readonly timezone: string
}

type Interval = NonNullable<TimelineQuery["interval"]>

const DEFAULT_FROM = "-7d"
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** `earliest` is where the project's events begin, when that was asked for. */
export function parseRange(
  query: TimelineQuery,
  moment: Moment,
  earliest: string | undefined,
): TimeRange {
  const interval = query.interval ?? "day"
  const from = earliest ?? dateOf(query.date_from || DEFAULT_FROM, "date_from").time
  if (!query.date_to) return { from, to: endOf(nowInput(moment.now), interval, moment) }
  const to = dateOf(query.date_to, "date_to")
  if (to.time === from) return { from, to: oneIntervalAfter(from, interval, moment) }
  return { from, to: endOf(to, interval, moment) }

  function dateOf(text: string, attr: string): DateInput {
    return parseDateInput(text, { ...moment, attr })
  }
}

function nowInput(now: Date): DateInput {
  return { time: columnarTime(now.getTime()), hasTime: true, isRelative: true }
}

/** The end of the day; of the hour where hours are asked for, unless a moment is named. */
function endOf(date: DateInput, interval: Interval, { timezone }: Moment): string {
  if (interval !== "hour") return dayOf(date.time, timezone).end
  if (!date.isRelative) return date.time
  const wall = wallClockMs(msOf(date.time), timezone)
  return lastMicrosecondBefore(momentMs(wall - (wall % HOUR_MS) + HOUR_MS, timezone))
}

/** As the clock on the wall counts: a day may have 23 hours. */
function oneIntervalAfter(from: string, interval: Interval, { timezone }: Moment): string {
  if (interval === "hour") return lastMicrosecondBefore(msOf(from) + HOUR_MS)
  const wall = wallClockMs(msOf(from), timezone)
  return lastMicrosecondBefore(momentMs(nextWall(wall, interval), timezone))
}

function nextWall(wallMs: number, interval: Exclude<Interval, "hour">): number {
  if (interval !== "month") return wallMs + (interval === "week" ? 7 : 1) * DAY_MS
  const date = new Date(wallMs)
  return date.setUTCMonth(date.getUTCMonth() + 1)
}

function msOf(time: string): number {
  return Date.parse(`${time.replace(" ", "T")}Z`)
}

function lastMicrosecondBefore(ms: number): string {
  return columnarTime(ms - 1, "999")
}

/** As the API sends it. */
export function shownTime(time: string): string {
  const [whole = "", fraction = ""] = time.replace(" ", "T").split(".")
  return /[1-9]/.test(fraction) ? `${whole}.${fraction}Z` : `${whole}Z`
}
