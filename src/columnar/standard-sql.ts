/** What all dialects say alike: windows' frames, orders, levels. */
import type { AggregateExpr, Expr, Frame, FrameBound, OrderBy } from "../query/tree.ts"

export function printFrame({ unit, start, end }: Frame): string {
  const word = unit === "rows" ? "ROWS" : "RANGE"
  return `${word} BETWEEN ${printBound(start)} AND ${printBound(end)}`
}

function printBound(bound: FrameBound): string {
  switch (bound.kind) {
    case "unboundedPreceding":
      return "UNBOUNDED PRECEDING"
    case "unboundedFollowing":
      return "UNBOUNDED FOLLOWING"
    case "currentRow":
      return "CURRENT ROW"
    default:
      if (!Number.isSafeInteger(bound.count)) throw new Error(`${bound.count} is no count of rows`)
      return `${bound.count} ${bound.kind === "preceding" ? "PRECEDING" : "FOLLOWING"}`
  }
}

export function printOrderKeys(orderBy: readonly OrderBy[], print: (expr: Expr) => string): string {
  const keys = orderBy.map(({ expr, direction, nulls }) => {
    const words = `${direction === "desc" ? "DESC" : "ASC"} NULLS ${nulls === "first" ? "FIRST" : "LAST"}`
    return `${print(expr)} ${words}`
  })
  return keys.join(", ")
}

/** Of a quantile; the middle where none is given. */
export function levelOf({ params = [] }: AggregateExpr): string {
  const level = params[0] ?? 0.5
  if (!(level >= 0 && level <= 1)) throw new Error(`${level} is no level of a quantile`)
  return String(level)
}
