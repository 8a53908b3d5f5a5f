/** Whether the one column of a query may hold null; "yes" where it is not obvious. */
import type { Expr, Query, Select } from "../../query/tree.ts"
import { listOptional } from "./printer-sources.ts"
import { getCte, type PrintState } from "./printer-state.ts"

const NULLABLE_COLUMNS: ReadonlySet<string> = new Set(["snapshot_id", "email"])

export function mayBeNull(query: Query, state: Pick<PrintState, "ctes">, index = 0): boolean {
  if (query.kind === "union") {
    return query.queries.some((member) => mayBeNull(member, state, index))
  }
  const ctes = new Map([
    ...state.ctes,
    ...(query.ctes ?? []).map((cte) => [cte.name, cte.query] as const),
  ])
  const expr = query.columns[index]?.expr
  return expr === undefined || !isNeverNull(expr, query, { ctes })
}

function isNeverNull(expr: Expr, query: Select, state: Pick<PrintState, "ctes">): boolean {
  switch (expr.kind) {
    case "value":
      return expr.value.type !== "null"
    case "column":
      return isColumnNeverNull(expr, query, state)
    case "call":
      return (
        expr.name === "coalesce" &&
        expr.args.some((argument) => isNeverNull(argument, query, state))
      )
    case "aggregate":
      return expr.name === "count" || expr.name === "countDistinct"
    default:
      return false
  }
}

function isColumnNeverNull(
  { table, column }: Extract<Expr, { kind: "column" }>,
  query: Select,
  state: Pick<PrintState, "ctes">,
): boolean {
  if (listOptional(query).has(table)) return false
  const joined = (query.joins ?? []).flatMap((join) => ("source" in join ? [join.source] : []))
  const source = [...(query.from === undefined ? [] : [query.from]), ...joined].find(
    ({ alias }) => alias === table,
  )
  if (source === undefined) return false
  switch (source.kind) {
    case "table":
      return !NULLABLE_COLUMNS.has(column)
    case "numbers":
      return true
    default: {
      const inner = source.kind === "cte" ? getCte(state, source.name) : source.query
      const first = inner.kind === "union" ? inner.queries[0] : inner
      const index =
        first?.kind === "union" ? -1 : first?.columns.findIndex(({ as }) => as === column)
      return index !== undefined && index >= 0 && !mayBeNull(inner, state, index)
    }
  }
}
