/**
 * Prints a query tree as ClickHouse SQL. Every value is a parameter, every name is checked and quoted, and every
 * table comes with the guard of its project: in WHERE for the first, inside a query of its own for the others. Tables
 * are read FINAL, so that of rows that replace each other only the newest counts.
 */
import type { Query, Select } from "../../query/tree.ts"
import { columnNamesOf } from "../../query/walk.ts"
import { printOrderKeys } from "../standard-sql.ts"
import { printCondition, printExpr } from "./printer-expr.ts"
import { isOfArrays, listOptional, printFrom, type ScopeSources } from "./printer-sources.ts"
import {
  bind,
  columnName,
  createParams,
  cteName,
  type Params,
  type PrintState,
} from "./printer-state.ts"

export interface PrintedQuery {
  readonly sql: string
  /** The value of `p1` first. */
  readonly params: readonly unknown[]
  readonly columns: readonly { readonly name: string; readonly printed: string }[]
  /** Constant patterns that the engine may refuse. */
  readonly doubtful: ReadonlySet<string>
}

export function printSelect(query: Query, refused: ReadonlySet<string> = new Set()): PrintedQuery {
  const params = createParams(refused)
  const sql = printQuery(query, { params, ctes: new Map() })
  const columns = columnNamesOf(query).map((name) => ({ name, printed: columnName(name) }))
  return { sql, params: params.values, columns, doubtful: params.doubtful }
}

interface Surroundings {
  readonly params: Params
  readonly ctes: ReadonlyMap<string, Query>
}

function printQuery(query: Query, around: Surroundings): string {
  if (query.kind !== "union") return printOneSelect(query, around)
  const members = query.queries.map((member) => `(${printQuery(member, around)})`)
  return `SELECT * FROM (${members.join(" UNION ALL ")})`
}

function printOneSelect(query: Select, around: Surroundings): string {
  const { inner, text: ctes } = printCtes(query, around)
  const state: PrintState = {
    ...inner,
    scope: scopeOf(query),
    optional: listOptional(query),
    printQuery: (subquery) => printQuery(subquery, inner),
    print: printExpr,
    printCondition,
  }
  const columns = query.columns.map(
    ({ as, expr }) => `${printExpr(expr, state)} AS ${columnName(as)}`,
  )
  return [
    ctes,
    `SELECT ${query.distinct === true ? "DISTINCT " : ""}${columns.join(", ")}`,
    ...printFrom(query, state),
    printGroupBy(query, state),
    printOrderBy(query, state),
    printLimitBy(query, state),
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
    printed.push(`${cteName(cte.name)} AS (${printQuery(cte.query, inner)})`)
    inner = { ...inner, ctes: new Map([...inner.ctes, [cte.name, cte.query]]) }
  }
  return { inner, text: printed.length === 0 ? "" : `WITH ${printed.join(", ")}` }
}

function scopeOf({ from, joins = [] }: Select): ScopeSources {
  const joined = joins.map((join) => (isOfArrays(join) ? join : join.source))
  const sources = [...(from === undefined ? [] : [from]), ...joined]
  const scope = new Map(sources.map((source) => [source.alias, source]))
  if (scope.size !== sources.length) throw new Error("two sources have the same alias")
  return scope
}

function printGroupBy(query: Select, state: PrintState): string {
  const keys = (query.groupBy ?? []).map((expr) => printExpr(expr, state))
  const having = query.having === undefined ? "" : `HAVING ${printCondition(query.having, state)}`
  const groupBy = keys.length === 0 ? "" : `GROUP BY ${keys.join(", ")}`
  return [groupBy, having].filter((part) => part !== "").join(" ")
}

function printOrderBy({ orderBy = [] }: Select, state: PrintState): string {
  return orderBy.length === 0
    ? ""
    : `ORDER BY ${printOrderKeys(orderBy, (expr) => printExpr(expr, state))}`
}

function printLimitBy({ limitBy }: Select, state: PrintState): string {
  if (limitBy === undefined) return ""
  const by = limitBy.by.map((expr) => printExpr(expr, state)).join(", ")
  const offset = limitBy.offset === undefined ? "" : ` OFFSET ${printCount(limitBy.offset, state)}`
  return `LIMIT ${printCount(limitBy.count, state)}${offset} BY ${by}`
}

function printCount(count: number, state: PrintState): string {
  if (!Number.isSafeInteger(count) || count < 0) throw new Error(`${count} is no count of rows`)
  return bind(state.params, "UInt64", count)
}
