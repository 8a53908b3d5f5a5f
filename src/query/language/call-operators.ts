/** Calls that say the same as an operator: `equals(a, b)` is `a = b`, so both have one meaning. */
import type { CompareAstOperator, ExprAst } from "./ast.ts"

const COMPARISONS: ReadonlyMap<string, CompareAstOperator> = new Map([
  ["equals", "="],
  ["notEquals", "!="],
  ["less", "<"],
  ["lessOrEquals", "<="],
  ["greater", ">"],
  ["greaterOrEquals", ">="],
  ["like", "like"],
  ["notLike", "not like"],
  ["ilike", "ilike"],
  ["notILike", "not ilike"],
  ["match", "regex"],
  ["in", "in"],
  ["notIn", "not in"],
])

const ARITHMETIC: ReadonlyMap<string, "+" | "-" | "*" | "/" | "%"> = new Map([
  ["plus", "+"],
  ["minus", "-"],
  ["multiply", "*"],
  ["divide", "/"],
  ["modulo", "%"],
])

/** The same as an operator; undefined for other calls, and where the arguments are too few or too many. */
export function findOperatorCall(call: Extract<ExprAst, { kind: "call" }>): ExprAst | undefined {
  const { name, args, span } = call
  if (call.params !== undefined || call.over !== undefined || call.distinct) return undefined
  const [left, right] = args
  if (left === undefined) return undefined
  if (args.length === 1) return findUnary(name, left, call)
  if ((name === "and" || name === "or") && right !== undefined) {
    return { kind: name, operands: args, span }
  }
  if (right === undefined || args.length !== 2) return undefined
  const comparison = COMPARISONS.get(name)
  if (comparison !== undefined) return { kind: "compare", operator: comparison, left, right, span }
  const operator = ARITHMETIC.get(name)
  return operator === undefined ? undefined : { kind: "arithmetic", operator, left, right, span }
}

function findUnary(name: string, operand: ExprAst, { span }: ExprAst): ExprAst | undefined {
  if (name === "not") return { kind: "not", operand, span }
  if (name === "isNull") return { kind: "isNull", operand, isNegated: false, span }
  return name === "isNotNull" ? { kind: "isNull", operand, isNegated: true, span } : undefined
}
