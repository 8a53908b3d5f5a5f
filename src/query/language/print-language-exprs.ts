/** Expressions, with parentheses only where the parser would otherwise read something else. */
import type { ExprAst, FrameBoundAst, OrderAst, QueryAst, WindowAst } from "./ast.ts"
import { PRECEDENCE } from "./parser-precedence.ts"
import {
  printChain,
  printConstant,
  printFunctionName,
  printMember,
  printName,
} from "./print-language-names.ts"

/** Looser than everything: where an alias may stand. */
export const ANY = -1
const PLAIN = PRECEDENCE.lambda

export type PrintQuery = (query: QueryAst) => string

type Of<Kind extends ExprAst["kind"]> = Extract<ExprAst, { kind: Kind }>

/** Behind these `.name` can follow directly. */
const TAKES_MEMBER: ReadonlySet<string> = new Set(
  "access member call cast placeholder tuple array query case".split(" "),
)

export interface ExprPrinter {
  readonly one: (expr: ExprAst, minPrecedence: number) => string
  readonly list: (exprs: readonly ExprAst[]) => string
  readonly query: PrintQuery
}

export function createExprPrinter(query: PrintQuery): ExprPrinter {
  const one = (expr: ExprAst, minPrecedence: number) => {
    const text = printNode(printer, expr)
    return precedenceOf(expr) < minPrecedence ? `(${text})` : text
  }
  const list = (exprs: readonly ExprAst[]) => exprs.map((expr) => one(expr, ANY)).join(", ")
  const printer: ExprPrinter = { one, list, query }
  return printer
}

function precedenceOf(expr: ExprAst): number {
  switch (expr.kind) {
    case "alias":
      return ANY
    case "constant":
      return isNegative(expr.value) ? PRECEDENCE.unary : PRECEDENCE.postfix
    case "arithmetic":
      return arithmeticPrecedence(expr)
    case "between":
      return PRECEDENCE.compare
    case "lambda":
    case "or":
    case "and":
    case "not":
    case "isNull":
    case "compare":
      return PRECEDENCE[expr.kind]
    default:
      return PRECEDENCE.postfix
  }
}

function arithmeticPrecedence({ operator }: Of<"arithmetic">): number {
  return operator === "+" || operator === "-" ? PRECEDENCE.add : PRECEDENCE.multiply
}

function isNegative(value: unknown): boolean {
  return typeof value === "number" && (value < 0 || Object.is(value, -0))
}

function printNode(print: ExprPrinter, expr: ExprAst): string {
  switch (expr.kind) {
    case "constant":
      return printConstant(expr.value)
    case "placeholder":
      return `{${print.one(expr.expr, ANY)}}`
    case "field":
      return printChain(expr.chain)
    case "star":
      return expr.table === undefined ? "*" : `${printName(expr.table)}.*`
    case "access":
      return `${print.one(expr.object, PRECEDENCE.postfix)}[${print.one(expr.index, ANY)}]`
    case "member":
      return printMemberOf(print, expr)
    case "lambda":
      return printLambda(print, expr)
    case "array":
      return `[${print.list(expr.items)}]`
    case "tuple":
      return `(${print.list(expr.items)}${expr.items.length === 1 ? "," : ""})`
    case "interval":
      return printInterval(print, expr)
    case "cast":
      return `CAST(${print.one(expr.operand, PLAIN)} AS ${expr.type})`
    case "query":
      return `(${print.query(expr.query)})`
    case "alias":
      return `${print.one(expr.expr, PLAIN)} AS ${printName(expr.name)}`
    case "case":
      return printCase(print, expr)
    case "call":
      return printCall(print, expr)
    default:
      return printOperator(print, expr)
  }
}

type Operator = Of<"and" | "or" | "not" | "isNull" | "compare" | "between" | "arithmetic">

function printOperator(print: ExprPrinter, expr: Operator): string {
  const precedence = precedenceOf(expr)
  const left = (operand: ExprAst) => print.one(operand, precedence)
  const right = (operand: ExprAst) => print.one(operand, precedence + 1)
  switch (expr.kind) {
    case "and":
    case "or":
      return expr.operands.map(right).join(` ${expr.kind.toUpperCase()} `)
    case "not":
      return `NOT ${left(expr.operand)}`
    case "isNull":
      return `${left(expr.operand)} IS ${expr.isNegated ? "NOT " : ""}NULL`
    case "compare":
      return `${left(expr.left)} ${COMPARE_TEXTS[expr.operator] ?? expr.operator.toUpperCase()} ${
        expr.operator.endsWith("cohort") ? printCohort(print, expr.right) : right(expr.right)
      }`
    case "between": {
      const operator = expr.isNegated ? "NOT BETWEEN" : "BETWEEN"
      return `${left(expr.operand)} ${operator} ${right(expr.low)} AND ${right(expr.high)}`
    }
    case "arithmetic":
      return `${left(expr.left)} ${expr.operator} ${right(expr.right)}`
    default:
      return expr satisfies never
  }
}

