/** Operators that compare: `=`, `LIKE`, `=~`, `IN`, `BETWEEN` and their like. */
import { and, boolean, call, isNull, not } from "../build.ts"
import type { CompareOperator } from "../tree.ts"
import { applyFunction } from "./apply-function.ts"
import type { CompareAstOperator, ExprAst } from "./ast.ts"
import { compareValues, type Pair, type Site } from "./compare-values.ts"
import { resolveCohort } from "./resolve-cohort.ts"
import { resolveIn } from "./resolve-in.ts"
import {
  asValue,
  BOOLEAN,
  isConstantNull,
  isNullable,
  type Place,
  type Resolved,
} from "./resolving.ts"

type CompareAst = Extract<ExprAst, { kind: "compare" }>

export function resolveCompare(ast: CompareAst, place: Place): Resolved {
  switch (ast.operator) {
    case "in":
    case "not in":
      return resolveIn(ast, place)
    case "in cohort":
    case "not in cohort":
      return resolveCohort(ast, place)
    default: {
      const inner = asValue(place)
      const left = place.work.resolveExpr(ast.left, inner)
      const right = place.work.resolveExpr(ast.right, inner)
      const pattern = PATTERNS.get(ast.operator)
      const site = { span: ast.span, place }
      if (pattern === undefined) {
        return compareValues(ast.operator as CompareOperator, [left, right], site)
      }
      return matchPattern(pattern, [left, right], site)
    }
  }
}

interface Pattern {
  readonly name: "like" | "ilike" | "match"
  readonly ignoresCase: boolean
  readonly isNegated: boolean
}

const pattern = (name: Pattern["name"], isNegated: boolean, ignoresCase = false): Pattern => ({
  name,
  isNegated,
  ignoresCase,
})

const PATTERNS: ReadonlyMap<CompareAstOperator, Pattern> = new Map([
  ["like", pattern("like", false)],
  ["not like", pattern("like", true)],
  ["ilike", pattern("ilike", false)],
  ["not ilike", pattern("ilike", true)],
  ["regex", pattern("match", false)],
  ["not regex", pattern("match", true)],
  ["iregex", pattern("match", false, true)],
  ["not iregex", pattern("match", true, true)],
])

function matchPattern({ name, ...how }: Pattern, [left, right]: Pair, site: Site): Resolved {
  if (isConstantNull(left) || isConstantNull(right)) {
    const isMatch = isNull((isConstantNull(left) ? right : left).expr)
    return { expr: how.isNegated ? not(isMatch) : isMatch, type: BOOLEAN }
  }
  const wanted = how.ignoresCase ? withoutCase(right, site) : right
  const matched = applyFunction(name, [left, wanted], site)
  const unknown = isNullable(right.type)
    ? and(isNull(left.expr), isNull(right.expr))
    : boolean(false)
  const isPlain = !isNullable(matched.type) || (site.place.isCondition && !how.isNegated)
  const isSure = isPlain && !isNullable(right.type)
  const known = isSure ? matched.expr : call("coalesce", matched.expr, unknown)
  return { expr: how.isNegated ? not(known) : known, type: BOOLEAN }
}

/** RE2 reads flags at the head of a pattern. */
function withoutCase(value: Resolved, site: Site): Resolved {
  const { expr } = value
  if (expr.kind === "value" && expr.value.type === "text") {
    return {
      ...value,
      expr: { kind: "value", value: { type: "text", value: `(?i)${expr.value.value}` } },
    }
  }
  const flag: Resolved = {
    expr: { kind: "value", value: { type: "text", value: "(?i)" } },
    type: { kind: "text", isNullable: false },
  }
  return applyFunction("concat", [flag, value], site)
}

/** Whether a value lies between two others, the ends included. */
export function resolveBetween(ast: Extract<ExprAst, { kind: "between" }>, place: Place): Resolved {
  const inner = asValue(place)
  const [operand, low, high] = [ast.operand, ast.low, ast.high].map((each) =>
    place.work.resolveExpr(each, inner),
  ) as [Resolved, Resolved, Resolved]
  const site = { span: ast.span, place: ast.isNegated ? inner : place }
  const ends = [
    compareValues(">=", [operand, low], site).expr,
    compareValues("<=", [operand, high], site).expr,
  ]
  const isBetween = and(...ends)
  return { expr: ast.isNegated ? not(isBetween) : isBetween, type: BOOLEAN }
}
