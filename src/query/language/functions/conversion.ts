/** From one type to another: null where the value has no counterpart. */
import { call, number, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { type Definition, defineGroup } from "./define.ts"
import type { CallParts, LoweringContext } from "./function.ts"
import { argOf, arithmetic, constantText, NULL, refuse } from "./lowering.ts"
import { asMoment, zoneOf } from "./zones.ts"

const kindOf = ({ types }: CallParts): Type["kind"] => types[0]?.kind ?? "unknown"
const typed = (name: "toInteger" | "numberText" | "toJson", parts: CallParts): Expr => ({
  kind: "call",
  name,
  args: parts.args.slice(0, 1),
  types: parts.types.slice(0, 1),
})

function unixSeconds(parts: CallParts, context: LoweringContext): Expr {
  const moment = asMoment(parts, 0, context)
  return call("floor", arithmetic(call("unixMilliseconds", moment), "/", number(1000)))
}

function lowerToInt(parts: CallParts, context: LoweringContext): Expr {
  const value = argOf(parts, 0)
  switch (kindOf(parts)) {
    case "text":
    case "json":
      return call("parseInteger", value)
    case "moment":
      return call("toInteger", unixSeconds(parts, context))
    case "date":
      return call("diffDays", EPOCH, call("momentOfDate", value, text("UTC")))
    case "null":
      return NULL
    default:
      return typed("toInteger", parts)
  }
}

const EPOCH: Expr = { kind: "value", value: { type: "timestamp", value: "1970-01-01 00:00:00" } }

function lowerToFloat(parts: CallParts, context: LoweringContext): Expr {
  const value = argOf(parts, 0)
  switch (kindOf(parts)) {
    case "text":
    case "json":
      return call("parseNumber", value)
    case "moment":
      return arithmetic(call("unixMilliseconds", asMoment(parts, 0, context)), "/", number(1000))
    case "date":
      return call("toFloat", lowerToInt(parts, context))
    case "null":
      return NULL
    default:
      return call("toFloat", value)
  }
}

/** As text; moments in the zone. */
export function lowerToText(parts: CallParts, context: LoweringContext): Expr {
  const value = argOf(parts, 0)
  switch (kindOf(parts)) {
    case "text":
    case "json":
    case "null":
      return value
    case "integer":
    case "float":
      return typed("numberText", parts)
    case "moment":
      return call("momentText", value, zoneOf(parts, 1, context))
    case "array":
    case "tuple":
    case "map":
      return typed("toJson", parts)
    default:
      return call("plainText", value)
  }
}

function lowerToMoment(parts: CallParts, context: LoweringContext): Expr {
  const value = argOf(parts, 0)
  switch (kindOf(parts)) {
    case "integer":
    case "float":
      return call("momentOfUnix", value)
    case "moment":
      return value
    case "date":
      return call("momentOfDate", value, zoneOf(parts, 1, context))
    case "null":
      return NULL
    default:
      return call("parseMoment", value, zoneOf(parts, 1, context))
  }
}

function lowerToDate(parts: CallParts, context: LoweringContext): Expr {
  const value = argOf(parts, 0)
  const kind = kindOf(parts)
  if (kind === "date" || kind === "null") return value
  return call("dateOf", lowerToMoment(parts, context), zoneOf(parts, 1, context))
}

function lowerParseDateTime(parts: CallParts, context: LoweringContext): Expr {
  const [value = NULL, format] = parts.args
  if (format === undefined) return lowerToMoment(parts, context)
  if (constantText(format) === undefined) refuse("The format of a date must be a constant text.")
  return call("parseFormat", value, format, zoneOf(parts, 2, context))
}

const DATE_INPUT = "text|moment|date|number"

/** Said apart: every object has a method of this name, which would be taken for the type of the entry. */
const asText: Definition = {
  signature: "(any, text?) -> text",
  meaning:
    "As text: 1 for 1.0, true, 2026-01-02; moments in the project's zone or the one given, without fractions of a " +
    "second; arrays and tuples as JSON.",
  example: ["toString(1.50)", "1.5"],
  lower: lowerToText,
}

export const CONVERSION = defineGroup(
  { group: "Conversion", kind: "scalar" },
  {
    toInt: {
      signature: "(any) -> integer?",
      meaning:
        "A text of digits, a number cut to a whole one, a boolean as 0 or 1, a moment as unix seconds, a date as days " +
        "since 1970; else null.",
      example: ["toInt('12')", 12],
      lower: lowerToInt,
    },
    toFloat: {
      signature: "(any) -> float?",
      meaning: "The number that a text spells, else null; other types as toInt, fractions kept.",
      example: ["toFloat('1.5')", 1.5],
      lower: lowerToFloat,
    },
    toDecimal: {
      signature: "(any, integer) -> float?",
      meaning: "Like toFloat, rounded to so many digits after the dot.",
      example: ["toDecimal('1.256', 2)", 1.26],
      lower: (parts, context) => call("round", lowerToFloat(parts, context), argOf(parts, 1)),
    },
    toString: asText,
    toUUID: {
      signature: "(text|uuid) -> uuid?",
      meaning: "The UUID that a text spells, or null.",
      example: ["toUUID('nothing')", null],
      lower: (parts) =>
        kindOf(parts) === "uuid" ? argOf(parts, 0) : call("parseUuid", argOf(parts, 0)),
    },
    toDate: {
      signature: `(${DATE_INPUT}, text?) -> date?`,
      meaning:
        "The date of a moment, of a written date or of unix seconds, in the project's zone or the one given; null if " +
        "there is none.",
      example: ["toDate('2026-01-02 03:04:05')", "2026-01-02"],
      lower: lowerToDate,
    },
    toDateTime: {
      signature: `(${DATE_INPUT}, text?) -> moment?`,
      meaning:
        "The moment that a written date, unix seconds or the start of a date means, in the project's zone or the one " +
        "given, unless it names its own; null if there is none.",
      example: ["toDateTime('2026-01-02 03:04:05', 'UTC')", "2026-01-02T03:04:05Z"],
      lower: lowerToMoment,
    },
    toDateTime64: {
      signature: `(${DATE_INPUT}, integer?, text?) -> moment?`,
      meaning: "The same as toDateTime; the digits (second) are always six.",
      example: ["toDateTime64('2026-01-02 03:04:05.5', 3, 'UTC')", "2026-01-02T03:04:05.500000Z"],
      lower: (parts, context) => {
        const drop = <T>(list: readonly T[]) => list.filter((_, index) => index !== 1)
        return lowerToMoment(
          { ...parts, args: drop(parts.args), types: drop(parts.types) },
          context,
        )
      },
    },
    parseDateTime: {
      signature: "(text, text?, text?) -> moment?",
      meaning:
        "The moment that a text means in a format (constant, letters of formatDateTime), in a zone; without a format, " +
        "the same as toDateTime. Null if there is none.",
      example: [
        "parseDateTime('02.01.2026 03:04', '%d.%m.%Y %H:%i', 'UTC')",
        "2026-01-02T03:04:00Z",
      ],
      lower: lowerParseDateTime,
    },
    parseDateTimeBestEffort: {
      signature: "(text, text?) -> moment?",
      meaning: "The same as toDateTime of a text.",
      example: ["parseDateTimeBestEffort('2026-01-02T03:04:05Z')", "2026-01-02T03:04:05Z"],
      lower: lowerToMoment,
    },
    toJSONString: {
      signature: "(any) -> text",
      meaning: "The value as JSON text.",
      example: ["toJSONString([1, 2])", "[1,2]"],
      lower: (parts) =>
        kindOf(parts) === "json"
          ? argOf(parts, 0)
          : kindOf(parts) === "null"
            ? text("null")
            : typed("toJson", parts),
    },
  },
)
