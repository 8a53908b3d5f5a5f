/** Trees with some of their nodes exchanged. */
import type { AggregateExpr, Expr, OrderBy, WindowExpr } from "./tree.ts"

/** What takes a node's place; undefined keeps it and looks inside. */
type Change = (expr: Expr) => Expr | undefined

/** Queries inside are left as they are: they see none of the rows around them. */
export function rewriteExpr(expr: Expr, change: Change): Expr {
  const changed = change(expr)
  return changed ?? rewriteInside(expr, (operand) => rewriteExpr(operand, change))
}

type Rewrite = (expr: Expr) => Expr

function rewriteInside(expr: Expr, rewrite: Rewrite): Expr {
  switch (expr.kind) {
    case "value":
    case "column":
    case "property":
    case "properties":
    case "scalarQuery":
    case "parameter":
      return expr
    case "and":
    case "or":
      return { ...expr, operands: expr.operands.map(rewrite) }
    case "not":
    case "isNull":
    case "in":
    case "inQuery":
      return { ...expr, operand: rewrite(expr.operand) }
    case "compare":
    case "arithmetic":
      return { ...expr, left: rewrite(expr.left), right: rewrite(expr.right) }
    case "case":
      return rewriteCase(expr, rewrite)
    case "call":
      return { ...expr, args: expr.args.map(rewrite) }
    case "array":
    case "tuple":
      return { ...expr, items: expr.items.map(rewrite) }
    case "tupleItem":
      return { ...expr, tuple: rewrite(expr.tuple) }
    case "lambda":
      return { ...expr, body: rewrite(expr.body) }
    case "aggregate":
      return rewriteAggregate(expr, rewrite)
    case "window":
      return rewriteWindow(expr, rewrite)
  }
}

function rewriteCase(expr: Extract<Expr, { kind: "case" }>, rewrite: Rewrite): Expr {
  const branches = expr.branches.map(({ when, result }) => ({
    when: rewrite(when),
    result: rewrite(result),
  }))
  return { ...expr, branches, otherwise: rewrite(expr.otherwise) }
}

function rewriteAggregate(expr: AggregateExpr, rewrite: Rewrite): AggregateExpr {
  return {
    ...expr,
    args: expr.args.map(rewrite),
    ...(expr.filter === undefined ? {} : { filter: rewrite(expr.filter) }),
    ...(expr.orderBy === undefined ? {} : { orderBy: rewriteOrder(expr.orderBy, rewrite) }),
  }
}

function rewriteWindow(expr: WindowExpr, rewrite: Rewrite): WindowExpr {
  const { of } = expr
  return {
    ...expr,
    of:
      of.kind === "aggregate"
        ? rewriteAggregate(of, rewrite)
        : { ...of, args: of.args.map(rewrite) },
    partitionBy: expr.partitionBy.map(rewrite),
    orderBy: rewriteOrder(expr.orderBy, rewrite),
  }
}

export function rewriteOrder(orderBy: readonly OrderBy[], rewrite: Rewrite): readonly OrderBy[] {
  return orderBy.map((key) => ({ ...key, expr: rewrite(key.expr) }))
}
