/** One text being compiled, with the two functions that resolve everything inside it. */
import { resolveExpr } from "./resolve-expr.ts"
import { resolveQuery } from "./resolve-query.ts"
import type { LanguageContext, Work } from "./resolving.ts"

export function createWork(context: LanguageContext): Work {
  return {
    context,
    problems: [],
    origins: new WeakMap(),
    queryCount: 0,
    nextNumber: 0,
    resolveExpr,
    resolveQuery,
  }
}
