/** `CAST(x AS Type)` and `x::Type`, as the function that makes the type. */
import { applyFunction } from "./apply-function.ts"
import type { ExprAst } from "./ast.ts"
import { findLanguageFunction } from "./functions/index.ts"
import { asValue, type Place, type Resolved, report } from "./resolving.ts"
import { suggestName } from "./suggest.ts"

/** By the first word of the type, in lower case. */
const CONVERSIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    toString: "string text varchar char fixedstring character",
    toInt:
      "int integer bigint smallint tinyint int8 int16 int32 int64 uint8 uint16 uint32 uint64 int128 int256 uint128 uint256",
    toFloat: "float double real float32 float64 numeric decimal",
    toDate: "date date32",
    toDateTime: "datetime datetime64 timestamp",
    toUUID: "uuid",
    toBool: "bool boolean",
  }).flatMap(([name, words]) => words.split(" ").map((word) => [word, name] as const)),
)

const NULLABLE = /^nullable\((.*)\)$/i

export function resolveCast(ast: Extract<ExprAst, { kind: "cast" }>, place: Place): Resolved {
  const { type, typeSpan, span } = ast
  const inner = asValue(place)
  const operand = place.work.resolveExpr(ast.operand, inner)
  const plain = NULLABLE.exec(type)?.[1] ?? type
  const word = /^\w+/.exec(plain)?.[0].toLowerCase() ?? ""
  const name = CONVERSIONS.get(word)
  if (name === undefined || findLanguageFunction(name) === undefined) {
    const meant = suggestName(word, CONVERSIONS.keys())
    const suggestion = meant === undefined ? {} : { suggestion: `Perhaps you meant ${meant}?` }
    const message = `Nothing can be cast to "${type}".`
    return report(place.work, { code: "unsupported", message, span: typeSpan, ...suggestion })
  }
  return applyFunction(name, [operand], { span, place: inner })
}
