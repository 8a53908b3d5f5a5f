/** How DuckDB says conversions. */
import type { CONVERSION } from "../../../query/functions/conversion.ts"
import type { Type } from "../../../query/types.ts"
import { printMoment } from "../printer-moments.ts"
import { type Call, constantText, once, type Printer, wholeNumber } from "./call.ts"
import { strptimeFormat } from "./date-formats.ts"
import { fromWallClock } from "./dates.ts"

export const CONVERSION_PRINTERS: Readonly<Record<keyof typeof CONVERSION, Printer>> = {
  parseNumber: ({ arg }) => printNumber(arg(0)),
  parseInteger: ({ arg }) =>
    once(
      arg(0),
      (text) =>
        `CASE WHEN regexp_full_match(${text}, '[+-]?\\d{1,19}') THEN TRY_CAST(${text} AS BIGINT) END`,
    ),
  parseUuid: ({ arg }) =>
    once(
      arg(0),
      (text) =>
        `CASE WHEN regexp_full_match(${text}, '${UUID}') THEN TRY_CAST(${text} AS UUID) END`,
    ),
  parseMoment: ({ arg }) => once(arg(0), (text) => printMoment(text, arg(1))),
  parseFormat: (call) => {
    const format = strptimeFormat(constantText(call, 1))
    if (format === undefined) return "CAST(NULL AS TIMESTAMP)"
    return fromWallClock(`try_strptime(${call.arg(0)}, ${format})`, call, 2)
  },
  toInteger: (call) =>
    call.types[0]?.kind === "boolean" ? `CAST(${call.arg(0)} AS BIGINT)` : wholeNumber(call.arg(0)),
  toFloat: ({ arg }) => `CAST(${arg(0)} AS DOUBLE)`,
  numberText: printNumberText,
  plainText: ({ arg }) => `CAST(${arg(0)} AS VARCHAR)`,
  toJson: ({ arg, types }) => printJson(arg(0), types[0]),
}

const UUID = "[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}"

/** The engine also reads 1_000, inf and nan, which are no numbers in JSON: their letters are spoilt. */
export function printNumber(text: string): string {
  return `TRY_CAST(translate(${text}, '_nN', 'xxx') AS DOUBLE)`
}

const WHOLE_NUMBER_MAX = "1e15"

/** As JSON writes it: DuckDB says 1.0 for 1. */
function printNumberText({ arg, types }: Call): string {
  if (types[0]?.kind === "integer") return `CAST(${arg(0)} AS VARCHAR)`
  return once(arg(0), (x) => {
    const isWhole = `${x} = trunc(${x}) AND abs(${x}) < ${WHOLE_NUMBER_MAX}`
    const whole = `CAST(CAST(${x} AS BIGINT) AS VARCHAR)`
    return `CASE WHEN ${isWhole} THEN ${whole} WHEN isfinite(CAST(${x} AS DOUBLE)) THEN CAST(to_json(${x}) AS VARCHAR) END`
  })
}

/** A tuple is a structure to the engine, which would name its items. */
function printJson(text: string, type: Type | undefined): string {
  const json = type === undefined ? `to_json(${text})` : jsonOf(text, type, 0)
  return `CAST(${json} AS VARCHAR)`
}

function jsonOf(text: string, type: Type, depth: number): string {
  const item = `"·j${depth}"`
  switch (type.kind) {
    case "json":
      return `TRY_CAST(${text} AS JSON)`
    case "array":
      if (!holdsTuple(type.of)) return `to_json(${text})`
      return `to_json(list_transform(${text}, lambda ${item}: ${jsonOf(item, type.of, depth + 1)}))`
    case "tuple":
      return once(text, (tuple) => jsonOfTuple(tuple, type.items, depth), `j${depth}`)
    case "float":
      return `TRY_CAST(${printNumberText({ exprs: [], types: [], arg: () => text })} AS JSON)`
    case "moment":
      return `to_json(strftime(${text}, '%Y-%m-%dT%H:%M:%SZ'))`
    default:
      return `to_json(${text})`
  }
}

function jsonOfTuple(tuple: string, types: readonly Type[], depth: number): string {
  const items = types.map((type, index) =>
    jsonOf(`struct_extract_at(${tuple}, ${index + 1})`, type, depth + 1),
  )
  return `json_array(${items.join(", ")})`
}

function holdsTuple(type: Type): boolean {
  if (type.kind === "array") return holdsTuple(type.of)
  return type.kind === "tuple" || type.kind === "float" || type.kind === "moment"
}
