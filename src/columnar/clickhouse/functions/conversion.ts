/** How ClickHouse says conversions. */
import type { CONVERSION } from "../../../query/functions/conversion.ts"
import type { Type } from "../../../query/types.ts"
import { type Call, constantText, once, type Printer } from "./call.ts"
import { printParsed } from "./date-formats.ts"
import { momentIn } from "./dates.ts"
import { printMoment } from "./moments.ts"
import { jsonString, printNumber } from "./spelling.ts"

export const CONVERSION_PRINTERS: Readonly<Record<keyof typeof CONVERSION, Printer>> = {
  parseNumber: ({ arg }) => printNumber(arg(0)),
  parseInteger: ({ arg }) => `toInt64OrNull(extract(${arg(0)}, '^[+-]?[0-9]{1,19}$'))`,
  parseUuid: ({ arg }) => `toUUIDOrNull(extract(${arg(0)}, '^${UUID}$'))`,
  parseMoment: ({ arg }) => once(arg(0), (text) => printMoment(text, arg(1)), "m"),
  parseFormat: (call) =>
    once(call.arg(0), (text) => {
      const wall = printParsed(constantText(call, 1), text)
      return wall === undefined ? NO_MOMENT : once(wall, (w) => momentIn(w, call, 2), "w")
    }),
  toInteger: printInteger,
  toFloat: ({ arg }) => `toFloat64(${arg(0)})`,
  numberText: (call) => printNumberText(call.arg(0), call.types[0]),
  plainText: ({ arg }) => `toString(${arg(0)})`,
  toJson: ({ arg, types }) => jsonOf(arg(0), types[0], 0),
}

const UUID = "[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}"
const NO_MOMENT = "CAST(NULL, 'Nullable(DateTime64(6, \\'UTC\\'))')"

function printInteger({ arg, types }: Call): string {
  const kind = types[0]?.kind
  if (kind === "integer" || kind === "boolean") return `toInt64(${arg(0)})`
  return `accurateCastOrNull(trunc(toFloat64(${arg(0)})), 'Int64')`
}

/** As JSON writes it. */
function printNumberText(text: string, type: Type | undefined): string {
  if (type?.kind === "integer") return `toString(${text})`
  return once(text, (x) => `if(isFinite(${x}), toString(${x}), NULL)`)
}

function jsonOf(text: string, type: Type | undefined, depth: number): string {
  const item = `j${depth}`
  switch (type?.kind) {
    case "json":
      return once(text, (x) => `if(isValidJSON(${x}), ${x}, NULL)`)
    case "array": {
      const items = `arrayMap(${item} -> ${orNull(jsonOf(item, type.of, depth + 1))}, ${text})`
      return `concat('[', arrayStringConcat(${items}, ','), ']')`
    }
    case "tuple": {
      const items = type.items.map((of, index) =>
        orNull(jsonOf(`tupleElement(${text}, ${index + 1})`, of, depth + 1)),
      )
      return `concat('[', ${items.join(", ',', ")}, ']')`
    }
    case "integer":
    case "float":
      return printNumberText(text, type)
    case "moment":
      return `concat('"', formatDateTime(${text}, '%Y-%m-%dT%H:%i:%SZ', 'UTC'), '"')`
    case "text":
      return jsonString(text)
    default:
      return `toJSONString(${text})`
  }
}

const orNull = (json: string): string => `ifNull(${json}, 'null')`
