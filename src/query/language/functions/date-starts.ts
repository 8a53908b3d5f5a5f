/** Starts and ends of units of time. */
import { call, number, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import { type LowerIn, type Placed, placed, weekMode, weekUnit } from "./dates.ts"
import { type Definition, defineGroup } from "./define.ts"
import type { CallParts, LoweringContext } from "./function.ts"
import { argOf } from "./lowering.ts"
import { asMoment, zoneOf } from "./zones.ts"

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

export const DATE_STARTS = defineGroup(
  { group: "Starts of days, weeks and the like", kind: "scalar" },
  {
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
