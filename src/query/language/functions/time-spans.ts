/** Moments and dates compared, read and written. */
import { call, gt, lt, lte, number, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import { placed } from "./dates.ts"
import { defineGroup } from "./define.ts"
import type { CallParts, LoweringContext } from "./function.ts"
import { argOf, arithmetic, choose, constantText, letBe, refuse } from "./lowering.ts"
import { unitFrom } from "./units.ts"
import { asMoment, zoneFrom, zoneOf } from "./zones.ts"

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

const AT = "toDateTime('2026-01-02 03:04:05', 'UTC')"

export const TIME_SPANS = defineGroup(
  { group: "Dates compared and written", kind: "scalar" },
  {
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
