/** Parts of moments and dates, in the zone of the project unless another is named. */
import { call, number, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import { type Definition, defineGroup } from "./define.ts"
import type { CallParts, LoweringContext } from "./function.ts"
import { argOf, arithmetic, constantNumber, refuse } from "./lowering.ts"
import { asMoment, zoneOf } from "./zones.ts"

export type LowerIn = (parts: CallParts, context: LoweringContext) => Expr

export interface Placed {
  readonly moment: Expr
  readonly zone: Expr
}

/** A date has the same parts everywhere. */
export function placed(parts: CallParts, zoneIndex: number, context: LoweringContext): Placed {
  const zone = zoneOf(parts, zoneIndex, context)
  if (parts.types[0]?.kind !== "date") return { moment: asMoment(parts, 0, context), zone }
  return { moment: call("momentOfDate", argOf(parts, 0), text("UTC")), zone: text("UTC") }
}

const partOf = ({ moment, zone }: Placed, name: string): Expr =>
  call("datePart", text(name), moment, zone)

const part = (name: string, meaning: string, example: readonly [string, unknown]): Definition => ({
  signature: "(moment|date, text?) -> integer",
  meaning,
  example,
  lower: (parts, context) => partOf(placed(parts, 1, context), name),
})

const times = (value: Expr, factor: number): Expr => arithmetic(value, "*", number(factor))
const plus = (...terms: readonly Expr[]): Expr =>
  terms.reduce((sum, term) => arithmetic(sum, "+", term))

const digits =
  (...names: readonly string[]): LowerIn =>
  (parts, context) => {
    const at = placed(parts, 1, context)
    return names.map((name) => partOf(at, name)).reduce((sum, term) => plus(times(sum, 100), term))
  }

/** Even modes begin on Sunday, odd ones on Monday. */
export function weekMode(parts: CallParts, context: LoweringContext): number {
  if (parts.args[1] === undefined) return context.weekStartsOn
  const mode = constantNumber(parts.args[1])
  if (mode === undefined || ![0, 1, 2, 3].includes(mode)) {
    return refuse(
      "The mode of a week is a constant from 0 to 3: even from Sunday, odd from Monday.",
    )
  }
  return mode
}

export const weekUnit = (mode: number): string => (mode % 2 === 0 ? "weekSunday" : "week")

/** Mode 0 counts from the first Sunday of the year, mode 1 from the first week with four days in it. */
const toWeek: LowerIn = (parts, context) => {
  const at = placed(parts, 2, context)
  const mode = weekMode(parts, context)
  if (mode === 3) return partOf(at, "isoWeek")
  if (mode === 2) return weekOfSunday(sundayOf(at))
  if (mode === 0) {
    const weekday = arithmetic(partOf(at, "dayOfWeek"), "%", number(7))
    const sum = arithmetic(plus(partOf(at, "dayOfYear"), number(6)), "-", weekday)
    return whole(sum)
  }
  const thursday = arithmetic(partOf(at, "dayOfYear"), "-", partOf(at, "dayOfWeek"))
  return whole(plus(thursday, number(10)))
}

const INTEGER = { kind: "integer", isNullable: true } as const

const whole = (days: Expr): Expr => ({
  kind: "call",
  name: "intDiv",
  args: [days, number(7)],
  types: [INTEGER, INTEGER],
})

const sundayOf = ({ moment, zone }: Placed): Placed => ({
  moment: call("startOf", text("weekSunday"), moment, zone),
  zone,
})

const weekOfSunday = (sunday: Placed): Expr => whole(plus(partOf(sunday, "dayOfYear"), number(6)))

const toYearWeek: LowerIn = (parts, context) => {
  const at = placed(parts, 2, context)
  if (weekMode(parts, context) % 2 === 1) {
    return plus(times(partOf(at, "isoYear"), 100), partOf(at, "isoWeek"))
  }
  const sunday = sundayOf(at)
  return plus(times(partOf(sunday, "year"), 100), weekOfSunday(sunday))
}

const AT = "toDateTime('2026-01-02 03:44:05', 'UTC')"

const unixSeconds: LowerIn = (parts, context) => {
  const ms = call("unixMilliseconds", asMoment(parts, 0, context))
  return call("toInteger", call("floor", arithmetic(ms, "/", number(1000))))
}

export const DATES = defineGroup(
  { group: "Parts of dates", kind: "scalar" },
  {
    toYear: part("year", "The year.", [`toYear(${AT})`, 2026]),
    toQuarter: part("quarter", "The quarter, 1 to 4.", [`toQuarter(${AT})`, 1]),
    toMonth: part("month", "The month, 1 to 12.", [`toMonth(${AT})`, 1]),
    toDayOfYear: part("dayOfYear", "The day of the year, from 1.", [`toDayOfYear(${AT})`, 2]),
    toDayOfMonth: part("dayOfMonth", "The day of the month, from 1.", [`toDayOfMonth(${AT})`, 2]),
    toDayOfWeek: part("dayOfWeek", "The day of the week, 1 Monday to 7 Sunday.", [
      `toDayOfWeek(${AT})`,
      5,
    ]),
    toHour: part("hour", "The hour, 0 to 23.", [`toHour(${AT})`, 3]),
    toMinute: part("minute", "The minute.", [`toMinute(${AT})`, 44]),
    toSecond: part("second", "The second.", [`toSecond(${AT})`, 5]),
    toISOYear: part("isoYear", "The year of the ISO week.", [
      "toISOYear(toDate('2027-01-01'))",
      2026,
    ]),
    toISOWeek: part("isoWeek", "The ISO week, 1 to 53.", ["toISOWeek(toDate('2027-01-01'))", 53]),
    toWeek: {
      signature: "(moment|date, integer?, text?) -> integer",
      meaning:
        "The week of the year. Mode 0: from the first Sunday, 0 before; 1: from the first week (from Monday) with four " +
        "days, 0 before; 2: like 0, the last week of the year before instead of 0; 3: ISO. Without a mode, 0 or 1 as " +
        "the project's weeks begin.",
      example: ["toWeek(toDate('2026-01-04'), 0)", 1],
      lower: toWeek,
    },
    toYearWeek: {
      signature: "(moment|date, integer?, text?) -> integer",
      meaning: "Year and week as one number; even modes as mode 2 of toWeek, odd ones ISO.",
      example: ["toYearWeek(toDate('2027-01-01'), 1)", 202_653],
      lower: toYearWeek,
    },
    toYYYYMM: {
      signature: "(moment|date, text?) -> integer",
      meaning: "Year and month as one number.",
      example: [`toYYYYMM(${AT})`, 202_601],
      lower: digits("year", "month"),
    },
    toYYYYMMDD: {
      signature: "(moment|date, text?) -> integer",
      meaning: "Year, month and day as one number.",
      example: [`toYYYYMMDD(${AT})`, 20_260_102],
      lower: digits("year", "month", "dayOfMonth"),
    },
    toYYYYMMDDhhmmss: {
      signature: "(moment|date, text?) -> integer",
      meaning: "Year to second as one number.",
      example: [`toYYYYMMDDhhmmss(${AT})`, 20_260_102_034_405],
      lower: digits("year", "month", "dayOfMonth", "hour", "minute", "second"),
    },
    toUnixTimestamp: {
      signature: "(moment|date) -> integer",
      meaning: "Whole seconds since 1970 (UTC).",
      example: [`toUnixTimestamp(${AT})`, 1_767_325_445],
      lower: unixSeconds,
    },
    toUnixTimestamp64Milli: {
      signature: "(moment|date) -> integer",
      meaning: "Whole milliseconds since 1970 (UTC).",
      example: [`toUnixTimestamp64Milli(${AT})`, 1_767_325_445_000],
      lower: (parts, context) => call("unixMilliseconds", asMoment(parts, 0, context)),
    },
  },
)
