/** What printing carries along: bound values, known names, property columns. */
import {
  type ArraysJoin,
  PROPERTY_OWNERS,
  type PropertyOwner,
  type Query,
  type Source,
  TABLES,
  type Value,
} from "../../query/tree.ts"
import { columnNamesOf } from "../../query/walk.ts"
import type { PropertyCatalogue } from "./catalogue.ts"

/** The sources of one SELECT by alias. */
type Scope = ReadonlyMap<string, ScopeSource>

export type ScopeSource = Source | ArraysJoin

export interface PrintState {
  readonly catalogue: PropertyCatalogue
  readonly params: Params
  readonly scope: Scope
  /** Columns of the named queries that may be selected from. */
  readonly ctes: ReadonlyMap<string, readonly string[]>
  /** What lambdas around the expression call their parameters. */
  readonly parameters?: ReadonlySet<string>
  /** Prints a query inside an expression. It sees named queries, not the rows around it. */
  readonly printQuery: (query: Query) => string
}

/** Equal values share a parameter: the engine then sees that two expressions are the same. */
export interface Params {
  readonly values: unknown[]
  readonly places: Map<string, string>
}

export const createParams = (): Params => ({ values: [], places: new Map() })

export function bind(params: Params, value: string | number | boolean): string {
  const id = `${typeof value} ${value}`
  const known = params.places.get(id)
  if (known !== undefined) return known
  params.values.push(value)
  const place = `$${params.values.length}`
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
      return `CAST(${bind(params, value.value)} AS TIMESTAMP)`
    case "date":
      return `CAST(${bind(params, value.value)} AS DATE)`
    case "uuid":
      return `CAST(${bind(params, value.value)} AS UUID)`
    case "text":
    case "boolean":
      return bind(params, value.value)
    default:
      return never(value)
  }
}

/**
 * Whole numbers too large for an integer can only be bound as text. The others would be bound with 32 bits, and
 * computing with them would fail where 64 are needed.
 */
function printNumberValue(params: Params, value: number): string {
  if (!Number.isFinite(value)) throw new Error(`${value} can not be bound`)
  if (!Number.isInteger(value)) return bind(params, value)
  if (!Number.isSafeInteger(value)) return `CAST(${bind(params, String(value))} AS DOUBLE)`
  return `CAST(${bind(params, value)} AS BIGINT)`
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

export function printColumn(state: PrintState, alias: string, name: string): string {
  const source = state.scope.get(alias)
  if (source === undefined) throw new Error(`the query has no source "${alias}"`)
  if (!columnsOf(state, source).includes(name)) {
    throw new Error(`"${alias}" has no column "${name}"`)
  }
  return `${quote(alias)}.${quote(name)}`
}

/** The table whose rows carry these properties; anything else is a mistake in the tree. */
export function tableWithProperties(state: PrintState, alias: string, of: PropertyOwner) {
  const source = state.scope.get(alias)
  if (source?.kind !== "table" || PROPERTY_OWNERS[source.table] !== of) {
    throw new Error(`"${alias}" carries no ${of} properties`)
  }
  return source.table
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
    case "cte": {
      const columns = state.ctes.get(source.name)
      if (columns === undefined) throw new Error(`there is no named query "${source.name}"`)
      return columns
    }
    default:
      return never(source)
  }
}

export function never(value: never): never {
  throw new Error(`the tree has an unknown node: ${JSON.stringify(value)}`)
}
