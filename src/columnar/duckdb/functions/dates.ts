/** How DuckDB says functions of moments: through the clock on the wall, where the zone matters. */
import type { DATES } from "../../../query/functions/dates.ts"
import {
  type Call,
  constantNumber,
  constantText,
  once,
  type Printer,
  tryOnce,
  wholeNumber,
} from "./call.ts"
import { strftimeParts } from "./date-formats.ts"
import { isKnownSpan, type LongUnit, printOffset, printOffsetOfStart } from "./zone-offsets.ts"

export const DATE_PRINTERS: Readonly<Record<keyof typeof DATES, Printer>> = {
  addSeconds: ({ arg }) =>
    `(${arg(0)} + to_microseconds(CAST(CAST(${arg(1)} AS DOUBLE) * 1000000 AS BIGINT)))`,
  diffSeconds: ({ arg }) => `(date_sub('microsecond', ${arg(0)}, ${arg(1)}) / 1000000)`,
  diffDays: ({ arg }) => `date_diff('day', ${arg(0)}, ${arg(1)})`,
  diffHours: ({ arg }) =>
    `CAST(floor(date_sub('microsecond', ${arg(0)}, ${arg(1)}) / 3600000000) AS INTEGER)`,
  diffWeeks: ({ arg }) => `CAST(floor(date_diff('day', ${arg(0)}, ${arg(1)}) / 7) AS INTEGER)`,
  diffMonths: ({ arg }) => `date_diff('month', ${arg(0)}, ${arg(1)})`,
  truncateSecond: ({ arg }) => `date_trunc('second', ${arg(0)})`,
  startOf: printStartOf,
  startOfMinutes: printStartOfMinutes,
  dateOf: (call) => `CAST(${toWallClock(call.arg(0), call, 1)} AS DATE)`,
  momentOfDate: (call) => fromWallClock(`CAST(${call.arg(0)} AS TIMESTAMP)`, call, 1),
  datePart: (call) =>
    `date_part('${known(PARTS, constantText(call, 0))}', ${toWallClock(call.arg(1), call, 2)})`,
  addUnits: printAddUnits,
  diffUnits: printDiffUnits,
  formatMoment: printFormatMoment,
  momentText: (call) => `strftime(${toWallClock(call.arg(0), call, 1)}, '%Y-%m-%d %H:%M:%S')`,
  unixMilliseconds: ({ arg }) => `epoch_ms(${arg(0)})`,
  momentOfUnix: ({ arg }) =>
    once(
      arg(0),
      (x) =>
        `CASE WHEN abs(${x}) < ${UNIX_SECONDS_MAX} THEN make_timestamp(CAST(round(${x} * 1000000) AS BIGINT)) END`,
    ),
  zoneOffset: (call) =>
    once(call.arg(0), (x) => `date_sub('second', ${x}, ${toWallClock(x, call, 1)})`),
  inZone: ({ arg }) => arg(0),
}

/** 9999-12-31. */
const UNIX_SECONDS_MAX = "253402300800"

const PARTS: Readonly<Record<string, string>> = {
  year: "year",
  quarter: "quarter",
  month: "month",
  dayOfMonth: "day",
  dayOfYear: "doy",
  dayOfWeek: "isodow",
  hour: "hour",
  minute: "minute",
  second: "second",
  isoYear: "isoyear",
  isoWeek: "week",
}

const UNITS: Readonly<Record<string, string>> = {
  second: "second",
  minute: "minute",
  hour: "hour",
  day: "day",
  week: "week",
  month: "month",
  quarter: "quarter",
  year: "year",
}

/** Shorter than a day: they have a length, and clocks that are set back do not repeat them. */
const SHORT_UNITS: ReadonlySet<string> = new Set(["second", "minute", "hour"])

function known(words: Readonly<Record<string, string>>, name: string): string {
  const word = Object.hasOwn(words, name) ? words[name] : undefined
  if (word === undefined) throw new Error(`"${name}" is no unit of time`)
  return word
}

function zoneOf(call: Call, zoneIndex: number): string | undefined {
  const zone = call.exprs[zoneIndex]
  return zone?.kind === "value" && zone.value.type === "text" ? zone.value.value : undefined
}

const isUtc = (call: Call, zoneIndex: number): boolean => zoneOf(call, zoneIndex) === "UTC"

/** A text that may well be repeated: under a name of its own it would take longer than the zone. */
const isShort = (text: string): boolean => text.length <= SHORT_LENGTH_MAX

const SHORT_LENGTH_MAX = 80

function toWallClock(moment: string, call: Call, zoneIndex: number): string {
  const zone = zoneOf(call, zoneIndex)
  if (zone === "UTC") return moment
  const slow = () => `timezone(${call.arg(zoneIndex)}, timezone('UTC', ${moment}))`
  if (zone === undefined || !isShort(moment)) return slow()
  const micros = `epoch_us(${moment})`
  const fast = `make_timestamp(${micros} + ${printOffset(micros, zone)})`
  return `CASE WHEN ${isKnownSpan(micros)} THEN ${fast} ELSE ${slow()} END`
}

export function fromWallClock(local: string, call: Call, zoneIndex: number): string {
  if (isUtc(call, zoneIndex)) return local
  return `timezone('UTC', timezone(${call.arg(zoneIndex)}, ${local}))`
}

