/** What the printers of functions have in common. */
import type { Expr } from "../../../query/tree.ts"
import type { Type } from "../../../query/types.ts"

export interface Call {
  readonly exprs: readonly Expr[]
  /** Of the arguments; empty where the caller did not say. */
  readonly types: readonly Type[]
  /** Prints an argument. Unread ones are never printed: the engine refuses values it has no use for. */
  readonly arg: (index: number) => string
}

export type Printer = (call: Call) => string

/** The engine's function of this name. */
export const named =
  (name: string): Printer =>
  (call) =>
    `${name}(${printAll(call)})`

export const printAll = ({ exprs, arg }: Call): string =>
  exprs.map((_, index) => arg(index)).join(", ")

/**
 * A text that is used many times, such as one taken out of JSON, is had once. Also the way to put aggregates under
 * TRY, which refuses to hold them itself. The name is one that no query can write.
 */
export function once(text: string, use: (name: string) => string, name = "t"): string {
  if (/^[\w".$·]+$/.test(text)) return use(text)
  const hidden = `"·${name}"`
  return `list_transform([${text}], lambda ${hidden}: ${use(hidden)})[1]`
}

/** Null where the engine refuses the value. */
export function tryOnce(texts: readonly string[], use: (...names: string[]) => string): string {
  const bindFrom = (index: number, names: readonly string[]): string => {
    const text = texts[index]
    if (text === undefined) return `TRY(${use(...names)})`
    return once(text, (name) => bindFrom(index + 1, [...names, name]), `t${index}`)
  }
  return bindFrom(0, [])
}

/** The constant that a printer must know while printing. */
export function constantText({ exprs }: Call, index: number): string {
  const expr = exprs[index]
  if (expr?.kind !== "value" || expr.value.type !== "text") {
    throw new Error(`argument ${index} must be a constant text`)
  }
  return expr.value.value
}

export function constantNumber({ exprs }: Call, index: number): number {
  const expr = exprs[index]
  if (expr?.kind !== "value" || expr.value.type !== "number") {
    throw new Error(`argument ${index} must be a constant number`)
  }
  return expr.value.value
}

/** Cut to 64 bits; null for what they do not hold, where a plain cast would fail the query. */
export const wholeNumber = (text: string): string => `TRY_CAST(trunc(${text}) AS BIGINT)`
