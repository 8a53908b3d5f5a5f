/** Parts and starts of moments and dates, in the zone of the project unless another is named. */
import { call, number, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import { type Definition, defineGroup } from "./define.ts"
import type { CallParts, LoweringContext } from "./function.ts"
import { argOf, arithmetic, constantNumber, refuse } from "./lowering.ts"
import { asMoment, zoneOf } from "./zones.ts"

type LowerIn = (parts: CallParts, context: LoweringContext) => Expr

interface Placed {
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

/** Starts of days and shorter are moments. */
const startMoment = (
  unit: string,
  meaning: string,
  example: readonly [string, unknown],
): Definition => ({
  signature: "(moment|date, text?) -> moment",
  meaning,
  example,
  lower: (parts, context) => {
    const zone = zoneOf(parts, 1, context)
    return call("startOf", text(unit), asMoment(parts, 0, context), zone)
  },
})

const slot = (minutes: number, name: string, answer: string): Definition => ({
  signature: "(moment, text?) -> moment",
  meaning: `The start of the ${minutes} minutes that hold the moment.`,
  example: [`${name}(toDateTime('2026-01-02 03:44:05', 'UTC'))`, answer],
  lower: (parts, context) =>
    call("startOfMinutes", number(minutes), argOf(parts, 0), zoneOf(parts, 1, context)),
})

/** Starts of weeks and longer are dates. */
function startDate(unit: string, at: Placed): Expr {
  return call("dateOf", call("startOf", text(unit), at.moment, at.zone), at.zone)
}

const dateStart = (
  unit: string,
  meaning: string,
  example: readonly [string, unknown],
): Definition => ({
  signature: "(moment|date, text?) -> date",
  meaning,
  example,
  lower: (parts, context) => startDate(unit, placed(parts, 1, context)),
})

/** Even modes begin on Sunday, odd ones on Monday. */
function weekMode(parts: CallParts, context: LoweringContext): number {
  if (parts.args[1] === undefined) return context.weekStartsOn
  const mode = constantNumber(parts.args[1])
  if (mode === undefined || ![0, 1, 2, 3].includes(mode)) {
    return refuse(
      "The mode of a week is a constant from 0 to 3: even from Sunday, odd from Monday.",
    )
  }
  return mode
}

const weekUnit = (mode: number): string => (mode % 2 === 0 ? "weekSunday" : "week")

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

const lastDay =
  (
    unit: "month" | "week",
    modeOf: (parts: CallParts, context: LoweringContext) => number,
  ): LowerIn =>
  (parts, context) => {
    const at = placed(parts, unit === "week" ? 2 : 1, context)
    const start = call(
      "startOf",
      text(unit === "week" ? weekUnit(modeOf(parts, context)) : unit),
      at.moment,
      at.zone,
    )
    const next = call("addUnits", text(unit), number(1), start, at.zone)
    return call("dateOf", call("addUnits", text("day"), number(-1), next, at.zone), at.zone)
  }

const AT = "toDateTime('2026-01-02 03:44:05', 'UTC')"

const unixSeconds: LowerIn = (parts, context) => {
  const ms = call("unixMilliseconds", asMoment(parts, 0, context))
  return call("toInteger", call("floor", arithmetic(ms, "/", number(1000))))
}

export const DATES = defineGroup(
  { group: "Parts and starts of dates", kind: "scalar" },
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
    toStartOfSecond: startMoment("second", "The moment without its fraction of a second.", [
      "toStartOfSecond(toDateTime('2026-01-02 03:44:05.5', 'UTC'))",
      "2026-01-02T03:44:05Z",
    ]),
    toStartOfMinute: startMoment("minute", "The start of the minute.", [
      `toStartOfMinute(${AT})`,
      "2026-01-02T03:44:00Z",
    ]),
    toStartOfFiveMinutes: slot(5, "toStartOfFiveMinutes", "2026-01-02T03:40:00Z"),
    toStartOfTenMinutes: slot(10, "toStartOfTenMinutes", "2026-01-02T03:40:00Z"),
    toStartOfFifteenMinutes: slot(15, "toStartOfFifteenMinutes", "2026-01-02T03:30:00Z"),
    timeSlot: slot(30, "timeSlot", "2026-01-02T03:30:00Z"),
    toStartOfHour: startMoment("hour", "The start of the hour.", [
      `toStartOfHour(${AT})`,
      "2026-01-02T03:00:00Z",
    ]),
    toStartOfDay: startMoment("day", "The start of the day, as a moment.", [
      `toStartOfDay(${AT})`,
      "2026-01-02T00:00:00Z",
    ]),
    toStartOfWeek: {
      signature: "(moment|date, integer?, text?) -> date",
      meaning:
        "The first day of the week, as the project's weeks begin; even modes from Sunday, odd ones from Monday.",
      example: [`toStartOfWeek(${AT}, 1)`, "2025-12-29"],
      lower: (parts, context) =>
        startDate(weekUnit(weekMode(parts, context)), placed(parts, 2, context)),
    },
    toMonday: dateStart("week", "The Monday of the week.", [`toMonday(${AT})`, "2025-12-29"]),
    toStartOfMonth: dateStart("month", "The first day of the month.", [
      `toStartOfMonth(${AT})`,
      "2026-01-01",
    ]),
    toStartOfQuarter: dateStart("quarter", "The first day of the quarter.", [
      "toStartOfQuarter(toDate('2026-05-06'))",
      "2026-04-01",
    ]),
    toStartOfYear: dateStart("year", "The first day of the year.", [
      `toStartOfYear(${AT})`,
      "2026-01-01",
    ]),
    toStartOfISOYear: dateStart("isoYear", "The Monday on which the ISO year began.", [
      `toStartOfISOYear(${AT})`,
      "2025-12-29",
    ]),
    toLastDayOfMonth: {
      signature: "(moment|date, text?) -> date",
      meaning: "The last day of the month.",
      example: ["toLastDayOfMonth(toDate('2028-02-05'))", "2028-02-29"],
      lower: lastDay("month", () => 0),
    },
    toLastDayOfWeek: {
      signature: "(moment|date, integer?, text?) -> date",
      meaning: "The last day of the week; modes as for toStartOfWeek.",
      example: [`toLastDayOfWeek(${AT}, 1)`, "2026-01-04"],
      lower: lastDay("week", weekMode),
    },
  },
)
