/**
 * Prints a query tree as DuckDB SQL. Every value is a parameter, every name is checked and quoted, and
 * every table comes with the guard of its project: in WHERE for the first, in ON for the joined ones, so
 * that a left join keeps its rows; inside a query of its own where a join could let other rows through.
 */
import type { ArraysJoin, ClosestJoin, Join, Query, Select, Source } from "../../query/tree.ts"
import { columnNamesOf } from "../../query/walk.ts"
import { printOrderKeys } from "../standard-sql.ts"
import type { PropertyCatalogue } from "./catalogue.ts"
import { printExpr } from "./printer-expr.ts"
import {
  bind,
  createParams,
  never,
  type Params,
  type PrintState,
  quote,
  type ScopeSource,
} from "./printer-state.ts"

export interface PrintedQuery {
  readonly sql: string
  /** The value of `$1` first. */
  readonly params: readonly unknown[]
}

export function printSelect(query: Query, catalogue: PropertyCatalogue): PrintedQuery {
  const params = createParams()
  const sql = printQuery(query, { catalogue, params, ctes: new Map() })
  return { sql, params: params.values }
}

interface Surroundings {
  readonly catalogue: PropertyCatalogue
  readonly params: Params
  readonly ctes: ReadonlyMap<string, readonly string[]>
}

function printQuery(query: Query, around: Surroundings): string {
  if (query.kind !== "union") return printOneSelect(query, around)
  return query.queries.map((member) => `(${printQuery(member, around)})`).join(" UNION ALL ")
}

function printOneSelect(query: Select, around: Surroundings): string {
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
    ...printFrom(query, state),
    printGroupBy(query, state),
    printLimitBy(query, state),
    printOrderBy(query, state),
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
    inner = { ...inner, ctes: new Map([...inner.ctes, [cte.name, columnNamesOf(cte.query)]]) }
  }
  return { inner, text: printed.length === 0 ? "" : `WITH ${printed.join(", ")}` }
}

function scopeOf({ from, joins = [] }: Select): ReadonlyMap<string, ScopeSource> {
  const joined = joins.map((join) => (isOfArrays(join) ? join : join.source))
  const sources = [...(from === undefined ? [] : [from]), ...joined]
  const scope = new Map(sources.map((source) => [source.alias, source]))
  if (scope.size !== sources.length) throw new Error("two sources have the same alias")
  return scope
}

function isOfArrays(join: Join): join is ArraysJoin {
  return join.kind === "arrays" || join.kind === "leftArrays"
}

/** Rows without a partner, which these joins keep, would escape a guard in WHERE or ON. */
const KEEPS_THE_OTHER_SIDE: ReadonlySet<Join["kind"]> = new Set(["right", "full"])

function printFrom(query: Select, state: PrintState): readonly string[] {
  const { from, joins = [] } = query
  if (from === undefined) return [printWhere(query, [], state)]
  const isInside = joins.some(({ kind }) => KEEPS_THE_OTHER_SIDE.has(kind))
  const printedJoins = joins.map((join) =>
    isOfArrays(join) ? printArrays(join, state) : printJoin(join, isInside, state),
  )
  return [
    `FROM ${isInside ? printGuarded(from, state) : printSource(from, state)}`,
    ...printedJoins,
    printWhere(query, isInside ? [] : printGuard(from, state), state),
  ]
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
    case "numbers": {
      const [start, end] = [source.start, source.start + source.count]
      const range = `range(${printInteger(start)}, ${printInteger(end)})`
      return `(SELECT range AS "number" FROM ${range}) AS ${quote(source.alias)}`
    }
    default:
      return never(source)
  }
}

/** A table as a query that holds its guard. */
function printGuarded(source: Source, state: PrintState): string {
  if (source.kind !== "table") return printSource(source, state)
  const alias = quote(source.alias)
  const [guard] = printGuard(source, state)
  return `(SELECT * FROM ${quote(source.table)} AS ${alias} WHERE ${guard}) AS ${alias}`
}

type JoinOfSource = Exclude<Join, ArraysJoin>

