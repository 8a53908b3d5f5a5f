/** Now, and moments and dates moved. */
import { call, number, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { INTERVAL_UNITS, type IntervalUnit } from "../ast.ts"
import { placed } from "./dates.ts"
import { type Definition, defineGroup } from "./define.ts"
import type { CallParts, LanguageFunction, LoweringContext, Verdict } from "./function.ts"
import { argOf, arithmetic, NULL } from "./lowering.ts"
import { SHORT_UNITS, unitFrom } from "./units.ts"
import { asMoment, zoneOf } from "./zones.ts"

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

export const DATE_SHIFTS = defineGroup(
  { group: "Now, and dates moved", kind: "scalar" },
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
  },
)
