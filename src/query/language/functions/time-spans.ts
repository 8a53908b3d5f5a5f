/** Moments and dates moved, compared, read and written. */
import { call, gt, lt, lte, number, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { INTERVAL_UNITS, type IntervalUnit } from "../ast.ts"
import { placed } from "./dates.ts"
import { type Definition, defineGroup } from "./define.ts"
import type { CallParts, LanguageFunction, LoweringContext, Verdict } from "./function.ts"
import { argOf, arithmetic, choose, constantText, letBe, NULL, refuse } from "./lowering.ts"
import { asMoment, zoneFrom, zoneOf } from "./zones.ts"

const SHORT_UNITS: ReadonlySet<IntervalUnit> = new Set(["second", "minute", "hour"])
const SPELLINGS: ReadonlyMap<string, IntervalUnit> = new Map([
  ...INTERVAL_UNITS.flatMap((unit) => [[unit, unit] as const, [`${unit}s`, unit] as const]),
  ["ss", "second"],
  ["s", "second"],
  ["mi", "minute"],
  ["n", "minute"],
  ["hh", "hour"],
  ["h", "hour"],
  ["dd", "day"],
  ["d", "day"],
  ["wk", "week"],
  ["ww", "week"],
  ["mm", "month"],
  ["m", "month"],
  ["qq", "quarter"],
  ["q", "quarter"],
  ["yyyy", "year"],
  ["yy", "year"],
])

function unitFrom(expr: Expr | undefined): IntervalUnit {
  const written = constantText(expr)
  const unit = written === undefined ? undefined : SPELLINGS.get(written.toLowerCase())
  return unit ?? refuse(`The unit must be a constant text, one of ${INTERVAL_UNITS.join(", ")}.`)
}

interface Shift {
  readonly unit: IntervalUnit
  readonly count: Expr
}

/** Of the first argument. A date stays one, unless it moves by less than a day. */
function lowerShift(parts: CallParts, { unit, count }: Shift, context: LoweringContext): Expr {
  if (parts.types[0]?.kind !== "date" || SHORT_UNITS.has(unit)) {
    const zone = zoneOf({ ...parts, args: parts.args.slice(0, 1) }, 1, context)
    return call("addUnits", text(unit), count, asMoment(parts, 0, context), zone)
  }
  const { moment, zone } = placed({ ...parts, args: parts.args.slice(0, 1) }, 1, context)
  return call("dateOf", call("addUnits", text(unit), count, moment, zone), zone)
}

const negative = (count: Expr): Expr => arithmetic(number(0), "-", count)

const MOMENT: Type = { kind: "moment", isNullable: true }

/** addDays(x, n) and its kind. */
function shiftBy(unit: IntervalUnit, isBack: boolean, example: Definition["example"]): Definition {
  const typeOf = ([type]: readonly Type[]): Verdict => ({
    type: type?.kind === "date" && !SHORT_UNITS.has(unit) ? { ...type, isNullable: true } : MOMENT,
  })
  return {
    signature: "(moment|date, number) -> moment?",
    meaning: `So many ${unit}s ${isBack ? "before" : "after"}.`,
    ...(example === undefined ? {} : { example }),
    typeOf,
    lower: (parts, context) => {
      const given = argOf(parts, 1)
      return lowerShift(parts, { unit, count: isBack ? negative(given) : given }, context)
    },
  }
}

const capital = (unit: string): string => `${unit.charAt(0).toUpperCase()}${unit.slice(1)}s`

const EXAMPLES: Readonly<Record<string, Definition["example"]>> = {
  addDays: ["addDays(toDate('2026-01-31'), 1)", "2026-02-01"],
  addMonths: ["addMonths(toDate('2026-01-31'), 1)", "2026-02-28"],
  addHours: ["addHours(toDateTime('2026-01-31 23:00:00', 'UTC'), 2)", "2026-02-01T01:00:00Z"],
  subtractWeeks: ["subtractWeeks(toDate('2026-01-31'), 2)", "2026-01-17"],
  subtractYears: ["subtractYears(toDate('2028-02-29'), 1)", "2027-02-28"],
}

const SHIFTS: Readonly<Record<string, Definition>> = Object.fromEntries(
  ["add", "subtract"].flatMap((word) =>
    INTERVAL_UNITS.map((unit) => {
      const name = `${word}${capital(unit)}`
      return [name, shiftBy(unit, word === "subtract", EXAMPLES[name])]
    }),
  ),
)

/** dateAdd(unit, n, x). */
function shiftNamed(isBack: boolean, example: Definition["example"]): Definition {
  return {
    signature: "(text, number, moment|date) -> moment?",
    meaning: `So many (second) units (first) ${isBack ? "before" : "after"} the third argument.`,
    ...(example === undefined ? {} : { example }),
    typeOf: ([, , type]) => ({
      type: type?.kind === "date" ? { ...type, isNullable: true } : MOMENT,
    }),
    lower: ({ args, types, ...rest }, context) => {
      const [unit, count = NULL, moment = NULL] = args
      const type = types[2] ?? MOMENT
      const moved = lowerShift(
        { ...rest, args: [moment], types: [type] },
        { unit: unitFrom(unit), count: isBack ? negative(count) : count },
        context,
      )
      const isShort = SHORT_UNITS.has(unitFrom(unit))
      return type.kind === "date" && isShort ? call("dateOf", moved, text(context.timezone)) : moved
    },
  }
}

interface Span {
  readonly unit: Expr
  readonly from: Expr
  readonly until: Expr
  readonly zone: Expr
}

/** dateDiff(unit, from, until, zone). */
function spanOf(parts: CallParts, context: LoweringContext): Span {
  const unit = text(unitFrom(parts.args[0]))
  return {
    unit,
    from: asMoment(parts, 1, context),
    until: asMoment(parts, 2, context),
    zone: zoneOf(parts, 3, context),
  }
}

function lowerDiff(parts: CallParts, context: LoweringContext): Expr {
  const { unit, from, until, zone } = spanOf(parts, context)
  return call("diffUnits", unit, from, until, zone)
}

/** Starts that lie between, less one if the last unit is not over. */
function lowerAge(parts: CallParts, context: LoweringContext): Expr {
  const { unit, zone, ...ends } = spanOf(parts, context)
  return letBe(ends.from, "from", (from) =>
    letBe(ends.until, "until", (until) =>
      letBe(call("diffUnits", unit, from, until, zone), "count", (count) => {
        const reached = call("addUnits", unit, count, from, zone)
        const later = choose(gt(reached, until), arithmetic(count, "-", number(1)), count)
        const earlier = choose(lt(reached, until), arithmetic(count, "+", number(1)), count)
        return choose(lte(from, until), later, earlier)
      }),
    ),
  )
}

function lowerTrunc(parts: CallParts, context: LoweringContext): Expr {
  const unit = unitFrom(parts.args[0])
  const zone = zoneOf(parts, 2, context)
  return call("startOf", text(unit), asMoment(parts, 1, context), zone)
}

function lowerFormat(parts: CallParts, context: LoweringContext): Expr {
  const format = argOf(parts, 1)
  if (constantText(format) === undefined) refuse("The format of a date must be a constant text.")
  const { moment, zone } = placed(parts, 2, context)
  return call("formatMoment", format, moment, zone)
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ["year", "%Y"],
  ["quarter", "%Q"],
  ["month", "%M"],
  ["dayofyear", "%j"],
  ["day", "%d"],
  ["week", "%V"],
  ["weekday", "%W"],
  ["hour", "%H"],
  ["minute", "%i"],
  ["second", "%S"],
])

