/** Short words for lowering calls to trees. */
import { invalid } from "../../../lib/errors.ts"
import { call, number } from "../../build.ts"
import type { FunctionName } from "../../functions/index.ts"
import type { Expr } from "../../tree.ts"
import type { CallParts } from "./function.ts"

export type Lower = (call: CallParts) => Expr

/** To a primitive of another name with the same arguments. */
export const to =
  (name: FunctionName): Lower =>
  ({ args, types }) => ({ kind: "call", name, args, types })

/** From the arguments alone. */
export const from =
  (make: (...args: readonly Expr[]) => Expr): Lower =>
  ({ args }) =>
    make(...args)

export function argOf({ args }: CallParts, index: number): Expr {
  const expr = args[index]
  if (expr === undefined) throw new Error(`a call has no argument ${index}`)
  return expr
}

export const NULL: Expr = { kind: "value", value: { type: "null" } }

type ArithmeticOperator = Extract<Expr, { kind: "arithmetic" }>["operator"]

export function arithmetic(left: Expr, operator: ArithmeticOperator, right: Expr): Expr {
  return { kind: "arithmetic", operator, left, right }
}

export function choose(when: Expr, result: Expr, otherwise: Expr = NULL): Expr {
  return { kind: "case", branches: [{ when, result }], otherwise }
}

export const arrayOf = (...items: readonly Expr[]): Expr => ({ kind: "array", items })
export const tupleOf = (...items: readonly Expr[]): Expr => ({ kind: "tuple", items })
export const itemOf = (tuple: Expr, index: number): Expr => ({ kind: "tupleItem", tuple, index })
export const parameter = (name: string): Expr => ({ kind: "parameter", name })
export const lambda = (parameters: readonly string[], body: Expr): Expr => ({
  kind: "lambda",
  parameters,
  body,
})

/** A value that is used more than once is computed once, under a name no caller can write. */
export function letBe(value: Expr, name: string, body: (known: Expr) => Expr): Expr {
  if (value.kind === "value" || value.kind === "parameter") return body(value)
  const hidden = `·${name}`
  const made = call("arrayMap", lambda([hidden], body(parameter(hidden))), arrayOf(value))
  return call("arrayElement", made, number(1))
}

/** The text of a constant, if it is one. */
export function constantText(expr: Expr | undefined): string | undefined {
  return expr?.kind === "value" && expr.value.type === "text" ? expr.value.value : undefined
}

export function constantNumber(expr: Expr | undefined): number | undefined {
  return expr?.kind === "value" && expr.value.type === "number" ? expr.value.value : undefined
}

/** The call can not be meant. */
export function refuse(detail: string): never {
  throw invalid(detail, "query", "wrong_arguments")
}
