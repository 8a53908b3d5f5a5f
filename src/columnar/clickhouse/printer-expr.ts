/**
 * Prints expressions. Each is wrapped so that it can stand anywhere: no precedence is relied on. Conditions are
 * numbers to the engine; as values they are made booleans, in a WHERE they stay as they are, for indexes to see them.
 */
import type { Expr } from "../../query/tree.ts"
import { isBooleanCall, printCall } from "./functions/index.ts"
import { mayBeNull } from "./nullable.ts"
import { asFloats } from "./numeric-kinds.ts"
import { printAggregate, printWindow } from "./printer-aggregates.ts"
import { printProperties, printProperty } from "./printer-properties.ts"
import { never, type PrintState, parameterName, printColumn, printValue } from "./printer-state.ts"

/** As a value. */
export function printExpr(expr: Expr, state: PrintState): string {
  const text = printRaw(expr, state)
  return isCondition(expr) ? `toBool(${text})` : text
}

/** Where only its truth matters. */
export function printCondition(expr: Expr, state: PrintState): string {
  return printRaw(expr, state)
}

function isCondition(expr: Expr): boolean {
  switch (expr.kind) {
    case "and":
    case "or":
    case "not":
    case "isNull":
    case "compare":
    case "in":
    case "inQuery":
      return true
    case "call":
      return isBooleanCall(expr.name)
    default:
      return false
  }
}

type Of<Kind extends Expr["kind"]> = Extract<Expr, { kind: Kind }>

function printRaw(expr: Expr, state: PrintState): string {
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
      return printAll(expr, "AND", state)
    case "or":
      return printAll(expr, "OR", state)
    case "not":
      return `(NOT ${printCondition(expr.operand, state)})`
    case "isNull":
      return `isNull(${print(expr.operand)})`
    case "compare":
      return `(${print(expr.left)} ${expr.operator} ${print(expr.right)})`
    case "arithmetic":
      return printArithmetic(expr, print)
    case "in":
      return printIn(expr, state)
    case "inQuery":
      return printInQuery(expr, state)
    case "scalarQuery":
      return `(${state.printQuery(expr.query)})`
    case "case":
      return printCase(expr, state)
    case "call":
      return printCall(expr, state)
    case "array":
      return `[${asFloats(expr.items, state).map(print).join(", ")}]`
    case "tuple":
      return `tuple(${expr.items.map(print).join(", ")})`
    case "tupleItem":
      return printTupleItem(expr, print)
    case "lambda":
      return printLambda(expr, state)
    case "parameter":
      return printParameter(expr, state)
    case "aggregate":
      return printAggregate(expr, state)
    case "window":
      return printWindow(expr, state)
    default:
      return never(expr)
  }
}

function printAll({ operands }: Of<"and" | "or">, word: "AND" | "OR", state: PrintState): string {
  if (operands.length === 0) return word === "AND" ? "true" : "false"
  return `(${operands.map((operand) => printCondition(operand, state)).join(` ${word} `)})`
}

function printArithmetic(
  { operator, left, right }: Of<"arithmetic">,
  print: (expr: Expr) => string,
): string {
  const divides = operator === "/" || operator === "%"
  return `(${print(left)} ${operator} ${divides ? `nullIf(${print(right)}, 0)` : print(right)})`
}

/** Values of one type are one parameter. An unknown value among them leaves "no" unknown. */
function printIn({ operand, values }: Of<"in">, state: PrintState): string {
  const known = values.filter(({ type }) => type !== "null")
  if (known.length === 0) return values.length === 0 ? "false" : "NULL"
  const list = known.map((value) => printValue(state.params, value))
  const text = `(${printExpr(operand, state)} IN (${list.join(", ")}))`
  return known.length === values.length ? text : `(${text} OR NULL)`
}

/** The engine takes null out of the list; SQL says that "no" then is unknown. */
function printInQuery({ operand, query }: Of<"inQuery">, state: PrintState): string {
  const printed = state.printQuery(query)
  const text = `(${printExpr(operand, state)} IN (${printed}))`
  if (!mayBeNull(query, state)) return text
  const hasNull = `(SELECT max(isNull(x)) FROM (SELECT * FROM (${printed})) AS t (x))`
  return `(${text} OR if(${hasNull} = 1, NULL, false))`
}

function printCase({ branches, otherwise }: Of<"case">, state: PrintState): string {
  const results = asFloats([...branches.map(({ result }) => result), otherwise], state).map(
    (result) => printExpr(result, state),
  )
  const last = results.at(-1) ?? "NULL"
  if (branches.length === 0) return last
  const pairs = branches.map(
    ({ when }, index) => `${printCondition(when, state)}, ${results[index]}`,
  )
  return `multiIf(${pairs.join(", ")}, ${last})`
}

function printTupleItem({ tuple, index }: Of<"tupleItem">, print: (expr: Expr) => string): string {
  if (!Number.isSafeInteger(index) || index < 1) throw new Error(`a tuple has no item ${index}`)
  return `tupleElement(${print(tuple)}, ${index})`
}

function printLambda({ parameters, body }: Of<"lambda">, state: PrintState): string {
  const inner = { ...state, parameters: new Set([...(state.parameters ?? []), ...parameters]) }
  return `(${parameters.map(parameterName).join(", ")}) -> ${printExpr(body, inner)}`
}

function printParameter({ name }: Of<"parameter">, state: PrintState): string {
  if (state.parameters?.has(name) !== true) throw new Error(`no lambda has a parameter "${name}"`)
  return parameterName(name)
}
