/** Prints expressions. Each is wrapped so that it can stand anywhere: no precedence is relied on. */
import type { Expr } from "../../query/tree.ts"
import { printCall } from "./printer-functions.ts"
import { printProperties, printProperty } from "./printer-properties.ts"
import { never, type PrintState, printColumn, printValue } from "./printer-state.ts"

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
    case "arithmetic":
      return `(${print(expr.left)} ${expr.operator} ${print(expr.right)})`
    case "in":
      return printIn(expr, state)
    case "inQuery":
      return `(${print(expr.operand)} IN (${state.printQuery(expr.query)}))`
    case "case":
      return printCase(expr, state)
    case "call":
      return printCall(expr, print)
    case "aggregate":
      return printAggregate(expr, state)
    default:
      return never(expr)
  }
}

type Of<Kind extends Expr["kind"]> = Extract<Expr, { kind: Kind }>

function printAll(operands: readonly string[], word: "AND" | "OR", none: string): string {
  return operands.length === 0 ? none : `(${operands.join(` ${word} `)})`
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

function printAggregate(expr: Of<"aggregate">, state: PrintState): string {
  const operand = expr.operand === undefined ? "*" : printExpr(expr.operand, state)
  if (operand === "*" && expr.name !== "count") throw new Error(`${expr.name} needs an operand`)
  switch (expr.name) {
    case "count":
      return `count(${operand})`
    case "countDistinct":
      return `count(DISTINCT ${operand})`
    case "min":
      return `min(${operand})`
    case "max":
      return `max(${operand})`
    default:
      return never(expr.name)
  }
}
