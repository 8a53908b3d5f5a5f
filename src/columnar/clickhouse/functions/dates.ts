/** How ClickHouse says functions of moments. A moment is DateTime64(6, 'UTC'). */
import type { DATES } from "../../../query/functions/dates.ts"
import { bind } from "../printer-state.ts"
import { type Call, constantNumber, constantText, once, type Printer, whole } from "./call.ts"
import { formatsOf } from "./date-formats.ts"

const MICROS = { second: 1_000_000, minute: 60_000_000, hour: 3_600_000_000 } as const

export const DATE_PRINTERS: Readonly<Record<keyof typeof DATES, Printer>> = {
  addSeconds: ({ arg }) =>
    ofMicros(`${micros(arg(0))} + toInt64(round(toFloat64(${arg(1)}) * 1000000))`),
  diffSeconds: ({ arg }) => `((${micros(arg(1))} - ${micros(arg(0))}) / 1000000)`,
  diffDays: ({ arg }) => `dateDiff('day', ${arg(0)}, ${arg(1)}, 'UTC')`,
  diffHours: ({ arg }) =>
    `toInt64(floor((${micros(arg(1))} - ${micros(arg(0))}) / ${MICROS.hour}))`,
  diffWeeks: ({ arg }) => `toInt64(floor(dateDiff('day', ${arg(0)}, ${arg(1)}, 'UTC') / 7))`,
  diffMonths: ({ arg }) => `dateDiff('month', ${arg(0)}, ${arg(1)}, 'UTC')`,
  truncateSecond: ({ arg }) =>
    once(micros(arg(0)), (m) => cut(m, { by: MICROS.second, ahead: "0" })),
  startOf: printStartOf,
  startOfMinutes: printStartOfMinutes,
  dateOf: (call) => `toDate32(${inZone(call.arg(0), call, 1)})`,
  momentOfDate: (call) => `toTimeZone(toDateTime64(${call.arg(0)}, 6, ${zoneOf(call, 1)}), 'UTC')`,
  datePart: (call) =>
    `toInt64(${known(PARTS, constantText(call, 0))}(${inZone(call.arg(1), call, 2)}))`,
  addUnits: printAddUnits,
  diffUnits: printDiffUnits,
  formatMoment: printFormat,
  momentText: (call) => `formatDateTime(${call.arg(0)}, '%Y-%m-%d %H:%i:%S', ${zoneOf(call, 1)})`,
  unixMilliseconds: ({ arg }) => `toInt64(floor(${micros(arg(0))} / 1000))`,
  momentOfUnix: ({ arg }) =>
    once(`toFloat64(${arg(0)})`, (x) => {
      const isAllowed = `abs(${x}) < ${UNIX_SECONDS_MAX}`
      return `if(${isAllowed}, ${ofMicros(`toInt64(round(${x} * 1000000))`)}, NULL)`
    }),
  zoneOffset: (call) => `toInt64(timeZoneOffset(${inZone(call.arg(0), call, 1)}))`,
  inZone: ({ arg }) => arg(0),
}

/** 9999-12-31. */
const UNIX_SECONDS_MAX = "253402300800"

const PARTS: Readonly<Record<string, string>> = {
  year: "toYear",
  quarter: "toQuarter",
  month: "toMonth",
  dayOfMonth: "toDayOfMonth",
  dayOfYear: "toDayOfYear",
  dayOfWeek: "toDayOfWeek",
  hour: "toHour",
  minute: "toMinute",
  second: "toSecond",
  isoYear: "toISOYear",
  isoWeek: "toISOWeek",
}

/** The first day of the unit, as a date. */
const FIRST_DAYS: Readonly<Record<string, (local: string) => string>> = {
  day: (local) => `toDate32(${local})`,
  week: (local) => `toMonday(${local})`,
  weekSunday: (local) => `toStartOfWeek(${local}, 0)`,
  month: (local) => `toStartOfMonth(${local})`,
  quarter: (local) => `toStartOfQuarter(${local})`,
  year: (local) => `toStartOfYear(${local})`,
  isoYear: (local) => `toStartOfISOYear(${local})`,
}

function known<T>(words: Readonly<Record<string, T>>, name: string): T {
  const word = Object.hasOwn(words, name) ? words[name] : undefined
  if (word === undefined) throw new Error(`"${name}" is no unit of time`)
  return word
}

