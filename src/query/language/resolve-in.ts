/** `x IN (1, 2)`, `x IN array`, `x IN (SELECT …)`, `(x, y) IN …`. Null is in nothing. */
import { column, not, or, orFalse } from "../build.ts"
import type { Expr, Query, Value } from "../tree.ts"
import { applyFunction } from "./apply-function.ts"
import type { ExprAst } from "./ast.ts"
import { equalsAny, type Site } from "./compare-values.ts"
import { harmonize } from "./harmonize.ts"
import { IN_VALUES_MAX } from "./limits.ts"
import {
  asValue,
  BOOLEAN,
  isConstantNull,
  isNullable,
  type NamedQuery,
  type Place,
  type QueryColumn,
  type Resolved,
  type ResolvedQuery,
  report,
  UNRESOLVED,
} from "./resolving.ts"

export function resolveIn(
  { operator, left, right, span }: Extract<ExprAst, { kind: "compare" }>,
  place: Place,
): Resolved {
  const isNegated = operator === "not in"
  const inner = asValue(place)
  const operand = place.work.resolveExpr(left, inner)
  const site = { span, place: inner }
  const { expr, isSure } = membership(operand, right, site)
  const isPlain = isSure || (place.isCondition && !isNegated)
  const known = isPlain ? expr : orFalse(expr)
  return { expr: isNegated ? not(known) : known, type: BOOLEAN }
}

interface Membership {
  readonly expr: Expr
  /** Whether it is never unknown. */
  readonly isSure: boolean
}

function membership(operand: Resolved, right: ExprAst, site: Site): Membership {
  const { work, scope } = site.place
  if (right.kind === "query") {
    return inQuery(operand, work.resolveQuery(right.query, scope, work), site)
  }
  const named = right.kind === "field" ? scope.namedQueries.get(right.chain.join(".")) : undefined
  if (named !== undefined) return inQuery(operand, allOf(named), site)
  if (right.kind === "tuple" || right.kind === "array") return inList(operand, right.items, site)
  const value = work.resolveExpr(right, site.place)
  if (value.type.kind === "array") {
    const { expr, type } = applyFunction("has", [value, operand], site)
    return { expr, isSure: !isNullable(type) }
  }
  return inList(operand, [right], site)
}

function inList(operand: Resolved, items: readonly ExprAst[], site: Site): Membership {
  if (items.length > IN_VALUES_MAX) {
    const message = `IN has ${items.length} values; at most ${IN_VALUES_MAX} are compared.`
    report(site.place.work, { code: "too_complex", message, span: site.span })
    return { expr: UNRESOLVED.expr, isSure: false }
  }
  const values = items
    .map((item) => site.place.work.resolveExpr(item, site.place))
    .filter((value) => !isConstantNull(value) || value === UNRESOLVED)
  const { constants, others } = sortValues(operand, values, site)
  const among = constants.map((group): Expr => ({ kind: "in", ...group }))
  const equal = others.length === 0 ? [] : [equalsAny(operand, others, site)]
  const [only] = among
  const expr = among.length === 1 && equal.length === 0 && only ? only : or(...among, ...equal)
  return { expr, isSure: !isNullable(operand.type) }
}

interface Group {
  readonly operand: Expr
  readonly values: Value[]
}

/** Constants of one type are compared together, with the operand read as that type. */
function sortValues(operand: Resolved, values: readonly Resolved[], site: Site) {
  const groups = new Map<string, Group>()
  const others: Resolved[] = []
  for (const value of values) {
    if (value.expr.kind !== "value" || value.expr.value.type === "null") {
      others.push(value)
      continue
    }
    const [suited, constant] = harmonize([operand, value], site)
    if (constant.expr.kind !== "value" || suited === UNRESOLVED) continue
    const kind = constant.expr.value.type
    const group = groups.get(kind) ?? { operand: suited.expr, values: [] }
    group.values.push(constant.expr.value)
    groups.set(kind, group)
  }
  return { constants: [...groups.values()], others }
}

function inQuery(operand: Resolved, { query, columns }: ResolvedQuery, site: Site): Membership {
  const wanted = operand.type.kind === "tuple" ? operand.type.items.length : 1
  if (columns.length !== wanted) {
    const message = `The query after IN has ${columns.length} columns, but ${wanted} must be compared.`
    report(site.place.work, { code: "wrong_arguments", message, span: site.span })
    return { expr: UNRESOLVED.expr, isSure: false }
  }
  const alias = INSIDE
  const read = columns.map((each) => readColumn(alias, each))
  const [first = UNRESOLVED] = read
  const row: Resolved =
    operand.type.kind === "tuple"
      ? {
          expr: { kind: "tuple", items: read.map(({ expr }) => expr) },
          type: { kind: "tuple", items: read.map(({ type }) => type) },
        }
      : first
  const [left, right] = harmonize([operand, row], site)
  const isAsIs = right.expr === first.expr
  const suited: Query = isAsIs
    ? query
    : { columns: [{ as: "v", expr: right.expr }], from: { kind: "subquery", query, alias } }
  // A row of null among those of the query makes the answer unknown where none is found.
  const isSure = ![operand, ...columns].some(({ type }) => isNullable(type)) && isAsIs
  return { expr: { kind: "inQuery", operand: left.expr, query: suited }, isSure }
}

/** The only source of a query around the one that is looked into. */
const INSIDE = "t"

const readColumn = (alias: string, { as, type, isLoose }: QueryColumn): Resolved => ({
  expr: column(alias, as),
  type,
  isLoose,
})

/** `x IN name` of a named query. */
function allOf({ treeName, columns }: NamedQuery): ResolvedQuery {
  const alias = INSIDE
  const query: Query = {
    columns: columns.map(({ as }) => ({ as, expr: column(alias, as) })),
    from: { kind: "cte", name: treeName, alias },
  }
  return { query, columns }
}
