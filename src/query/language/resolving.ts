/** What resolving carries along: names that mean something here, and what was found so far. */
import type { JsonObject } from "../../lib/json.ts"
import type { Expr, Query } from "../tree.ts"
import type { Type } from "../types.ts"
import type { ExprAst, QueryAst, Span, WindowAst } from "./ast.ts"
import { PROBLEMS_MAX } from "./limits.ts"
import type { Problem } from "./problems.ts"
import type { Aliases } from "./table-fields.ts"
import type { TableDefinition } from "./tables.ts"

export interface LanguageContext {
  readonly project_id: number
  readonly timezone: string
  /** 0 Sunday, 1 Monday. */
  readonly weekStartsOn: 0 | 1
  readonly now: Date
  /** Values of `{name}` placeholders. Undefined: none were given. */
  readonly values?: JsonObject
  /** What `{filters}` means over the aliases of `build.ts`; undefined: true. */
  readonly filters?: (target: "events") => Expr
  /** Ids of the project's cohorts by name. */
  readonly cohorts?: ReadonlyMap<string, number>
  /** Rows without a LIMIT. */
  readonly rowsDefault?: number
  /** The most that a LIMIT may ask for. */
  readonly rowsMax?: number
}

export interface Resolved {
  readonly expr: Expr
  readonly type: Type
  /** Text only because any JSON value can be written as one: a property, or what is inside one. */
  readonly isLoose?: boolean
  /** Where it lies inside JSON, so that a further key can be followed. */
  readonly json?: { readonly base: Expr; readonly path: readonly Expr[] }
}

/** A column of a query. */
export interface QueryColumn {
  /** As the language calls it. */
  readonly name: string
  /** In the tree. */
  readonly as: string
  readonly type: Type
  readonly isLoose: boolean
}

export interface ResolvedQuery {
  readonly query: Query
  readonly columns: readonly QueryColumn[]
}

export type ScopeSource = TableInScope | ColumnsInScope

export interface TableInScope {
  readonly kind: "table"
  readonly name: string
  readonly table: TableDefinition
  readonly aliases: Aliases
  /** Whether a join may have found no row of it. */
  readonly isNullable: boolean
}

/** A query in FROM, a named query, numbers, or the items of an ARRAY JOIN. */
export interface ColumnsInScope {
  readonly kind: "columns"
  readonly name: string | undefined
  readonly alias: string
  readonly columns: readonly QueryColumn[]
  readonly isNullable: boolean
  /** Whether they are the items of an ARRAY JOIN. */
  readonly isOfArrays?: boolean
  /** Whether nobody knows its columns: the table does not exist. */
  readonly isUnknown?: boolean
}

export type NamedQuery = ResolvedQuery & { readonly treeName: string }

/** An alias in a SELECT, or `WITH expr AS name`. */
export interface Alias {
  readonly ast: ExprAst
  /** While its own expression is resolved, the name means a field. */
  isOpen: boolean
  resolved?: Resolved
}

export interface Scope {
  readonly sources: readonly ScopeSource[]
  /** Fields that two joined sources share by USING: the first one's is meant. */
  readonly shared: ReadonlySet<string>
  readonly aliases: ReadonlyMap<string, Alias>
  readonly namedQueries: ReadonlyMap<string, NamedQuery>
  readonly namedExprs: ReadonlyMap<string, ExprAst>
  readonly windows: ReadonlyMap<string, WindowAst>
  /** How many queries stand around. */
  readonly depth: number
}

export interface Place {
  readonly scope: Scope
  readonly work: Work
  /** Whether unknown and false come to the same. */
  readonly isCondition: boolean
  /** Where an aggregate can not stand, a name means a field rather than an alias of an aggregate. */
  readonly prefersFields: boolean
  readonly parameters: ReadonlyMap<string, Resolved>
  /** In ON: null finds no partner there, as everywhere in SQL. */
  readonly isJoin?: boolean
}

/** One text being compiled. */
export interface Work {
  readonly context: LanguageContext
  readonly problems: Problem[]
  /** What a leaf of the tree is called in the text. */
  readonly origins: WeakMap<Expr, Origin>
  queryCount: number
  nextNumber: number
  readonly resolveExpr: (ast: ExprAst, place: Place) => Resolved
  readonly resolveQuery: (ast: QueryAst, scope: Scope, work: Work) => ResolvedQuery
}

interface Origin {
  readonly name: string
  readonly span: Span
}

export const NULL: Expr = { kind: "value", value: { type: "null" } }

/** Stands for what could not be resolved; nothing is checked against it, so that one mistake is told once. */
export const UNRESOLVED: Resolved = { expr: NULL, type: { kind: "unknown", isNullable: true } }

export const EMPTY_SCOPE: Scope = {
  sources: [],
  shared: new Set(),
  aliases: new Map(),
  namedQueries: new Map(),
  namedExprs: new Map(),
  windows: new Map(),
  depth: 0,
}

export function report(work: Work, problem: Problem): typeof UNRESOLVED {
  const isKnown = work.problems.some(
    ({ message, span }) => message === problem.message && span.start === problem.span.start,
  )
  if (!isKnown && work.problems.length < PROBLEMS_MAX) work.problems.push(problem)
  return UNRESOLVED
}

/** Named queries are seen from inside others, so no two have the same name. */
export function freshName(work: Work, prefix: string): string {
  work.nextNumber += 1
  return `${prefix}${work.nextNumber}`
}

export const placeIn = (scope: Scope, work: Work): Place => ({
  scope,
  work,
  isCondition: false,
  prefersFields: false,
  parameters: new Map(),
})

export const asValue = (place: Place): Place =>
  place.isCondition ? { ...place, isCondition: false } : place

export function isNullable(type: Type): boolean {
  return "isNullable" in type && type.isNullable
}

export function withNullability(type: Type, nullable: boolean): Type {
  return "isNullable" in type && nullable ? { ...type, isNullable: true } : type
}

export function isConstantNull({ expr }: Resolved): boolean {
  return expr.kind === "value" && expr.value.type === "null"
}

/** The text of a constant. */
export function findConstantText({ expr }: Resolved): string | undefined {
  return expr.kind === "value" && expr.value.type === "text" ? expr.value.value : undefined
}

export const BOOLEAN: Type = { kind: "boolean", isNullable: false }
export const INTEGER: Type = { kind: "integer", isNullable: false }

/** For messages. */
export function describeType(type: Type): string {
  if (type.kind === "array") return `array of ${describeType(type.of)}`
  return type.kind
}
