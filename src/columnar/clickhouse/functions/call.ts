/** What the printers of functions have in common. */
import type { Expr } from "../../../query/tree.ts"
import type { Type } from "../../../query/types.ts"
import { type PrintState, parameterName } from "../printer-state.ts"

export interface Call {
  readonly exprs: readonly Expr[]
  /** Of the arguments; empty where the caller did not say. */
  readonly types: readonly Type[]
  readonly state: PrintState
  /** Prints an argument. */
  readonly arg: (index: number) => string
  /** All arguments, as numbers of one type if they are numbers. */
  readonly all: () => readonly string[]
}

export type Printer = (call: Call) => string

/** The engine's function of this name. */
export const named =
  (name: string): Printer =>
  ({ all }) =>
    `${name}(${all().join(", ")})`

/** A text that is used many times is had once. The name is one that no query can write. */
export function once(text: string, use: (name: string) => string, name = "x"): string {
  if (/^[\w".{}:]+$/.test(text)) return use(text)
  return `arrayMap(${name} -> ${use(name)}, [${text}])[1]`
}

/** A lambda of one parameter, taken apart. */
export function lambdaOf({ exprs, state }: Call, index: number): { name: string; body: string } {
  const expr = exprs[index]
  if (expr?.kind !== "lambda" || expr.parameters.length !== 1) {
    throw new Error(`argument ${index} must be a lambda of one parameter`)
  }
  const parameters = new Set([...(state.parameters ?? []), ...expr.parameters])
  const name = parameterName(expr.parameters[0] ?? "")
  return { name, body: state.print(expr.body, { ...state, parameters }) }
}

/** The constant that a printer must know while printing. */
export function constantText({ exprs }: Call, index: number): string {
  const expr = exprs[index]
  if (expr?.kind !== "value" || expr.value.type !== "text") {
    throw new Error(`argument ${index} must be a constant text`)
  }
  return expr.value.value
}

export function findConstantText({ exprs }: Call, index: number): string | undefined {
  const expr = exprs[index]
  return expr?.kind === "value" && expr.value.type === "text" ? expr.value.value : undefined
}

export function constantNumber({ exprs }: Call, index: number): number {
  const expr = exprs[index]
  if (expr?.kind !== "value" || expr.value.type !== "number") {
    throw new Error(`argument ${index} must be a constant number`)
  }
  return expr.value.value
}

/** As 64-bit whole number; a fraction is rounded to the even one. */
export function whole({ types, arg }: Pick<Call, "types" | "arg">, index: number): string {
  const isFloat = types[index]?.kind === "float"
  return isFloat ? `toInt64(roundBankers(${arg(index)}))` : `toInt64(${arg(index)})`
}
