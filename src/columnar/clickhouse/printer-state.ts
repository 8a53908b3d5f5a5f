/**
 * What printing carries along: bound values and known names. In ClickHouse an alias of a column is seen in the whole
 * query, also where a source of the same name is meant; so each kind of name gets a prefix of its own.
 */
import {
  type ArraysJoin,
  type Expr,
  PROPERTY_OWNERS,
  type PropertyOwner,
  type Query,
  type Source,
  TABLES,
  type Value,
} from "../../query/tree.ts"
import { columnNamesOf } from "../../query/walk.ts"

export type ScopeSource = Source | ArraysJoin

export interface PrintState {
  readonly params: Params
  /** The sources of one SELECT by alias. */
  readonly scope: ReadonlyMap<string, ScopeSource>
  /** Sources whose rows may be missing from a joined row. */
  readonly optional: ReadonlySet<string>
  /** The named queries that may be selected from. */
  readonly ctes: ReadonlyMap<string, Query>
  /** What lambdas around the expression call their parameters. */
  readonly parameters?: ReadonlySet<string>
  /** Prints a query inside an expression. It sees named queries, not the rows around it. */
  readonly printQuery: (query: Query) => string
  /** Prints an expression as a value. */
  readonly print: (expr: Expr, state: PrintState) => string
  /** Prints an expression of which only the truth matters. */
  readonly printCondition: (expr: Expr, state: PrintState) => string
}

/** Equal values share a parameter: the engine then sees that two expressions are the same. */
export interface Params {
  readonly values: unknown[]
  readonly places: Map<string, string>
  /** Patterns of which only the engine can tell whether they are some. */
  readonly doubtful: Set<string>
  /** Those that the engine refused. */
  readonly refused: ReadonlySet<string>
}

export const createParams = (refused: ReadonlySet<string>): Params => ({
  values: [],
  places: new Map(),
  doubtful: new Set(),
  refused,
})

/** `{p1:Type}`; its value travels beside the text. */
export function bind(params: Params, type: string, value: unknown): string {
  const id = `${type} ${JSON.stringify(value)}`
  const known = params.places.get(id)
  if (known !== undefined) return known
  params.values.push(value)
  const place = `{p${params.values.length}:${type}}`
  params.places.set(id, place)
  return place
}

export function printValue(params: Params, value: Value): string {
  switch (value.type) {
    case "null":
      return "NULL"
    case "number":
      return printNumberValue(params, value.value)
    case "timestamp":
      return `toDateTime64(${bind(params, "String", value.value)}, 6, 'UTC')`
    case "date":
      return `toDate32(${bind(params, "String", value.value)})`
    case "uuid":
      return bind(params, "UUID", value.value)
    case "text":
      return printText(params, value.value)
    case "boolean":
      return bind(params, "Bool", value.value)
    default:
      return never(value)
  }
}

/** A parameter can not hold the character zero. */
export function printText(params: Params, text: string): string {
  const value = text.toWellFormed()
  if (!value.includes("\0")) return bind(params, "String", value)
  return `unhex(${bind(params, "String", Buffer.from(value).toString("hex"))})`
}

const INT32_MAX = 2 ** 31 - 1

/** The smallest type: with floating point numbers only such have a type in common. */
function printNumberValue(params: Params, value: number): string {
  if (!Number.isFinite(value)) throw new Error(`${value} can not be bound`)
  if (!Number.isSafeInteger(value)) return bind(params, "Float64", value)
  return bind(params, Math.abs(value) <= INT32_MAX ? "Int32" : "Int64", value)
}

export const quote = (name: string): string =>
  `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\0", "\\0")}"`

export const sourceName = (alias: string): string => quote(`t_${alias}`)
export const columnName = (name: string): string => quote(`c_${name}`)
export const cteName = (name: string): string => quote(`q_${name}`)
export const parameterName = (name: string): string => quote(`l_${name}`)
/** Of an array's items, which no source's name can stand before. */
export const itemName = ({ alias }: ArraysJoin, name: string): string => quote(`a_${alias}.${name}`)

export function printColumn(state: PrintState, alias: string, name: string): string {
  const source = state.scope.get(alias)
  if (source === undefined) throw new Error(`the query has no source "${alias}"`)
  if (!columnsOf(state, source).includes(name)) {
    throw new Error(`"${alias}" has no column "${name}"`)
  }
  switch (source.kind) {
    case "arrays":
    case "leftArrays":
      return itemName(source, name)
    case "table":
    case "numbers":
      return `${sourceName(alias)}.${quote(name)}`
    default:
      return `${sourceName(alias)}.${columnName(name)}`
  }
}

/** Anything but a table whose rows carry these properties is a mistake in the tree. */
export function checkProperties(state: PrintState, alias: string, of: PropertyOwner): void {
  const source = state.scope.get(alias)
  if (source?.kind !== "table" || PROPERTY_OWNERS[source.table] !== of) {
    throw new Error(`"${alias}" carries no ${of} properties`)
  }
}

function columnsOf(state: PrintState, source: ScopeSource): readonly string[] {
  switch (source.kind) {
    case "numbers":
      return ["number"]
    case "arrays":
    case "leftArrays":
      return source.items.map(({ as }) => as)
    case "table":
      return TABLES[source.table]
    case "subquery":
      return columnNamesOf(source.query)
    case "cte":
      return columnNamesOf(getCte(state, source.name))
    default:
      return never(source)
  }
}

export function getCte({ ctes }: Pick<PrintState, "ctes">, name: string): Query {
  const query = ctes.get(name)
  if (query === undefined) throw new Error(`there is no named query "${name}"`)
  return query
}

export function never(value: never): never {
  throw new Error(`the tree has an unknown node: ${JSON.stringify(value)}`)
}
