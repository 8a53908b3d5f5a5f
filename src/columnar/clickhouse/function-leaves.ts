/** Arguments of functions, as constants and as what a row holds. For tests. */
import { call, text } from "../../query/build.ts"
import type { FunctionName } from "../../query/functions/index.ts"
import type { Expr } from "../../query/tree.ts"
import type { ScalarKind, Type } from "../../query/types.ts"

export interface Leaf {
  readonly constant: Expr
  readonly type: Type
  /** As a property holds it. */
  readonly value: string | number | boolean | null
}

export interface Typed {
  readonly expr: Expr
  readonly type: Type
}

export type Place = (leaf: Leaf) => Expr

export interface FunctionCase {
  readonly name: string
  readonly function: FunctionName
  readonly build: (place: Place) => Typed
}

/** An argument: a value, a constant that stays one, an array of values, or a lambda. */
export type Arg =
  | Leaf
  | { readonly fixed: Expr; readonly type: Type }
  | { readonly items: readonly Leaf[]; readonly of: ScalarKind }
  | { readonly call: FunctionName; readonly args: readonly Arg[]; readonly type: Type }

export const kind = (name: ScalarKind): Type => ({ kind: name, isNullable: true })
const leaf = (name: ScalarKind, constant: Expr, value: Leaf["value"]): Leaf => ({
  constant,
  type: kind(name),
  value,
})
export const bound = (type: "text" | "number" | "boolean", value: never): Expr =>
  ({ kind: "value", value: { type, value } }) as Expr
const NULL: Expr = { kind: "value", value: { type: "null" } }

export const t = (value: string) => leaf("text", bound("text", value as never), value)
export const i = (value: number) => leaf("integer", bound("number", value as never), value)
export const f = (value: number) =>
  leaf(
    "float",
    {
      kind: "arithmetic",
      operator: "/",
      left: bound("number", value as never),
      right: bound("number", 1 as never),
    },
    value,
  )
export const b = (value: boolean) => leaf("boolean", bound("boolean", value as never), value)
export const m = (value: string) =>
  leaf("moment", { kind: "value", value: { type: "timestamp", value } }, value)
export const none = (name: ScalarKind): Leaf => leaf(name, NULL, null)
export const c = (value: string) => ({ fixed: text(value), type: kind("text") })
export const cn = (value: number) => ({
  fixed: bound("number", value as never),
  type: kind("integer"),
})
export const nothing = { fixed: NULL, type: kind("null") }
export const list = (of: ScalarKind, ...items: readonly Leaf[]) => ({ items, of })
export const made = (name: FunctionName, type: Type, ...args: readonly Arg[]) => ({
  call: name,
  args,
  type,
})
export const arrayOf = (of: ScalarKind): Type => ({ kind: "array", of: kind(of) })
export const mapped = (body: Expr) => ({
  fixed: { kind: "lambda", parameters: ["x"], body } as const,
  type: kind("unknown"),
})
export const X: Expr = { kind: "parameter", name: "x" }

function print(arg: Arg, place: Place): Typed {
  if ("fixed" in arg) return { expr: arg.fixed, type: arg.type }
  if ("items" in arg) {
    return { expr: { kind: "array", items: arg.items.map(place) }, type: arrayOf(arg.of) }
  }
  if ("call" in arg) return { ...build(arg.call, arg.args, place), type: arg.type }
  return { expr: place(arg), type: arg.type }
}

export function build(name: FunctionName, args: readonly Arg[], place: Place): Typed {
  const printed = args.map((arg) => print(arg, place))
  const expr = call(name, ...printed.map((each) => each.expr))
  const types = printed.map(({ type }) => type)
  return { expr: { ...expr, types } as Expr, type: kind("unknown") }
}
