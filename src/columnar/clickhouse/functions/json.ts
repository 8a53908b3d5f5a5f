/** How ClickHouse says functions of JSON text. */
import type { JSON_TEXTS } from "../../../query/functions/json.ts"
import { type Call, once, type Printer, whole } from "./call.ts"

export const JSON_PRINTERS: Readonly<Record<keyof typeof JSON_TEXTS, Printer>> = {
  isJson: ({ arg }) => `isValidJSON(${arg(0)})`,
  jsonAt: printAt,
  jsonType: ({ arg }) => once(arg(0), (json) => ifJson(json, typeOf(json))),
  jsonString: ({ arg }) =>
    once(arg(0), (json) =>
      ifJson(json, `if(JSONType(${json}) = 'String', JSONExtractString(${json}), NULL)`),
    ),
  jsonLength: ({ arg }) =>
    once(arg(0), (json) =>
      ifJson(
        json,
        `if(JSONType(${json}) IN ('Array', 'Object'), toInt64(JSONLength(${json})), NULL)`,
      ),
    ),
  jsonKeys: ({ arg }) => `JSONExtractKeys(ifNull(${arg(0)}, ''))`,
  jsonItems: ({ arg }) => `JSONExtractArrayRaw(ifNull(${arg(0)}, ''))`,
}

function ifJson(json: string, answer: string): string {
  return `if(isValidJSON(${json}), ${answer}, NULL)`
}

function typeOf(json: string): string {
  const names =
    "['Object', 'Array', 'String', 'Bool', 'Null'], ['object', 'array', 'string', 'boolean', 'null']"
  return `transform(toString(JSONType(${json})), ${names}, 'number')`
}

function printAt(call: Call): string {
  const steps = call.exprs.slice(1).map((_, index) => stepOf(call, index + 1))
  return once(call.arg(0), (json) => {
    return `nullIf(JSONExtractRaw(${[`ifNull(${json}, '')`, ...steps].join(", ")}), '')`
  })
}

function stepOf(call: Call, index: number): string {
  const expr = call.exprs[index]
  const kind = call.types[index]?.kind
  const isPlace =
    kind === "integer" ||
    kind === "float" ||
    (expr?.kind === "value" && expr.value.type === "number")
  return isPlace ? whole(call, index) : call.arg(index)
}
