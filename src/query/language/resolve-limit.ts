/** LIMIT, OFFSET and LIMIT BY: counts of rows. */
import type { Select } from "../tree.ts"
import type { ExprAst, LimitAst, SelectAst } from "./ast.ts"
import { LIMIT_MAX } from "./limits.ts"
import { type Place, report } from "./resolving.ts"

export function resolveLimits(
  { limit }: SelectAst,
  place: Place,
): Pick<Select, "limit" | "offset"> {
  if (limit === undefined) return {}
  refuseTies(limit, place)
  const count = resolveCount(limit.count, place)
  return {
    ...(count === undefined ? {} : { limit: count }),
    ...offsetOf(limit, place),
  }
}

export function resolveLimitBy({ limitBy }: SelectAst, place: Place): Select["limitBy"] {
  if (limitBy === undefined) return undefined
  const { limit, by } = limitBy
  refuseTies(limit, place)
  return {
    count: resolveCount(limit.count, place) ?? 0,
    by: by.map((ast) => place.work.resolveExpr(ast, place).expr),
    ...offsetOf(limit, place),
  }
}

function offsetOf({ offset }: LimitAst, place: Place): { readonly offset?: number } {
  const count = offset === undefined ? undefined : resolveCount(offset, place)
  return count === undefined ? {} : { offset: count }
}

function resolveCount(ast: ExprAst, { work }: Place): number | undefined {
  const count = findCount(ast)
  if (count !== undefined && count <= LIMIT_MAX) return count
  const message = `A LIMIT or OFFSET is a whole number from 0 to ${LIMIT_MAX}.`
  report(work, { code: "wrong_arguments", message, span: ast.span })
  return undefined
}

export function findCount(ast: ExprAst): number | undefined {
  const value = ast.kind === "constant" ? ast.value : undefined
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

function refuseTies({ withTies, span }: LimitAst, { work }: Place): void {
  if (!withTies) return
  const message = "LIMIT ... WITH TIES is not supported."
  const suggestion = "Number the rows with rank() OVER (...) and compare the rank."
  report(work, { code: "unsupported", message, span, suggestion })
}
