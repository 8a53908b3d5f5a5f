/** How ClickHouse says each semantic function. A missing one does not compile. */
import type { FunctionName } from "../../../query/functions/index.ts"
import type { Expr } from "../../../query/tree.ts"
import { asFloats } from "../numeric-kinds.ts"
import type { PrintState } from "../printer-state.ts"
import { ARRAY_PRINTERS } from "./arrays.ts"
import type { Printer } from "./call.ts"
import { CONVERSION_PRINTERS } from "./conversion.ts"
import { DATE_PRINTERS } from "./dates.ts"
import { JSON_PRINTERS } from "./json.ts"
import { LOGIC_PRINTERS } from "./logic.ts"
import { NUMBER_PRINTERS } from "./numbers.ts"
import { PATTERN_PRINTERS } from "./patterns.ts"
import { TEXT_PRINTERS } from "./texts.ts"

const PRINTERS: Readonly<Record<FunctionName, Printer>> = {
  ...LOGIC_PRINTERS,
  ...NUMBER_PRINTERS,
  ...CONVERSION_PRINTERS,
  ...DATE_PRINTERS,
  ...TEXT_PRINTERS,
  ...PATTERN_PRINTERS,
  ...ARRAY_PRINTERS,
  ...JSON_PRINTERS,
}

const BOOLEAN_CALLS: ReadonlySet<FunctionName> = new Set([
  "isSame",
  "contains",
  "startsWith",
  "endsWith",
  "like",
  "ilike",
  "matches",
  "elementMatches",
  "arrayHas",
  "isJson",
])

/** Whether the engine answers 0 or 1 where a boolean is meant. */
export function isBooleanCall(name: FunctionName): boolean {
  return BOOLEAN_CALLS.has(name)
}

export function printCall(
  { name, args, types = [] }: Extract<Expr, { kind: "call" }>,
  state: PrintState,
): string {
  const arg = (index: number) => {
    const expr = args[index]
    if (expr === undefined) throw new Error(`${name} has no argument ${index}`)
    return state.print(expr, state)
  }
  const all = () => asFloats(args, state).map((expr) => state.print(expr, state))
  return PRINTERS[name]({ exprs: args, types, state, arg, all })
}
