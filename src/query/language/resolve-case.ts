/** CASE, with its branches brought to one type. */
import type { Expr } from "../tree.ts"
import type { Type } from "../types.ts"
import type { ExprAst } from "./ast.ts"
import { asInteger, asNumber } from "./coerce.ts"
import { compareValues } from "./compare-values.ts"
import { joinTypes } from "./functions/check-types.ts"
import {
  asValue,
  describeType,
  NULL,
  type Place,
  type Resolved,
  report,
  UNRESOLVED,
} from "./resolving.ts"

export function resolveCase(ast: Extract<ExprAst, { kind: "case" }>, place: Place): Resolved {
  const inner = asValue(place)
  const { work } = place
  const whens = ast.branches.map(({ when }) => condition(when, ast.operand, inner))
  const results = ast.branches.map(({ result }) => work.resolveExpr(result, inner))
  const otherwise =
    ast.otherwise === undefined
      ? { expr: NULL, type: { kind: "null", isNullable: true } as const }
      : work.resolveExpr(ast.otherwise, inner)
  const all = [...results, otherwise]
  const joined = joinAll(all) ?? joinAll(all.map((value) => asNumber(value, work.context) ?? value))
  if (joined === undefined) {
    if (all.includes(UNRESOLVED)) return UNRESOLVED
    const kinds = [...new Set(all.map(({ type }) => describeType(type)))].join(", ")
    const message = `The branches of CASE have different types: ${kinds}.`
    return report(work, { code: "illegal_type_of_argument", message, span: ast.span })
  }
  const branches = whens.map((when, index) => ({ when, result: joined.exprs[index] ?? NULL }))
  const isLoose = all.every((value) => value.isLoose === true || value.type.kind === "null")
  const expr = { kind: "case", branches, otherwise: joined.exprs.at(-1) ?? NULL } as const
  return { expr, type: joined.type, isLoose }
}

function condition(when: ExprAst, operand: ExprAst | undefined, place: Place): Expr {
  if (operand === undefined)
    return place.work.resolveExpr(when, { ...place, isCondition: true }).expr
  const pair = [
    place.work.resolveExpr(operand, place),
    place.work.resolveExpr(when, place),
  ] as const
  return compareValues("=", pair, { span: when.span, place: { ...place, isCondition: true } }).expr
}

function joinAll(
  values: readonly Resolved[],
): { readonly type: Type; readonly exprs: readonly Expr[] } | undefined {
  const hasNumber = values.some(({ type }) => type.kind === "integer" || type.kind === "float")
  const suited = values.map((value) =>
    hasNumber && value.type.kind === "boolean" ? (asInteger(value) ?? value) : value,
  )
  const type = suited.reduce<Type | undefined>(
    (known, each) => (known === undefined ? undefined : joinTypes(known, each.type)),
    suited[0]?.type,
  )
  return type === undefined ? undefined : { type, exprs: suited.map(({ expr }) => expr) }
}