/** The start of a unit, from a short text of a moment. */
function startInZone(moment: string, unit: LongUnit, zone: string): string {
  const micros = `epoch_us(${moment})`
  const wall = `make_timestamp(${micros} + ${printOffset(micros, zone)})`
  const start = `epoch_us(${truncated(unit, wall)})`
  return `make_timestamp(${start} - ${printOffsetOfStart(micros, zone, unit)})`
}

function truncated(unit: LongUnit, wall: string): string {
  if (unit !== "weekSunday") return `date_trunc('${unit}', ${wall})`
  return `date_trunc('week', ${wall} + INTERVAL 1 DAY) - INTERVAL 1 DAY`
}

function isLong(unit: string): unit is LongUnit {
  return unit === "weekSunday" || (Object.hasOwn(UNITS, unit) && !SHORT_UNITS.has(unit))
}

function printStartOf(call: Call): string {
  const unit = constantText(call, 0)
  const [moment, local] = [call.arg(1), (x: string) => toWallClock(x, call, 2)]
  if (isLong(unit)) {
    const zone = zoneOf(call, 2)
    const slow = () => fromWallClock(truncated(unit, local(moment)), call, 2)
    if (zone === undefined || zone === "UTC" || !isShort(moment)) return slow()
    const micros = `epoch_us(${moment})`
    return `CASE WHEN ${isKnownSpan(micros)} THEN ${startInZone(moment, unit, zone)} ELSE ${slow()} END`
  }
  if (unit === "isoYear") {
    const start = (x: string) =>
      `date_trunc('week', CAST(make_date(date_part('isoyear', ${x}), 1, 4) AS TIMESTAMP))`
    return fromWallClock(once(local(moment), start), call, 2)
  }
  const word = known(UNITS, unit)
  if (isUtc(call, 2)) return `date_trunc('${word}', ${moment})`
  return startOfShort({ moment, unit: word, local })
}

function printStartOfMinutes(call: Call): string {
  const count = constantNumber(call, 0)
  if (!Number.isSafeInteger(count) || count < 1 || 60 % count !== 0) {
    throw new Error(`${count} minutes do not divide an hour`)
  }
  return once(call.arg(1), (x) =>
    once(
      toWallClock(x, call, 2),
      (wall) =>
        `${x} - (${wall} - date_trunc('hour', ${wall})) + ` +
        `to_minutes(date_part('minute', ${wall}) // ${count} * ${count})`,
      "w",
    ),
  )
}

const ADDED: Readonly<Record<string, (count: string) => string>> = {
  second: (count) => `to_seconds(${count})`,
  minute: (count) => `to_minutes(${count})`,
  hour: (count) => `to_hours(${count})`,
  day: (count) => `to_days(CAST(${count} AS INTEGER))`,
  week: (count) => `to_days(CAST(${count} * 7 AS INTEGER))`,
  month: (count) => `to_months(CAST(${count} AS INTEGER))`,
  quarter: (count) => `to_months(CAST(${count} * 3 AS INTEGER))`,
  year: (count) => `to_months(CAST(${count} * 12 AS INTEGER))`,
}

function printAddUnits(call: Call): string {
  const unit = constantText(call, 0)
  const interval = ADDED[known(UNITS, unit)]
  if (interval === undefined) throw new Error(`"${unit}" is no unit of time`)
  const count = wholeNumber(call.arg(1))
  const moment = call.arg(2)
  const added = tryOnce([count, moment], (n = "", x = "") => {
    if (SHORT_UNITS.has(unit)) return `${x} + ${interval(n)}`
    return fromWallClock(`${toWallClock(x, call, 3)} + ${interval(n)}`, call, 3)
  })
  return once(added, (x) => `CASE WHEN ${x} < TIMESTAMP '10000-01-01' THEN ${x} END`, "s")
}

/** Weeks of the engine count from a Thursday; hours of a zone may begin at half past those of UTC. */
function printDiffUnits(call: Call): string {
  const unit = known(UNITS, constantText(call, 0))
  const [from, until] = [call.arg(1), call.arg(2)]
  const local = (moment: string) => toWallClock(moment, call, 3)
  switch (unit) {
    case "week":
      return `(date_diff('day', date_trunc('week', ${local(from)}), date_trunc('week', ${local(until)})) // 7)`
    case "hour":
      if (isUtc(call, 3)) return `date_diff('hour', ${from}, ${until})`
      return `(date_sub('second', ${startOfHour(from, call)}, ${startOfHour(until, call)}) // 3600)`
    case "second":
    case "minute":
      return `date_diff('${unit}', ${from}, ${until})`
    default:
      return `date_diff('${unit}', ${local(from)}, ${local(until)})`
  }
}

function startOfHour(moment: string, call: Call): string {
  return startOfShort({ moment, unit: "hour", local: (x) => toWallClock(x, call, 3) })
}

interface ShortStart {
  readonly moment: string
  readonly unit: string
  readonly local: (moment: string) => string
}

/** Back from the moment itself: the clock on the wall may show the same hour twice. */
function startOfShort({ moment, unit, local }: ShortStart): string {
  if (isShort(moment)) {
    const wall = local(moment)
    return `(${moment} - (${wall} - date_trunc('${unit}', ${wall})))`
  }
  return once(moment, (x) =>
    once(local(x), (wall) => `${x} - (${wall} - date_trunc('${unit}', ${wall}))`, "w"),
  )
}

function printFormatMoment(call: Call): string {
  return once(call.arg(1), (moment) =>
    once(
      toWallClock(moment, call, 2),
      (wall) => strftimeParts(constantText(call, 0), { moment, wall }),
      "w",
    ),
  )
}
