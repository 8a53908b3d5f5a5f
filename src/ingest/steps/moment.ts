/** A point in time with microseconds, and its text for the columnar store. */
import type { ColumnarTime } from "../../columnar/engine.ts"

export interface Moment {
  /** Since 1970, whole. */
  readonly ms: number
  /** 0 to 999, after `ms`. */
  readonly micros: number
}

export const EPOCH_TIME: ColumnarTime = "1970-01-01 00:00:00.000000"

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
/** Years 1 to 9999: what all stores can keep. */
const FIRST_MS = -62_135_596_800_000
const END_MS = 253_402_300_800_000

let lastMinute = Number.NaN
let lastMinuteText = ""

/** Undefined for years that stores cannot keep. Most events are of the same minute: its text is made once. */
export function findColumnarTime(moment: Moment): ColumnarTime | undefined {
  const { ms } = moment
  if (!(ms >= FIRST_MS && ms < END_MS)) return undefined
  const minute = Math.floor(ms / MINUTE_MS)
  if (minute !== lastMinute) {
    lastMinuteText = minuteText(minute)
    lastMinute = minute
  }
  const rest = ms - minute * MINUTE_MS
  const second = Math.floor(rest / 1000)
  return `${lastMinuteText}${two(second)}.${three(rest - second * 1000)}${three(moment.micros)}`
}

/** "2026-01-02 03:04:" */
function minuteText(minute: number): string {
  const day = Math.floor(minute / DAY_MINUTES)
  const minuteOfDay = minute - day * DAY_MINUTES
  return `${dayText(day)} ${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}:`
}

/** Eleven years of them. */
const DAY_TEXTS_MAX = 4_096
const dayTexts = new Map<number, string>()

/** Imports of old events go back and forth between days. */
function dayText(day: number): string {
  let text = dayTexts.get(day)
  if (text === undefined) {
    text = new Date(day * DAY_MINUTES * MINUTE_MS).toISOString().slice(0, 10)
    if (dayTexts.size >= DAY_TEXTS_MAX) dayTexts.clear()
    dayTexts.set(day, text)
  }
  return text
}

/** Of fields as they are written. Undefined when there is no such day or time. */
export function findMs(
  [year, month, day]: readonly [number, number, number],
  [hour, minute, second]: readonly [number, number, number],
): number | undefined {
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 60)
    return undefined
  if (day > 28 && day > daysIn(year, month)) return undefined
  const midnight =
    year > 99 ? Date.UTC(year, month - 1, day) : midnightOfEarlyYear(year, month, day)
  return midnight + ((hour * 60 + minute) * 60 + second) * 1000
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
}

/** `Date.UTC` takes years below 100 for years of the twentieth century. */
function midnightOfEarlyYear(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day)
}

const TWO = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"))
const THREE = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"))

function two(number: number): string {
  return TWO[number] ?? ""
}

function three(number: number): string {
  return THREE[number] ?? ""
}
