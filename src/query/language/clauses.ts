/** The resolved expressions of one SELECT, and what is done to all of them alike. */
import { and } from "../build.ts"
import { rewriteOrder } from "../rewrite.ts"
import type { Expr, OrderBy, Select } from "../tree.ts"
import { isAggregating } from "../walk.ts"
import { groupedBy, refuseAggregates } from "./aggregation.ts"
import type { ExprAst, SelectAst } from "./ast.ts"
import { asInteger } from "./coerce.ts"
import type { Resolved, Work } from "./resolving.ts"

export interface Column {
  readonly name: string
  readonly ast: ExprAst
  readonly value: Resolved
}

export interface Clauses {
  readonly columns: readonly Column[]
  readonly where: Expr | undefined
  readonly groupBy: readonly Expr[]
  readonly having: Expr | undefined
  readonly orderBy: readonly OrderBy[]
  readonly limitBy: Select["limitBy"]
}

export function listClauseExprs(clauses: Clauses): readonly Expr[] {
  const { where, having } = clauses
  return [
    ...clauses.columns.map(({ value }) => value.expr),
    ...(where === undefined ? [] : [where]),
    ...clauses.groupBy,
    ...(having === undefined ? [] : [having]),
    ...clauses.orderBy.map(({ expr }) => expr),
    ...(clauses.limitBy?.by ?? []),
  ]
}

export function rewriteClauses(clauses: Clauses, rewrite: (expr: Expr) => Expr): Clauses {
  const { where, having, limitBy } = clauses
  return {
    columns: clauses.columns.map((column) => ({
      ...column,
      value: { ...column.value, expr: rewrite(column.value.expr) },
    })),
    where: where === undefined ? undefined : rewrite(where),
    groupBy: clauses.groupBy.map(rewrite),
    having: having === undefined ? undefined : rewrite(having),
    orderBy: rewriteOrder(clauses.orderBy, rewrite),
    limitBy: limitBy === undefined ? undefined : { ...limitBy, by: limitBy.by.map(rewrite) },
  }
}

/** What stands beside aggregates is held against the keys of the groups. */
export function checkGroups(clauses: Clauses, select: SelectAst, work: Work): Clauses {
  const { columns, having, orderBy, limitBy, groupBy } = clauses
  const beside = listClauseExprs({ ...clauses, where: undefined, groupBy: [] })
  if (groupBy.length === 0 && !beside.some(isAggregating))
    return havingAsWhere(clauses, select, work)
  const check = groupedBy(groupBy, work)
  const spanOf = (ast: ExprAst | undefined) => (ast ?? select).span
  return {
    ...clauses,
    columns: columns.map((column) => ({
      ...column,
      value: { ...column.value, expr: check(column.value.expr, spanOf(column.ast)) },
    })),
    having: having === undefined ? undefined : check(having, spanOf(select.having)),
    orderBy: orderBy.map((key, index) => ({
      ...key,
      expr: check(key.expr, spanOf(select.orderBy[index]?.expr)),
    })),
    limitBy:
      limitBy === undefined
        ? undefined
        : {
            ...limitBy,
            by: limitBy.by.map((expr, index) => check(expr, spanOf(select.limitBy?.by[index]))),
          },
  }
}

/** Without groups HAVING chooses rows, as WHERE does. */
function havingAsWhere(clauses: Clauses, select: SelectAst, work: Work): Clauses {
  const { where, having } = clauses
  if (having === undefined) return clauses
  const span = (select.having ?? select).span
  refuseAggregates(having, { clause: "HAVING", span, work })
  return { ...clauses, having: undefined, where: where === undefined ? having : and(where, having) }
}

/** What comes of comparing is shown as 1 or 0; what is kept as true or false is shown so. */
const COMPARING: ReadonlySet<Expr["kind"]> = new Set([
  "compare",
  "and",
  "or",
  "not",
  "isNull",
  "in",
  "inQuery",
  "call",
])

/** Only where the rows are answered: inside, a condition stays one. */
export function showConditions(clauses: Clauses): Clauses {
  const shown = new Map<Expr, Expr>()
  const columns = clauses.columns.map((column) => {
    const { expr, type } = column.value
    const value = COMPARING.has(expr.kind) ? asInteger({ expr, type }) : undefined
    if (value === undefined) return column
    shown.set(expr, value.expr)
    return { ...column, value }
  })
  // DISTINCT orders by what it shows.
  const orderBy = rewriteOrder(clauses.orderBy, (expr) => shown.get(expr) ?? expr)
  return { ...clauses, columns, orderBy }
}
