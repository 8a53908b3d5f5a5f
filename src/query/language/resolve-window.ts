/** Windows: which rows an aggregation over rows sees, and in which order. */
import type { OrderBy, WindowExpr } from "../tree.ts"
import type { OrderAst, Span, WindowAst } from "./ast.ts"
import { asValue, type Place, report } from "./resolving.ts"

type WindowParts = Omit<WindowExpr, "kind" | "of">

const NO_WINDOW: WindowParts = { partitionBy: [], orderBy: [] }

/** What stands behind OVER: a window, or the name of one. */
export interface Over {
  readonly over: WindowAst | string
  readonly span: Span
}

export function windowOf({ over, span }: Over, place: Place): WindowParts {
  if (typeof over === "string") {
    const named = place.scope.windows.get(over)
    if (named !== undefined) return windowOf({ over: named, span }, place)
    const message = `There is no window "${over}".`
    const suggestion = `Say what it is: WINDOW ${over} AS (PARTITION BY ... ORDER BY ...).`
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
function orderKey({ expr, direction, nulls = "last" }: OrderAst, place: Place): OrderBy {
  return { expr: place.work.resolveExpr(expr, place).expr, direction, nulls }
}
