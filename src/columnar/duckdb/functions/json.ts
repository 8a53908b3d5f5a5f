/** How DuckDB says functions of JSON text. It refuses texts that are none, so they are cast first. */
import type { JSON_TEXTS } from "../../../query/functions/json.ts"
import { type Call, once, type Printer, wholeNumber } from "./call.ts"

export const JSON_PRINTERS: Readonly<Record<keyof typeof JSON_TEXTS, Printer>> = {
  isJson: ({ arg }) => `json_valid(${arg(0)})`,
  jsonAt: printAt,
  jsonType: (call) => once(`json_type(${jsonOf(call)})`, printType),
  jsonString: (call) =>
    once(
      jsonOf(call),
      (json) =>
        `CASE WHEN json_type(${json}) = 'VARCHAR' THEN json_extract_string(${json}, '$') END`,
    ),
  jsonLength: (call) =>
    once(
      jsonOf(call),
      (json) =>
        `CASE json_type(${json}) WHEN 'ARRAY' THEN CAST(json_array_length(${json}) AS BIGINT) WHEN 'OBJECT' THEN len(json_keys(${json})) END`,
    ),
  jsonKeys: (call) => `json_keys(${jsonOf(call)})`,
  jsonItems: (call) =>
    once(
      jsonOf(call),
      (json) =>
        `CASE WHEN json_type(${json}) = 'ARRAY' THEN CAST(json_extract(${json}, '$[*]') AS VARCHAR[]) WHEN ${json} IS NOT NULL THEN [] END`,
    ),
}

/** What the store holds as JSON is valid. */
function jsonOf({ arg, types }: Call): string {
  return types[0]?.kind === "json" ? `CAST(${arg(0)} AS JSON)` : `TRY_CAST(${arg(0)} AS JSON)`
}

function printAt(call: Call): string {
  let json = jsonOf(call)
  for (let index = 1; index < call.exprs.length; index += 1) {
    json = `json_extract(${json}, ${stepOf(call, index)})`
  }
  return `CAST(${json} AS VARCHAR)`
}

/** A pointer can say every key; a dollar path can count from the end, and never takes a place for a key. */
function stepOf(call: Call, index: number): string {
  const expr = call.exprs[index]
  const isPlace =
    call.types[index]?.kind === "integer" ||
    call.types[index]?.kind === "float" ||
    (expr?.kind === "value" && expr.value.type === "number")
  if (!isPlace) return `concat('/', replace(replace(${call.arg(index)}, '~', '~0'), '/', '~1'))`
  return once(wholeNumber(call.arg(index)), (place) => {
    return `CASE WHEN ${place} > 0 THEN concat('$[', ${place} - 1, ']') WHEN ${place} < 0 THEN concat('$[#', ${place}, ']') END`
  })
}

const TYPES: readonly (readonly [string, string])[] = [
  ["OBJECT", "object"],
  ["ARRAY", "array"],
  ["VARCHAR", "string"],
  ["BOOLEAN", "boolean"],
  ["NULL", "null"],
]

function printType(type: string): string {
  const cases = TYPES.map(([engine, name]) => `WHEN '${engine}' THEN '${name}'`).join(" ")
  return `CASE ${type} ${cases} ELSE CASE WHEN ${type} IS NOT NULL THEN 'number' END END`
}
