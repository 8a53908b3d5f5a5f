/** Which sources an expression reads, found by looking at all of it. */
import type { Expr, OrderBy, Query, Select } from "./tree.ts"

/** Aliases of the sources around the expression; queries inside it see none of them. */
export function listSourcesOf(exprs: readonly Expr[]): ReadonlySet<string> {
  const found = new Set<string>()
  const pending = [...exprs]
  for (let expr = pending.pop(); expr !== undefined; expr = pending.pop()) {
    if ("table" in expr) found.add(expr.table)
    pending.push(...operandsOf(expr))
  }
  return found
}

/** Whether the expression aggregates outside of any window. */
export function isAggregating(expr: Expr): boolean {
  return expr.kind === "aggregate" || operandsOf(expr).some(isAggregating)
}

/** What stands directly inside it; of queries inside, nothing. */
export function operandsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "value":
    case "column":
    case "property":
    case "properties":
    case "scalarQuery":
    case "parameter":
      return []
    case "and":
    case "or":
      return expr.operands
    case "not":
    case "isNull":
    case "in":
    case "inQuery":
      return [expr.operand]
    case "compare":
    case "arithmetic":
      return [expr.left, expr.right]
    case "case":
      return [...expr.branches.flatMap(({ when, result }) => [when, result]), expr.otherwise]
    case "call":
      return expr.args
    case "array":
    case "tuple":
      return expr.items
    case "tupleItem":
      return [expr.tuple]
    case "lambda":
      return [expr.body]
    case "aggregate":
      return [...expr.args, ...(expr.filter === undefined ? [] : [expr.filter]), ...keysOf(expr)]
    case "window":
      return [...expr.of.args, ...expr.partitionBy, ...expr.orderBy.map((key) => key.expr)]
  }
}

const keysOf = ({ orderBy = [] }: { readonly orderBy?: readonly OrderBy[] }): readonly Expr[] =>
  orderBy.map(({ expr }) => expr)

/** All expressions of a query's own level. */
export function listExprsOf(query: Select): readonly Expr[] {
  return [
    ...query.columns.map(({ expr }) => expr),
    ...(query.where === undefined ? [] : [query.where]),
    ...(query.groupBy ?? []),
    ...(query.having === undefined ? [] : [query.having]),
    ...keysOf(query),
    ...(query.limitBy?.by ?? []),
  ]
}

/** What the rows of a query call their values. */
export function columnNamesOf(query: Query): readonly string[] {
  if (query.kind !== "union") return query.columns.map(({ as }) => as)
  const [first] = query.queries
  if (first === undefined) throw new Error("a union has no queries")
  return columnNamesOf(first)
}
