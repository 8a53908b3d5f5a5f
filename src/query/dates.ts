/** Dates as callers write them: ISO in its loose forms, unix times, and relative ones such as "-7d". */
import { invalid } from "../lib/errors.ts"
import { momentMs, utcMs, wallClockMs } from "./time-zone.ts"

export interface DateContext {
  readonly now: Date
  /** Of the project; meant where the text names none. */
  readonly timezone: string
  /** Relative dates are cut to the hour ("-2h") or the day (all others), unless this is false. */
  readonly truncate?: boolean
  /** The field that an error names. */
  readonly attr?: string
}

export interface DateInput {
  /** UTC with microseconds, "2026-01-02 03:04:05.678901": ready to be bound. */
  readonly time: string
  readonly hasTime: boolean
  readonly isRelative: boolean
}

const RELATIVE = /^-?(\d{1,6})?([hdwmqy])(Start|End)?$/
const ISO = new RegExp(
  "^(\\d{4})-(\\d{1,2})-(\\d{1,2})" +
    "(?:[T ](\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?)?" +
    // A plus sign that was not escaped in an address arrives as a space.
    "\\s*(Z|z|[+\\- ]\\d{2}(?::?\\d{2})?)?$",
)
const UNIX_SECONDS = /^\d{9,10}(?:\.\d{1,6})?$/
const UNIX_MILLISECONDS = /^\d{12,13}$/

export function parseDateInput(input: string, context: DateContext): DateInput {
  const text = input.trim()
  const found = findRelative(text, context) ?? findIso(text, context) ?? findUnix(text)
  if (found !== undefined) return found
  throw invalid(
    `"${text.slice(0, 100)}" is no date: write one like 2026-01-31, 2026-01-31T08:00:00Z or -7d.`,
    context.attr ?? null,
  )
}

/** Start and end of the day (in the zone) that holds a time; the end is its last microsecond. */
export function dayOf(time: string, timezone: string): { start: string; end: string } {
  const wall = new Date(wallClockMs(Date.parse(`${time.replace(" ", "T")}Z`), timezone))
  const start = utcMs(wall.getUTCFullYear(), wall.getUTCMonth() + 1, wall.getUTCDate())
  const next = utcMs(wall.getUTCFullYear(), wall.getUTCMonth() + 1, wall.getUTCDate() + 1)
  return {
    start: columnarTime(momentMs(start, timezone)),
    end: columnarTime(momentMs(next, timezone) - 1, "999"),
  }
}

/** A moment as engines take it; `micros` are the three digits after the milliseconds. */
export function columnarTime(ms: number, micros = "000"): string {
  const held = Math.min(Math.max(ms, YEAR_1_MS), YEAR_10000_MS - 1)
  return `${new Date(held).toISOString().replace("T", " ").slice(0, -1)}${micros}`
}

function findRelative(text: string, context: DateContext): DateInput | undefined {
  const match = RELATIVE.exec(text)
  if (match === null) return undefined
  const [, digits, unit = "d", position] = match
  const count = Number(digits ?? 0)
  if (position !== undefined && !"dmy".includes(unit)) return undefined
  const nowMs = context.now.getTime()
  const wall =
    unit === "h"
      ? wallClockMs(nowMs - count * HOUR_MS, context.timezone)
      : shifted(wallClockMs(nowMs, context.timezone), unit, count)
  const cut = context.truncate !== false || position !== undefined
  const ms = cut ? cutTo(wall, unit, position) : wall
  // Also not so when there is no such date at all.
  if (!(ms >= YEAR_1_MS)) return undefined
  // Hours count on the clock that never jumps; only cutting needs the wall.
  const moment = unit === "h" && !cut ? nowMs - count * HOUR_MS : momentMs(ms, context.timezone)
  const time = position === "End" ? columnarTime(moment, "999") : columnarTime(moment)
  return { time, hasTime: unit === "h", isRelative: true }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const QUARTER_DAYS = 13 * 7
/** The years that every engine can hold; zones may push the first and the last moments over. */
const YEAR_1_MS = utcMs(1, 1, 1)
const YEAR_10000_MS = utcMs(10_000, 1, 1)

function shifted(wallMs: number, unit: string, count: number): number {
  if (unit === "d") return wallMs - count * DAY_MS
  if (unit === "w") return wallMs - count * 7 * DAY_MS
  if (unit === "q") return wallMs - count * QUARTER_DAYS * DAY_MS
  return minusMonths(wallMs, unit === "y" ? count * 12 : count)
}

/** The same day of an earlier month, or its last day where that month is shorter. */
function minusMonths(wallMs: number, count: number): number {
  const date = new Date(wallMs)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() - count
  const [year, monthIndex] = [Math.floor(month / 12), ((month % 12) + 12) % 12]
  const day = Math.min(date.getUTCDate(), lastDayOf(year, monthIndex + 1))
  return utcMs(year, monthIndex + 1, day) + timeOfDayMs(wallMs)
}

function cutTo(wallMs: number, unit: string, position: string | undefined): number {
  if (unit === "h") return wallMs - modulo(wallMs, HOUR_MS)
  const date = new Date(wallMs - timeOfDayMs(wallMs))
  if (position === undefined) return date.getTime()
  const isEnd = position === "End"
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1]
  if (unit === "m") date.setUTCDate(isEnd ? lastDayOf(year, month) : 1)
  if (unit === "y") date.setUTCMonth(isEnd ? 11 : 0, isEnd ? 31 : 1)
  return date.getTime() + (isEnd ? DAY_MS - 1 : 0)
}

function findIso(text: string, { timezone }: DateContext): DateInput | undefined {
  const match = ISO.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second = "0", fraction = "", zone] = match
  const [monthNumber, dayNumber] = [Number(month), Number(day)]
  if (monthNumber < 1 || monthNumber > 12 || dayNumber < 1 || Number(year) < 1) return undefined
  if (dayNumber > lastDayOf(Number(year), monthNumber)) return undefined
  const seconds = Number(hour ?? 0) * 3600 + Number(minute ?? 0) * 60 + Number(second)
  if (Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second) > 59) return undefined
  const micros = fraction.padEnd(6, "0")
  const wall =
    utcMs(Number(year), monthNumber, dayNumber) + seconds * 1000 + Number(micros.slice(0, 3))
  const ms = zone === undefined ? momentMs(wall, timezone) : wall - offsetMs(zone)
  return {
    time: columnarTime(ms, micros.slice(3, 6)),
    hasTime: hour !== undefined,
    isRelative: false,
  }
}

function offsetMs(zone: string): number {
  if (zone === "Z" || zone === "z") return 0
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0")
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (zone.startsWith("-") ? -1 : 1) * minutes * 60_000
}

function findUnix(text: string): DateInput | undefined {
  const ms = UNIX_MILLISECONDS.test(text) ? Number(text) : undefined
  const seconds = UNIX_SECONDS.test(text) ? Number(text) * 1000 : undefined
  const at = ms ?? seconds
  if (at === undefined) return undefined
  return { time: columnarTime(Math.round(at)), hasTime: true, isRelative: false }
}

const timeOfDayMs = (wallMs: number): number => modulo(wallMs, DAY_MS)
const modulo = (value: number, by: number): number => ((value % by) + by) % by

function lastDayOf(year: number, month: number): number {
  return new Date(utcMs(year, month + 1, 0)).getUTCDate()
}
