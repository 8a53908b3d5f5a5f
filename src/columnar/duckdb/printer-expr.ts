/** Prints expressions. Each is wrapped so that it can stand anywhere: no precedence is relied on. */
import type { Expr } from "../../query/tree.ts"
import { printCall } from "./functions/index.ts"
import { printAggregate, printWindow } from "./printer-aggregates.ts"
import { printProperties, printProperty } from "./printer-properties.ts"
import { never, type PrintState, printColumn, printValue, quote } from "./printer-state.ts"

export function printExpr(expr: Expr, state: PrintState): string {
  const print = (operand: Expr) => printExpr(operand, state)
  switch (expr.kind) {
    case "value":
      return printValue(state.params, expr.value)
    case "column":
      return printColumn(state, expr.table, expr.column)
    case "property":
      return printProperty(expr, state)
    case "properties":
      return printProperties(expr, state)
    case "and":
      return printAll(expr.operands.map(print), "AND", "TRUE")
    case "or":
      return printAll(expr.operands.map(print), "OR", "FALSE")
    case "not":
      return `(NOT ${print(expr.operand)})`
    case "isNull":
      return `(${print(expr.operand)} IS NULL)`
    case "compare":
      return `(${print(expr.left)} ${expr.operator} ${print(expr.right)})`
    case "arithmetic":
      return printArithmetic(expr, print)
    case "in":
      return printIn(expr, state)
    case "inQuery":
      return `(${print(expr.operand)} IN (${state.printQuery(expr.query)}))`
    case "scalarQuery":
      return `(${state.printQuery(expr.query)})`
    case "case":
      return printCase(expr, state)
    case "call":
      return printCall(expr, print)
    case "array":
      return `[${expr.items.map(print).join(", ")}]`
    case "tuple":
      return printTuple(expr.items.map(print))
    case "tupleItem":
      return printTupleItem(expr, print)
    case "lambda":
      return printLambda(expr, state)
    case "parameter":
      return printParameter(expr, state)
    case "aggregate":
      return printAggregate(expr, print)
    case "window":
      return printWindow(expr, print)
    default:
      return never(expr)
  }
}

type Of<Kind extends Expr["kind"]> = Extract<Expr, { kind: Kind }>

function printAll(operands: readonly string[], word: "AND" | "OR", none: string): string {
  return operands.length === 0 ? none : `(${operands.join(` ${word} `)})`
}

/** By nothing, the engine would answer infinity. */
function printArithmetic(
  { operator, left, right }: Of<"arithmetic">,
  print: (expr: Expr) => string,
): string {
  const divides = operator === "/" || operator === "%"
  return `(${print(left)} ${operator} ${divides ? `NULLIF(${print(right)}, 0)` : print(right)})`
}

function printIn(expr: Of<"in">, state: PrintState): string {
  if (expr.values.length === 0) return "FALSE"
  const values = expr.values.map((value) => printValue(state.params, value))
  return `(${printExpr(expr.operand, state)} IN (${values.join(", ")}))`
}

function printCase(expr: Of<"case">, state: PrintState): string {
  const branches = expr.branches.map(
    ({ when, result }) => `WHEN ${printExpr(when, state)} THEN ${printExpr(result, state)}`,
  )
  const otherwise = printExpr(expr.otherwise, state)
  return branches.length === 0 ? otherwise : `CASE ${branches.join(" ")} ELSE ${otherwise} END`
}

/** With names, though only places count: of items without one, the last alone could be read back. */
function printTuple(items: readonly string[]): string {
  return `{${items.map((item, index) => `'${index + 1}': ${item}`).join(", ")}}`
}

function printTupleItem({ tuple, index }: Of<"tupleItem">, print: (expr: Expr) => string): string {
  if (!Number.isSafeInteger(index) || index < 1) throw new Error(`a tuple has no item ${index}`)
  return `struct_extract_at(${print(tuple)}, ${index})`
}

function printLambda({ parameters, body }: Of<"lambda">, state: PrintState): string {
  const inner = { ...state, parameters: new Set([...(state.parameters ?? []), ...parameters]) }
  return `lambda ${parameters.map(quote).join(", ")}: ${printExpr(body, inner)}`
}

function printParameter({ name }: Of<"parameter">, state: PrintState): string {
  if (state.parameters?.has(name) !== true) throw new Error(`no lambda has a parameter "${name}"`)
  return quote(name)
}
