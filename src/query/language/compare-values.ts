/**
 * Comparisons of two values. They are never unknown: nothing equals nothing and no value, and is neither larger
 * nor smaller. Where neither side can be null, or where unknown and false come to the same, the tree has the
 * plain comparison, which engines know how to make fast.
 */
import { and, boolean, call, compare, isNotNull, isNull, not, or } from "../build.ts"
import type { CompareOperator, Expr } from "../tree.ts"
import type { Span } from "./ast.ts"
import { harmonize } from "./harmonize.ts"
import { BOOLEAN, isConstantNull, isNullable, type Place, type Resolved } from "./resolving.ts"

export interface Site {
  readonly span: Span
  readonly place: Place
}

export type Pair = readonly [left: Resolved, right: Resolved]

export function compareValues(operator: CompareOperator, pair: Pair, site: Site): Resolved {
  const [left, right] = harmonize(pair, site)
  const plain = compare(operator, left.expr, right.expr)
  return { expr: withoutUnknown(plain, { operator, pair: [left, right], site }), type: BOOLEAN }
}

interface Comparison {
  readonly operator: CompareOperator
  readonly pair: Pair
  readonly site: Site
}

function withoutUnknown(plain: Expr, { operator, pair: [left, right], site }: Comparison): Expr {
  const isEquality = operator === "=" || operator === "!="
  if (isConstantNull(left) || isConstantNull(right)) {
    if (!isEquality) return or()
    const other = isConstantNull(left) ? right : left
    return operator === "=" ? isNull(other.expr) : isNotNull(other.expr)
  }
  const nullable = [left, right].filter(({ type }) => mayBeNull(type))
  if (nullable.length === 0) return plain
  const areBothNull = and(isNull(left.expr), isNull(right.expr))
  if (operator === "=" && site.place.isJoin === true) return plain
  if (operator === "=" && nullable.length === 2) return call("coalesce", plain, areBothNull)
  if (operator === "!=") {
    return call("coalesce", plain, nullable.length === 2 ? not(areBothNull) : boolean(true))
  }
  return site.place.isCondition ? plain : call("coalesce", plain, boolean(false))
}

/** Arrays and tuples are not null themselves, but may hold null. */
function mayBeNull(type: Resolved["type"]): boolean {
  return isNullable(type) || type.kind === "tuple"
}

/** Whether a value equals one of several. */
export function equalsAny(operand: Resolved, values: readonly Resolved[], site: Site): Expr {
  return or(...values.map((value) => compareValues("=", [operand, value], site).expr))
}
