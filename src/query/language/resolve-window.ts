/** Windows: which rows an aggregation over rows sees, and in which order. */
import type { OrderBy, WindowExpr } from "../tree.ts"
import type { OrderAst, WindowAst } from "./ast.ts"
import { asValue, type Place, report } from "./resolving.ts"

type WindowParts = Omit<WindowExpr, "kind" | "of">

const NO_WINDOW: WindowParts = { partitionBy: [], orderBy: [] }

export function windowOf(over: WindowAst | string, place: Place): WindowParts {
  if (typeof over === "string") {
    const named = place.scope.windows.get(over)
    if (named !== undefined) return windowOf(named, place)
    const message = `There is no window "${over}".`
    const suggestion = `Say what it is: WINDOW ${over} AS (PARTITION BY ... ORDER BY ...).`
    const span = { start: 0, end: 0 }
    report(place.work, { code: "unresolved_field", message, span, suggestion })
    return NO_WINDOW
  }
  const inner = asValue(place)
  return {
    partitionBy: over.partitionBy.map((key) => place.work.resolveExpr(key, inner).expr),
    orderBy: over.orderBy.map((key) => orderKey(key, inner)),
    ...(over.frame === undefined
      ? {}
      : { frame: { unit: over.frame.unit, start: over.frame.start, end: over.frame.end } }),
  }
}

/** Null comes last either way, unless the text says otherwise. */
export function orderKey({ expr, direction, nulls = "last" }: OrderAst, place: Place): OrderBy {
  return { expr: place.work.resolveExpr(expr, place).expr, direction, nulls }
}
