/** Spans and windows of time as moments, seen from now and in the project's time zone. */
import { columnarTime, dayOf, parseDateInput } from "../query/dates.ts"
import type { Span, Window } from "./definition.ts"
import { wrong } from "./parse-values.ts"

export interface WindowContext {
  readonly now: Date
  readonly timezone: string
}

/** Both ends belong to it. UTC, as engines take it. */
export interface Range {
  readonly from: string
  readonly to: string
}

const DAY_SECONDS = 86_400

/** Months and years as what they are at least: only for comparing and for distances between events. */
const UNIT_SECONDS = {
  minute: 60,
  hour: 3_600,
  day: DAY_SECONDS,
  week: 7 * DAY_SECONDS,
  month: 30 * DAY_SECONDS,
  year: 365 * DAY_SECONDS,
} as const satisfies Record<Span["unit"], number>

const UNIT_LETTERS = { day: "d", week: "w", month: "m", year: "y" } as const

export function spanSeconds({ count, unit }: Span): number {
  return count * UNIT_SECONDS[unit]
}

export function approximateDays(span: Span): number {
  return spanSeconds(span) / DAY_SECONDS
}

/** So long before now: days and longer by the calendar and the clock on the wall, shorter spans as time passes. */
export function momentBefore({ count, unit }: Span, { now, timezone }: WindowContext): string {
  if (unit === "minute" || unit === "hour") {
    return columnarTime(now.getTime() - count * UNIT_SECONDS[unit] * 1_000)
  }
  const text = `-${count}${UNIT_LETTERS[unit]}`
  return parseDateInput(text, { now, timezone, truncate: false, attr: "filters" }).time
}

export function rangeOf(window: Window, context: WindowContext): Range {
  if (window.kind === "last") {
    return { from: momentBefore(window.span, context), to: columnarTime(context.now.getTime()) }
  }
  const dates = { ...context, attr: "filters" }
  const { time: from } = parseDateInput(window.from, dates)
  const to = endOf(window.to, dates)
  if (from > to) throw wrong(`The time from ${window.from} to ${window.to ?? "now"} is empty.`)
  return { from, to }
}

/** A day as the end of a window belongs to it whole. */
function endOf(text: string | undefined, dates: WindowContext & { attr: string }): string {
  if (text === undefined || text === "") return columnarTime(dates.now.getTime())
  const { time, hasTime } = parseDateInput(text, dates)
  return hasTime ? time : dayOf(time, dates.timezone).end
}

/** Where the last periods begin, newest first; each ends where the next one begins. */
export function listPeriodStarts(
  period: Span,
  count: number,
  context: WindowContext,
): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    momentBefore({ ...period, count: period.count * (index + 1) }, context),
  )
}

/** No event can follow one at `time` within the span any later; nor later than now. */
export function latestAfter(time: string, within: Span, { now }: WindowContext): string {
  // Moments have microseconds, which dates here have not.
  const latestMs = Date.parse(`${time.replace(" ", "T")}Z`) + spanSeconds(within) * 1_000 + 1
  return columnarTime(Math.min(latestMs, now.getTime()))
}