const micros = (moment: string): string => `toUnixTimestamp64Micro(${moment})`
const ofMicros = (count: string): string => `fromUnixTimestamp64Micro(${count}, 'UTC')`

/** The engine wants a constant. */
function zoneOf(call: Call, index: number): string {
  return bind(call.state.params, "String", constantText(call, index))
}

/** The same moment, as the clock of the zone shows it. */
function inZone(moment: string, call: Call, zoneIndex: number): string {
  return `toTimeZone(${moment}, ${zoneOf(call, zoneIndex)})`
}

/** The moment at which the clock of the zone shows what `wall` shows in UTC. */
export function momentIn(wall: string, call: Call, zoneIndex: number): string {
  if (constantText(call, zoneIndex) === "UTC") return wall
  return `toTimeZone(toDateTime64(toString(${wall}), 6, ${zoneOf(call, zoneIndex)}), 'UTC')`
}

/** Back from the moment itself: the clock on the wall may show the same hour twice. */
function cut(moment: string, { by, ahead }: { by: number; ahead: string }): string {
  return ofMicros(`${moment} - positiveModulo(${moment} + ${ahead} * 1000000, ${by})`)
}

function printStartOf(call: Call): string {
  const unit = constantText(call, 0)
  if (unit === "second" || unit === "minute" || unit === "hour") {
    return printSlot(call, MICROS[unit])
  }
  const day = known(FIRST_DAYS, unit)(inZone(call.arg(1), call, 2))
  return `toTimeZone(toDateTime64(${day}, 6, ${zoneOf(call, 2)}), 'UTC')`
}

function printStartOfMinutes(call: Call): string {
  const count = constantNumber(call, 0)
  if (!Number.isSafeInteger(count) || count < 1 || 60 % count !== 0) {
    throw new Error(`${count} minutes do not divide an hour`)
  }
  return printSlot(call, MICROS.minute * count)
}

function printSlot(call: Call, by: number): string {
  const isUtc = constantText(call, 2) === "UTC"
  return once(call.arg(1), (x) => {
    const ahead = isUtc ? "0" : `timeZoneOffset(${inZone(x, call, 2)})`
    return cut(micros(x), { by, ahead })
  })
}

const ADDERS: Readonly<Record<string, string>> = {
  second: "addSeconds",
  minute: "addMinutes",
  hour: "addHours",
  day: "addDays",
  week: "addWeeks",
  month: "addMonths",
  quarter: "addQuarters",
  year: "addYears",
}

/** Years that the engine's calendar holds, with a margin. */
const YEARS = { min: 1901, max: 2298 } as const

const UNITS_PER_YEAR: Readonly<Record<string, number>> = {
  second: 31_556_952,
  minute: 525_949.2,
  hour: 8_765.82,
  day: 365.2425,
  week: 52.1775,
  month: 12,
  quarter: 4,
  year: 1,
}

/** Null past the engine's calendar. */
function printAddUnits(call: Call): string {
  const unit = constantText(call, 0)
  const adder = known(ADDERS, unit)
  return once(whole(call, 1), (n) => {
    const year = `toYear(${call.arg(2)}) + ${n} / ${known(UNITS_PER_YEAR, unit)}`
    const isNear = `${year} >= ${YEARS.min} AND ${year} < ${YEARS.max}`
    const added = `${adder}(${inZone(call.arg(2), call, 3)}, if(${isNear}, ${n}, 0))`
    return `if(${isNear}, toTimeZone(${added}, 'UTC'), NULL)`
  })
}

function printDiffUnits(call: Call): string {
  const unit = constantText(call, 0)
  known(ADDERS, unit)
  const zone = unit === "second" || unit === "minute" ? "'UTC'" : zoneOf(call, 3)
  return `dateDiff('${unit}', ${call.arg(1)}, ${call.arg(2)}, ${zone})`
}

function printFormat(call: Call): string {
  const zone = zoneOf(call, 2)
  const day = `leftPad(toString(toDayOfMonth(${inZone(call.arg(1), call, 2)})), 2, ' ')`
  const parts = formatsOf(constantText(call, 0)).map((format) => {
    return `formatDateTime(${call.arg(1)}, ${bind(call.state.params, "String", format)}, ${zone})`
  })
  return parts.length === 1 ? `${parts[0]}` : `concat(${parts.join(`, ${day}, `)})`
}
