/** The aggregates that a lowered call is made of, each changed. */
import type { AggregateExpr, Expr } from "../../tree.ts"

type Change = (aggregate: AggregateExpr) => AggregateExpr

/** Knows the nodes that aggregates of the language are lowered to, and no others. */
export function mapAggregates(expr: Expr, change: Change): Expr {
  switch (expr.kind) {
    case "aggregate":
      return change(expr)
    case "arithmetic":
      return {
        ...expr,
        left: mapAggregates(expr.left, change),
        right: mapAggregates(expr.right, change),
      }
    case "array":
    case "tuple":
      return { ...expr, items: expr.items.map((item) => mapAggregates(item, change)) }
    case "call":
      return { ...expr, args: expr.args.map((arg) => mapAggregates(arg, change)) }
    default:
      return expr
  }
}
