/** What one function of the language is: its shape, its meaning, and which tree it becomes. */
import type { Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"

export interface LoweringContext {
  /** Of the project. */
  readonly timezone: string
  /** 0 Sunday, 1 Monday. */
  readonly weekStartsOn: 0 | 1
  readonly now: Date
}

export interface CallParts {
  /** A lambda is an expression of kind "lambda". */
  readonly args: readonly Expr[]
  /** Of the arguments; of a lambda: the type of its body. */
  readonly types: readonly Type[]
  /** quantile(0.9)(x) has one. */
  readonly params: readonly number[]
  readonly distinct: boolean
}

export interface CountRange {
  readonly min: number
  readonly max: number
}

export type Verdict =
  | { readonly type: Type }
  | { readonly problem: string; readonly argument: number }

export interface LanguageFunction {
  readonly name: string
  readonly kind: "scalar" | "aggregate" | "window"
  /** "(text, integer?) -> text", also shown in the documentation. */
  readonly signature: string
  readonly meaning: string
  /** Heading in the documentation. */
  readonly group: string
  /** A text of the language and its answer. */
  readonly example?: readonly [string, unknown]
  readonly args: CountRange
  readonly params: CountRange
  /** Which argument is a lambda, and the types of its parameters from those of the other arguments. */
  readonly lambda?: {
    readonly index: number
    parameterTypes(types: readonly (Type | undefined)[]): readonly Type[]
  }
  /** The type of the answer, or what is wrong with which argument. */
  check(types: readonly Type[]): Verdict
  /**
   * A function of windows becomes an expression of kind "window" with nothing but `of`. Refuses constants out of
   * bounds with an error of the caller.
   */
  lower(call: CallParts, context: LoweringContext): Expr
}
