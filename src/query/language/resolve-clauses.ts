/** The clauses of a SELECT, in the order in which their names mean something. */
import { and } from "../build.ts"
import type { Expr, OrderBy } from "../tree.ts"
import { refuseAggregates } from "./aggregation.ts"
import type { ExprAst, SelectAst } from "./ast.ts"
import type { Clauses, Column } from "./clauses.ts"
import { resolveAlias } from "./resolve-field.ts"
import { resolveLimitBy } from "./resolve-limit.ts"
import { NULL, type Place, placeIn, report, type Scope, type Work } from "./resolving.ts"
import { expandColumns, type NamedAst } from "./select-columns.ts"

export function resolveClauses(select: SelectAst, scope: Scope, work: Work): Clauses {
  const place = placeIn(scope, work)
  const named = expandColumns(select.columns, { scope, work, span: select.span })
  const columns = named.map((column) => resolveColumn(column, place))
  return {
    columns,
    where: resolveWhere(select, place),
    groupBy: resolveGroupBy(select, columns, place),
    having: resolveCondition(select.having, place),
    orderBy: resolveOrderBy(select, columns, place),
    limitBy: resolveLimitBy(select, place),
  }
}

/** By way of its alias, so that the column and what refers to it are one expression. */
function resolveColumn({ ast, name }: NamedAst, place: Place): Column {
  const alias = ast.kind === "alias" ? place.scope.aliases.get(ast.name) : undefined
  const isOwn = ast.kind === "alias" && alias?.ast === ast.expr
  const value = isOwn && alias ? resolveAlias(alias, place) : place.work.resolveExpr(ast, place)
  return { ast, name, value }
}

function resolveCondition(ast: ExprAst | undefined, place: Place): Expr | undefined {
  if (ast === undefined) return undefined
  return place.work.resolveExpr(ast, { ...place, isCondition: true }).expr
}

function resolveWhere({ prewhere, where }: SelectAst, place: Place): Expr | undefined {
  const inner = { ...place, prefersFields: true }
  const conditions = [prewhere, where].flatMap((ast) => {
    const expr = resolveCondition(ast, inner)
    if (expr === undefined || ast === undefined) return []
    refuseAggregates(expr, { clause: "WHERE", span: ast.span, work: place.work })
    return [expr]
  })
  return conditions.length < 2 ? conditions[0] : and(...conditions)
}

function resolveGroupBy(
  { groupBy }: SelectAst,
  columns: readonly Column[],
  place: Place,
): readonly Expr[] {
  const keys = groupBy.flatMap((ast) => {
    const column = findByPosition(ast, columns, place)
    const { expr } = column?.value ?? place.work.resolveExpr(ast, { ...place, prefersFields: true })
    refuseAggregates(expr, { clause: "GROUP BY", span: ast.span, work: place.work })
    return [expr]
  })
  // A constant splits no group; some engines do not take one that is bound, or take it for a position.
  const varying = keys.filter(({ kind }) => kind !== "value")
  return varying.length > 0 || keys.length === 0 ? varying : [ANYTHING]
}

/** The same for all rows. */
const ANYTHING: Expr = { kind: "isNull", operand: NULL }

function resolveOrderBy(
  { orderBy }: SelectAst,
  columns: readonly Column[],
  place: Place,
): readonly OrderBy[] {
  return orderBy
    .map(({ expr: ast, direction, nulls = "last" }): OrderBy => {
      const column = findByPosition(ast, columns, place)
      const { expr } = column?.value ?? place.work.resolveExpr(ast, place)
      return { expr, direction, nulls }
    })
    .filter(({ expr }) => expr.kind !== "value")
}

/** `GROUP BY 1` means the first column. */
function findByPosition(
  ast: ExprAst,
  columns: readonly Column[],
  { work }: Place,
): Column | undefined {
  if (ast.kind !== "constant" || typeof ast.value !== "number") return undefined
  const column = Number.isInteger(ast.value) ? columns[ast.value - 1] : undefined
  if (column === undefined) {
    const message = `There is no column ${ast.value}: the query has ${columns.length}.`
    report(work, { code: "unresolved_field", message, span: ast.span })
  }
  return column
}