function lowerDateName(parts: CallParts, context: LoweringContext): Expr {
  const format = NAMES.get(constantText(parts.args[0])?.toLowerCase() ?? "")
  if (format === undefined) refuse(`The part must be one of ${[...NAMES.keys()].join(", ")}.`)
  const rest = { ...parts, args: parts.args.slice(1), types: parts.types.slice(1) }
  const { moment, zone } = placed(rest, 1, context)
  return call("formatMoment", text(format ?? ""), moment, zone)
}

function constantMoment(at: Date): Expr {
  const value = at.toISOString().slice(0, -1).replace("T", " ")
  return { kind: "value", value: { type: "timestamp", value } }
}

const now: Definition = {
  signature: "() -> moment",
  meaning: "The moment at which the query began, the same in all of it.",
  lower: (_parts, context) => constantMoment(context.now),
}

const dayFromNow =
  (days: number): LanguageFunction["lower"] =>
  (_parts, context) => {
    const zone = text(context.timezone)
    const moment = call("addUnits", text("day"), number(days), constantMoment(context.now), zone)
    return call("dateOf", moment, zone)
  }

const AT = "toDateTime('2026-01-02 03:04:05', 'UTC')"

export const TIME_SPANS = defineGroup(
  { group: "Dates moved, compared and written", kind: "scalar" },
  {
    now,
    NOW: now,
    nowInBlock: now,
    today: {
      signature: "() -> date",
      meaning: "The date at which the query began.",
      lower: dayFromNow(0),
    },
    yesterday: { signature: "() -> date", meaning: "The day before today.", lower: dayFromNow(-1) },
    ...SHIFTS,
    dateAdd: shiftNamed(false, [
      "dateAdd('month', 1, toDateTime('2026-01-31 00:00:00', 'UTC'))",
      "2026-02-28T00:00:00Z",
    ]),
    dateSub: shiftNamed(true, ["dateSub('day', 1, toDate('2026-01-01'))", "2025-12-31"]),
    timeStampAdd: shiftNamed(false, undefined),
    timeStampSub: shiftNamed(true, undefined),
    dateDiff: {
      signature: "(text, moment|date, moment|date, text?) -> integer",
      meaning:
        "How many starts of the unit (second to year; weeks from Monday) lie after the second argument up to the " +
        "third; negative if it is later.",
      example: ["dateDiff('month', toDate('2026-01-31'), toDate('2026-02-01'))", 1],
      lower: lowerDiff,
    },
    age: {
      signature: "(text, moment|date, moment|date, text?) -> integer",
      meaning: "How many whole units lie between both.",
      example: ["age('month', toDate('2026-01-31'), toDate('2026-02-01'))", 0],
      lower: lowerAge,
    },
    dateTrunc: {
      signature: "(text, moment|date, text?) -> moment",
      meaning: "The start of the unit (second to year; weeks from Monday), as a moment.",
      example: [`dateTrunc('month', ${AT})`, "2026-01-01T00:00:00Z"],
      lower: lowerTrunc,
    },
    formatDateTime: {
      signature: "(moment|date, text, text?) -> text",
      meaning:
        "Written in a format (constant): %Y year, %m month, %d day, %H hour, %i minute, %S second, %f microseconds, " +
        "%y, %e, %j, %I, %p, %M January, %b Jan, %W Monday, %a Mon, %u, %w, %V and %G ISO week and year, %Q quarter, " +
        "%F = %Y-%m-%d, %T = %H:%i:%S, %R, %D, %z +0100, %n, %t, %%.",
      example: [`formatDateTime(${AT}, '%d.%m.%Y %H:%i')`, "02.01.2026 03:04"],
      lower: lowerFormat,
    },
    dateName: {
      signature: "(text, moment|date, text?) -> text",
      meaning:
        "A part as text: year, quarter, month, dayofyear, day, week, weekday, hour, minute, second.",
      example: [`dateName('weekday', ${AT})`, "Friday"],
      lower: lowerDateName,
    },
    monthName: {
      signature: "(moment|date, text?) -> text",
      meaning: "The name of the month.",
      example: [`monthName(${AT})`, "January"],
      lower: (parts, context) => {
        const { moment, zone } = placed(parts, 1, context)
        return call("formatMoment", text("%M"), moment, zone)
      },
    },
    toTimeZone: {
      signature: "(moment, text) -> moment",
      meaning:
        "The moment itself; functions of dates directly around it use this zone. Answers show moments in the project's.",
      example: [`toHour(toTimeZone(${AT}, 'Asia/Tokyo'))`, 12],
      lower: (parts) => call("inZone", argOf(parts, 0), zoneFrom(argOf(parts, 1))),
    },
    timeZoneOf: {
      signature: "(moment) -> text",
      meaning: "The zone that functions of dates around the moment use.",
      example: [`timeZoneOf(toTimeZone(${AT}, 'Asia/Tokyo'))`, "Asia/Tokyo"],
      lower: (parts, context) => zoneOf(parts, 1, context),
    },
    timeZoneOffset: {
      signature: "(moment, text?) -> integer",
      meaning: "How many seconds the zone is ahead of UTC at the moment.",
      example: [`timeZoneOffset(${AT}, 'Asia/Tokyo')`, 32_400],
      lower: (parts, context) => call("zoneOffset", argOf(parts, 0), zoneOf(parts, 1, context)),
    },
    fromUnixTimestamp: {
      signature: "(number) -> moment?",
      meaning: "The moment so many seconds since 1970 (UTC).",
      example: ["fromUnixTimestamp(1767323045)", "2026-01-02T03:04:05Z"],
      lower: (parts) => call("momentOfUnix", argOf(parts, 0)),
    },
  },
)