const COMPARE_TEXTS: Readonly<Record<string, string>> = {
  regex: "=~",
  "not regex": "!~",
  iregex: "=~*",
  "not iregex": "!~*",
}

function printCohort(print: ExprPrinter, cohort: ExprAst): string {
  const isPlain = cohort.kind === "placeholder" || cohort.kind === "constant"
  const text = print.one(cohort, ANY)
  return isPlain && !/^[-a-z]/i.test(text) ? text : `(${text})`
}

function printMemberOf(print: ExprPrinter, { object, name }: Of<"member">): string {
  const text = print.one(object, ANY)
  return `${TAKES_MEMBER.has(object.kind) ? text : `(${text})`}.${printMember(name)}`
}

function printLambda(print: ExprPrinter, { params, body }: Of<"lambda">): string {
  const names = params.map(printName).join(", ")
  return `${params.length === 1 ? names : `(${names})`} -> ${print.one(body, PLAIN)}`
}

function printInterval(print: ExprPrinter, { amount, unit }: Of<"interval">): string {
  const text = print.one(amount, ANY)
  const isPlain = amount.kind === "field" || /^\d+$/.test(text)
  return `INTERVAL ${isPlain ? text : `(${text})`} ${unit.toUpperCase()}`
}

function printCase(print: ExprPrinter, { operand, branches, otherwise }: Of<"case">): string {
  const plain = (expr: ExprAst) => print.one(expr, PLAIN)
  return [
    "CASE",
    ...(operand === undefined ? [] : [plain(operand)]),
    ...branches.map(({ when, result }) => `WHEN ${plain(when)} THEN ${plain(result)}`),
    ...(otherwise === undefined ? [] : [`ELSE ${plain(otherwise)}`]),
    "END",
  ].join(" ")
}

function printCall(print: ExprPrinter, call: Of<"call">): string {
  const params = call.params === undefined ? "" : `(${print.list(call.params)})`
  const args = `(${call.distinct ? "DISTINCT " : ""}${print.list(call.args)})`
  const { over } = call
  const window = typeof over === "object" ? `(${printWindow(print, over)})` : printOver(over)
  const behind = over === undefined ? "" : ` OVER ${window}`
  return `${printFunctionName(call.name)}${params}${args}${behind}`
}

function printOver(name: string | undefined): string {
  return name === undefined ? "" : printName(name)
}

export function printWindow(print: ExprPrinter, window: WindowAst): string {
  const { partitionBy, orderBy, frame } = window
  const parts: string[] = []
  if (partitionBy.length > 0) {
    parts.push(`PARTITION BY ${partitionBy.map((expr) => print.one(expr, PLAIN)).join(", ")}`)
  }
  if (orderBy.length > 0) parts.push(`ORDER BY ${printOrders(print, orderBy)}`)
  if (frame !== undefined) {
    const [start, end] = [printBound(frame.start), printBound(frame.end)]
    parts.push(`${frame.unit.toUpperCase()} BETWEEN ${start} AND ${end}`)
  }
  return parts.join(" ")
}

export function printOrders(print: ExprPrinter, orders: readonly OrderAst[]): string {
  const texts = orders.map(({ expr, direction, nulls }) => {
    const end = nulls === undefined ? "" : ` NULLS ${nulls.toUpperCase()}`
    return `${print.one(expr, ANY)} ${direction.toUpperCase()}${end}`
  })
  return texts.join(", ")
}

function printBound(bound: FrameBoundAst): string {
  switch (bound.kind) {
    case "unboundedPreceding":
      return "UNBOUNDED PRECEDING"
    case "unboundedFollowing":
      return "UNBOUNDED FOLLOWING"
    case "currentRow":
      return "CURRENT ROW"
    default:
      return `${bound.count} ${bound.kind.toUpperCase()}`
  }
}
