/**
 * Times as clients write them: ISO 8601 with or without an offset (none = UTC), date only, slashes, RFC 2822,
 * seconds or milliseconds since 1970 as a number or as text.
 */
import type { JsonValue } from "../../lib/json.ts"
import { findMs, type Moment } from "./moment.ts"

/** No form is longer; it also bounds what the patterns look at. */
const TEXT_LENGTH_MAX = 64

/** Undefined for what is no time. */
export function findMoment(value: JsonValue | undefined): Moment | undefined {
  if (typeof value === "number") return fromNumber(value)
  if (typeof value !== "string" || value.length > TEXT_LENGTH_MAX) return undefined
  return fromCommonForm(value) ?? fromText(value.trim())
}

/** From here on a number counts milliseconds: as seconds it would be the year 5138. */
const SECONDS_END = 100_000_000_000

function fromNumber(value: number): Moment | undefined {
  if (!Number.isFinite(value)) return undefined
  const micros = Math.round(Math.abs(value) < SECONDS_END ? value * 1_000_000 : value * 1000)
  const ms = Math.floor(micros / 1000)
  return { ms, micros: micros - ms * 1000 }
}

/** "2026-01-02T03:04:05.678Z", which nearly all clients send, without a pattern. */
function fromCommonForm(text: string): Moment | undefined {
  if (text.length !== 24 || text.charCodeAt(10) !== 0x54 || text.charCodeAt(23) !== 0x5a) return
  if (text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d) return undefined
  if (text.charCodeAt(13) !== 0x3a || text.charCodeAt(16) !== 0x3a) return undefined
  if (text.charCodeAt(19) !== 0x2e) return undefined
  const year = digits(text, 0) * 100 + digits(text, 2)
  const fraction = digits(text, 20) * 10 + digit(text, 22)
  const ms = findMs(
    [year, digits(text, 5), digits(text, 8)],
    [digits(text, 11), digits(text, 14), digits(text, 17)],
  )
  // What is no digit makes all sums NaN.
  return ms === undefined || !(ms + fraction <= Infinity)
    ? undefined
    : { ms: ms + fraction, micros: 0 }
}

function digits(text: string, index: number): number {
  return digit(text, index) * 10 + digit(text, index + 1)
}

function digit(text: string, index: number): number {
  const value = text.charCodeAt(index) - 0x30
  return value >= 0 && value <= 9 ? value : Number.NaN
}

const CLOCK = String.raw`(\d{1,2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?`
const ZONE = String.raw`\s*(Z|UTC|GMT|[-+]\d{2}(?::?\d{2})?)?`
const ISO = new RegExp(
  String.raw`^([-+]\d{6}|\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ]${CLOCK}${ZONE})?)?)?$`,
  "i",
)
const BASIC = new RegExp(String.raw`^(\d{4})(\d{2})(\d{2})(?:T${CLOCK}${ZONE})?$`, "i")
const YEAR_FIRST = new RegExp(
  String.raw`^(\d{4})/(\d{1,2})/(\d{1,2})(?:[T ]${CLOCK}${ZONE})?$`,
  "i",
)
const MONTH_FIRST = new RegExp(String.raw`^(\d{1,2})/(\d{1,2})/(\d{4})(?: ${CLOCK}${ZONE})?$`, "i")
const RFC_2822 = new RegExp(
  String.raw`^(?:[a-z]{3,9},?\s+)?(\d{1,2})[ -]([a-z]{3})[ -](\d{4})\s+${CLOCK}${ZONE}$`,
  "i",
)
const SINCE_1970 = /^\d{9,14}(?:\.\d+)?$/
const MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"

function fromText(text: string): Moment | undefined {
  if (SINCE_1970.test(text)) return fromNumber(Number(text))
  const yearFirst = ISO.exec(text) ?? BASIC.exec(text) ?? YEAR_FIRST.exec(text)
  if (yearFirst !== null) {
    const [, year, month = "1", day = "1", ...clock] = yearFirst
    return fromFields([Number(year), Number(month), Number(day)], clock)
  }
  const monthFirst = MONTH_FIRST.exec(text)
  if (monthFirst !== null) {
    const [, month, day, year, ...clock] = monthFirst
    return fromFields([Number(year), Number(month), Number(day)], clock)
  }
  const [, day, monthName = "", year, ...clock] = RFC_2822.exec(text) ?? []
  const monthIndex = MONTHS.indexOf(monthName.toLowerCase()) / 3
  if (monthName === "" || !Number.isInteger(monthIndex) || monthIndex < 0) return undefined
  return fromFields([Number(year), monthIndex + 1, Number(day)], clock)
}

function fromFields(
  date: readonly [number, number, number],
  [hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"]: readonly (
    | string
    | undefined
  )[],
): Moment | undefined {
  const ms = findMs(date, [Number(hour), Number(minute), Number(second)])
  const offsetMs = findOffsetMs(zone)
  if (ms === undefined || offsetMs === undefined) return undefined
  const micros = Number(fraction.slice(0, 6).padEnd(6, "0"))
  const wholeMs = Math.floor(micros / 1000)
  return { ms: ms - offsetMs + wholeMs, micros: micros - wholeMs * 1000 }
}

function findOffsetMs(zone: string): number | undefined {
  const sign = zone.startsWith("-") ? -1 : 1
  if (!zone.startsWith("+") && sign > 0) return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(":", ""))
  return hours > 23 || minutes > 59 ? undefined : sign * (hours * 60 + minutes) * 60_000
}
