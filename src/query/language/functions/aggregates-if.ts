/** Every aggregate also as sumIf(x, condition): of the rows for which the condition is true. */
import { and } from "../../build.ts"
import { rewriteExpr } from "../../rewrite.ts"
import type { Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import type { LanguageFunction } from "./function.ts"

export function withConditions(plain: readonly LanguageFunction[]): readonly LanguageFunction[] {
  return plain.map(withCondition)
}

function withCondition(of: LanguageFunction): LanguageFunction {
  // Counting values that are not null needs no condition of its own: countIf takes the condition alone.
  const isCount = of.name === "count"
  const min = isCount ? 1 : of.args.min + 1
  const max = isCount ? 1 : of.args.max + 1
  return {
    ...omitExample(of),
    name: `${of.name}If`,
    signature: isCount ? "(boolean) -> integer" : of.signature.replace(") ->", ", boolean) ->"),
    meaning: `${of.name} of the rows for which the last argument is true.`,
    args: { min, max },
    check: (types) => checkCondition(types) ?? of.check(types.slice(0, -1)),
    lower: (parts, context) => {
      const plain = { ...parts, args: parts.args.slice(0, -1), types: parts.types.slice(0, -1) }
      const condition = parts.args.at(-1)
      const made = of.lower(plain, context)
      return condition === undefined ? made : conditioned(made, condition)
    },
  }
}

function omitExample({ example: _, ...rest }: LanguageFunction): LanguageFunction {
  return rest
}

function checkCondition(types: readonly Type[]) {
  const kind = types.at(-1)?.kind
  if (kind === undefined || kind === "boolean" || kind === "null" || kind === "unknown") return
  return { problem: `must be boolean, not ${kind}`, argument: types.length - 1 }
}

function conditioned(made: Expr, condition: Expr): Expr {
  return rewriteExpr(made, (expr) => {
    if (expr.kind !== "aggregate") return undefined
    return { ...expr, filter: expr.filter === undefined ? condition : and(expr.filter, condition) }
  })
}
