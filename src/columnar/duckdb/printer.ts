/**
 * Prints a query tree as DuckDB SQL. Every value is a parameter, every name is checked and quoted, and
 * every table comes with the guard of its project: in WHERE for the first, in ON for the joined ones, so
 * that a left join keeps its rows.
 */
import type { Join, OrderBy, Select, Source } from "../../query/tree.ts"
import type { PropertyCatalogue } from "./catalogue.ts"
import { printExpr } from "./printer-expr.ts"
import { bind, createParams, never, type Params, type PrintState, quote } from "./printer-state.ts"

export interface PrintedQuery {
  readonly sql: string
  /** The value of `$1` first. */
  readonly params: readonly unknown[]
}

export function printSelect(query: Select, catalogue: PropertyCatalogue): PrintedQuery {
  const params = createParams()
  const sql = printQuery(query, { catalogue, params, ctes: new Map() })
  return { sql, params: params.values }
}

interface Surroundings {
  readonly catalogue: PropertyCatalogue
  readonly params: Params
  readonly ctes: ReadonlyMap<string, readonly string[]>
}

function printQuery(query: Select, around: Surroundings): string {
  const { inner, text: ctes } = printCtes(query, around)
  const state: PrintState = {
    ...inner,
    scope: scopeOf(query),
    printQuery: (subquery) => printQuery(subquery, inner),
  }
  const columns = query.columns.map(({ as, expr }) => `${printExpr(expr, state)} AS ${quote(as)}`)
  return [
    ctes,
    `SELECT ${query.distinct === true ? "DISTINCT " : ""}${columns.join(", ")}`,
    `FROM ${printSource(query.from, state)}`,
    ...(query.joins ?? []).map((join) => printJoin(join, state)),
    printWhere(query, state),
    printGroupBy(query, state),
    printOrderBy(query.orderBy ?? [], state),
    query.limit === undefined ? "" : `LIMIT ${printCount(query.limit, state)}`,
    query.offset === undefined ? "" : `OFFSET ${printCount(query.offset, state)}`,
  ]
    .filter((part) => part !== "")
    .join(" ")
}

function printCtes(query: Select, around: Surroundings): { inner: Surroundings; text: string } {
  let inner = around
  const printed: string[] = []
  for (const cte of query.ctes ?? []) {
    printed.push(`${quote(cte.name)} AS (${printQuery(cte.query, inner)})`)
    const columns = cte.query.columns.map(({ as }) => as)
    inner = { ...inner, ctes: new Map([...inner.ctes, [cte.name, columns]]) }
  }
  return { inner, text: printed.length === 0 ? "" : `WITH ${printed.join(", ")}` }
}

function scopeOf(query: Select): ReadonlyMap<string, Source> {
  const sources = [query.from, ...(query.joins ?? []).map(({ source }) => source)]
  const scope = new Map(sources.map((source) => [source.alias, source]))
  if (scope.size !== sources.length) throw new Error("two sources have the same alias")
  return scope
}

function printSource(source: Source, state: PrintState): string {
  switch (source.kind) {
    case "table":
      return `${quote(source.table)} AS ${quote(source.alias)}`
    case "subquery":
      return `(${state.printQuery(source.query)}) AS ${quote(source.alias)}`
    case "cte":
      if (!state.ctes.has(source.name)) throw new Error(`there is no named query "${source.name}"`)
      return `${quote(source.name)} AS ${quote(source.alias)}`
    default:
      return never(source)
  }
}

function printJoin(join: Join, state: PrintState): string {
  const on = [...printGuard(join.source, state), printExpr(join.on, state)].join(" AND ")
  const word = join.kind === "left" ? "LEFT JOIN" : "INNER JOIN"
  return `${word} ${printSource(join.source, state)} ON ${on}`
}

function printGuard(source: Source, state: PrintState): readonly string[] {
  if (source.kind !== "table") return []
  if (!Number.isSafeInteger(source.project_id)) {
    throw new Error(`${source.project_id} is no project`)
  }
  return [`${quote(source.alias)}."project_id" = ${bind(state.params, source.project_id)}`]
}

function printWhere(query: Select, state: PrintState): string {
  const where = query.where === undefined ? [] : [printExpr(query.where, state)]
  const conditions = [...printGuard(query.from, state), ...where]
  return conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`
}

function printGroupBy(query: Select, state: PrintState): string {
  const keys = (query.groupBy ?? []).map((expr) => printExpr(expr, state))
  const having = query.having === undefined ? "" : `HAVING ${printExpr(query.having, state)}`
  const groupBy = keys.length === 0 ? "" : `GROUP BY ${keys.join(", ")}`
  return [groupBy, having].filter((part) => part !== "").join(" ")
}

function printOrderBy(orderBy: readonly OrderBy[], state: PrintState): string {
  if (orderBy.length === 0) return ""
  const keys = orderBy.map(({ expr, direction, nulls }) => {
    const words = `${direction === "desc" ? "DESC" : "ASC"} NULLS ${nulls === "first" ? "FIRST" : "LAST"}`
    return `${printExpr(expr, state)} ${words}`
  })
  return `ORDER BY ${keys.join(", ")}`
}

function printCount(count: number, state: PrintState): string {
  if (!Number.isSafeInteger(count) || count < 0) throw new Error(`${count} is no count of rows`)
  return bind(state.params, count)
}