const JOIN_WORDS: Readonly<Record<JoinOfSource["kind"], string>> = {
  left: "LEFT JOIN",
  inner: "INNER JOIN",
  right: "RIGHT JOIN",
  full: "FULL JOIN",
  cross: "CROSS JOIN",
  closest: "ASOF JOIN",
  leftClosest: "ASOF LEFT JOIN",
}

function printJoin(join: JoinOfSource, isInside: boolean, state: PrintState): string {
  const word = JOIN_WORDS[join.kind]
  switch (join.kind) {
    case "cross":
      return `${word} ${printGuarded(join.source, state)}`
    case "closest":
    case "leftClosest":
      return `${word} ${printGuarded(join.source, state)} ON ${printClosest(join, state)}`
    default: {
      const guard = isInside ? [] : printGuard(join.source, state)
      const on = [...guard, printExpr(join.on, state)].join(" AND ")
      const source = isInside ? printGuarded(join.source, state) : printSource(join.source, state)
      return `${word} ${source} ON ${on}`
    }
  }
}

/** The engine wants the side that is searched on the right. */
const TURNED = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const

function printClosest({ keys, theirs, operator, ours }: ClosestJoin, state: PrintState): string {
  const equal = keys.map(
    ({ left, right }) => `${printExpr(left, state)} = ${printExpr(right, state)}`,
  )
  const closest = `${printExpr(ours, state)} ${TURNED[operator]} ${printExpr(theirs, state)}`
  return [...equal, closest].join(" AND ")
}

function printArrays({ kind, alias, items }: ArraysJoin, state: PrintState): string {
  const columns = items.map(({ as, expr }) => `unnest(${printExpr(expr, state)}) AS ${quote(as)}`)
  const rows = `LATERAL (SELECT ${columns.join(", ")}) AS ${quote(alias)}`
  return kind === "arrays" ? `CROSS JOIN ${rows}` : `LEFT JOIN ${rows} ON TRUE`
}

function printGuard(source: Source, state: PrintState): readonly string[] {
  if (source.kind !== "table") return []
  if (!Number.isSafeInteger(source.project_id)) {
    throw new Error(`${source.project_id} is no project`)
  }
  return [`${quote(source.alias)}."project_id" = ${bind(state.params, source.project_id)}`]
}

function printWhere({ where }: Select, guards: readonly string[], state: PrintState): string {
  const conditions = where === undefined ? guards : [...guards, printExpr(where, state)]
  return conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`
}

function printGroupBy(query: Select, state: PrintState): string {
  const keys = (query.groupBy ?? []).map((expr) => printExpr(expr, state))
  const having = query.having === undefined ? "" : `HAVING ${printExpr(query.having, state)}`
  const groupBy = keys.length === 0 ? "" : `GROUP BY ${keys.join(", ")}`
  return [groupBy, having].filter((part) => part !== "").join(" ")
}

function printLimitBy({ limitBy, orderBy = [] }: Select, state: PrintState): string {
  if (limitBy === undefined) return ""
  const by = limitBy.by.map((expr) => printExpr(expr, state)).join(", ")
  const order =
    orderBy.length === 0
      ? ""
      : ` ORDER BY ${printOrderKeys(orderBy, (expr) => printExpr(expr, state))}`
  const place = `row_number() OVER (PARTITION BY ${by}${order})`
  const offset = limitBy.offset ?? 0
  const first = printCount(offset + 1, state)
  return `QUALIFY ${place} BETWEEN ${first} AND ${printCount(offset + limitBy.count, state)}`
}

function printOrderBy({ orderBy = [] }: Select, state: PrintState): string {
  return orderBy.length === 0
    ? ""
    : `ORDER BY ${printOrderKeys(orderBy, (expr) => printExpr(expr, state))}`
}

function printCount(count: number, state: PrintState): string {
  if (!Number.isSafeInteger(count) || count < 0) throw new Error(`${count} is no count of rows`)
  return bind(state.params, count)
}

function printInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is no whole number`)
  return String(value)
}
