/**
 * A query as plain data, before any engine's text. Comparisons follow SQL: an unknown operand makes the
 * answer unknown; who needs true or false says so with `coalesce`. Nothing here is text for an engine:
 * values are bound, names are checked against `TABLES` and quoted by the printer.
 */
import type { AggregateName, FunctionName, WindowFunctionName } from "./functions/index.ts"
import type { Type } from "./types.ts"

/** Every table with the columns a query may name. Properties have nodes of their own. */
export const TABLES = {
  events: [
    "project_id",
    "uuid",
    "event",
    "timestamp",
    "distinct_id",
    "person_id",
    "snapshot_id",
    "received_at",
    "elements_chain",
  ],
  persons: [
    "project_id",
    "id",
    "uuid",
    "version",
    "snapshot_id",
    "is_identified",
    "created_at",
    "email",
  ],
  person_snapshots: ["project_id", "snapshot_id", "person_id"],
  groups: ["project_id", "group_type_index", "group_key", "version", "created_at"],
  overrides: ["project_id", "old_person_id", "person_id"],
  cohort_members: ["project_id", "cohort_id", "person_id"],
} as const

export type TableName = keyof typeof TABLES

/** Where rows come from. A table can not be named without the project whose rows may be seen. */
export type Source = TableSource | SubquerySource | CteSource | NumbersSource

export interface TableSource {
  readonly kind: "table"
  readonly table: TableName
  readonly alias: string
  readonly project_id: number
}

export interface SubquerySource {
  readonly kind: "subquery"
  readonly query: Query
  readonly alias: string
}

/** Rows of a query named in `Select.ctes`, of this or an enclosing query. */
interface CteSource {
  readonly kind: "cte"
  readonly name: string
  readonly alias: string
}

/** The whole numbers from `start` on, in a column `number`. */
interface NumbersSource {
  readonly kind: "numbers"
  readonly start: number
  readonly count: number
  readonly alias: string
}

export type Join = ConditionJoin | CrossJoin | ClosestJoin | ArraysJoin

interface ConditionJoin {
  readonly kind: "left" | "inner" | "right" | "full"
  readonly source: Source
  readonly on: Expr
}

interface CrossJoin {
  readonly kind: "cross"
  readonly source: Source
}

/**
 * For each row the one row of the source with equal keys whose own value lies closest: the latest at or before
 * ("<=", or "<" strictly before), or the earliest at or after (">=", ">").
 */
export interface ClosestJoin {
  readonly kind: "closest" | "leftClosest"
  readonly source: Source
  readonly keys: readonly { readonly left: Expr; readonly right: Expr }[]
  /** `theirs operator ours`. */
  readonly theirs: Expr
  readonly operator: "<" | "<=" | ">" | ">="
  readonly ours: Expr
}

/** One row for each place of the arrays, which are walked together; left: also for rows whose arrays are empty. */
export interface ArraysJoin {
  readonly kind: "arrays" | "leftArrays"
  readonly alias: string
  readonly items: readonly SelectColumn[]
}

export type Query = Select | Union

/** All rows of all queries. Columns go by their place; the first query names them. */
interface Union {
  readonly kind: "union"
  readonly queries: readonly Query[]
}

export interface Select {
  readonly kind?: undefined
  readonly ctes?: readonly { readonly name: string; readonly query: Query }[]
  readonly distinct?: boolean
  readonly columns: readonly SelectColumn[]
  /** Without it, one row. */
  readonly from?: Source
  readonly joins?: readonly Join[]
  readonly where?: Expr
  readonly groupBy?: readonly Expr[]
  readonly having?: Expr
  readonly orderBy?: readonly OrderBy[]
  /** At most so many rows for each combination of the keys, in the order given. */
  readonly limitBy?: {
    readonly count: number
    readonly offset?: number
    readonly by: readonly Expr[]
  }
  readonly limit?: number
  readonly offset?: number
}

export interface SelectColumn {
  readonly as: string
  readonly expr: Expr
}

export interface OrderBy {
  readonly expr: Expr
  readonly direction: "asc" | "desc"
  readonly nulls: "first" | "last"
}

/** A bound value. Timestamps are UTC, "2026-01-02 03:04:05.678901". */
export type Value =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "number"; readonly value: number }
  | { readonly type: "boolean"; readonly value: boolean }
  | { readonly type: "timestamp"; readonly value: string }
  /** "2026-01-02". */
  | { readonly type: "date"; readonly value: string }
  | { readonly type: "uuid"; readonly value: string }
  | { readonly type: "null" }

export type CompareOperator = "=" | "!=" | "<" | "<=" | ">" | ">="
type ArithmeticOperator = "+" | "-" | "*" | "/" | "%"

/** Whose properties a table carries; person snapshots carry a person's. */
export type PropertyOwner = "event" | "person" | "group"

/** Which properties the rows of each table carry. */
export const PROPERTY_OWNERS: Readonly<Record<TableName, PropertyOwner | undefined>> = {
  events: "event",
  persons: "person",
  person_snapshots: "person",
  groups: "group",
  overrides: undefined,
  cohort_members: undefined,
}

/**
 * text: strings as they are, other values as JSON text; missing and null are null.
 * number: the number that the text spells, else null. boolean: likewise for true and false.
 * json: the value as JSON text; missing is null, null is the text null.
 */
export type PropertyForm = "text" | "number" | "boolean" | "json"

export type Expr =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "column"; readonly table: string; readonly column: string }
  | {
      readonly kind: "property"
      readonly table: string
      readonly of: PropertyOwner
      readonly key: string
      readonly as: PropertyForm
    }
  /** All properties of a row, as the JSON text of one object. */
  | { readonly kind: "properties"; readonly table: string; readonly of: PropertyOwner }
  | { readonly kind: "and" | "or"; readonly operands: readonly Expr[] }
  | { readonly kind: "not"; readonly operand: Expr }
  | { readonly kind: "isNull"; readonly operand: Expr }
  | {
      readonly kind: "compare"
      readonly operator: CompareOperator
      readonly left: Expr
      readonly right: Expr
    }
  /** "/" never cuts to whole numbers; dividing by nothing is null. */
  | {
      readonly kind: "arithmetic"
      readonly operator: ArithmeticOperator
      readonly left: Expr
      readonly right: Expr
    }
  | { readonly kind: "in"; readonly operand: Expr; readonly values: readonly Value[] }
  /** The query must have one column. */
  | { readonly kind: "inQuery"; readonly operand: Expr; readonly query: Query }
  /** The one value of a query with one column and one row; null without a row. */
  | { readonly kind: "scalarQuery"; readonly query: Query }
  | {
      readonly kind: "case"
      readonly branches: readonly { readonly when: Expr; readonly result: Expr }[]
      readonly otherwise: Expr
    }
  | {
      readonly kind: "call"
      readonly name: FunctionName
      readonly args: readonly Expr[]
      /** Of the arguments, where the caller knows them: some functions are said differently by type. */
      readonly types?: readonly Type[]
    }
  | { readonly kind: "array" | "tuple"; readonly items: readonly Expr[] }
  /** Counts from 1. */
  | { readonly kind: "tupleItem"; readonly tuple: Expr; readonly index: number }
  /** Only as an argument of functions that take one; its parameters are read by `parameter`. */
  | { readonly kind: "lambda"; readonly parameters: readonly string[]; readonly body: Expr }
  | { readonly kind: "parameter"; readonly name: string }
  | AggregateExpr
  | WindowExpr

export interface AggregateExpr {
  readonly kind: "aggregate"
  readonly name: AggregateName
  /** `count` without one counts rows. */
  readonly args: readonly Expr[]
  /** Constants such as the level of a quantile. */
  readonly params?: readonly number[]
  readonly distinct?: boolean
  /** Only rows for which this is true. */
  readonly filter?: Expr
  /** Of the rows that an array is gathered from. */
  readonly orderBy?: readonly OrderBy[]
  readonly types?: readonly Type[]
}

export interface WindowExpr {
  readonly kind: "window"
  readonly of: AggregateExpr | WindowCall
  readonly partitionBy: readonly Expr[]
  readonly orderBy: readonly OrderBy[]
  readonly frame?: Frame
}

export interface WindowCall {
  readonly kind: "windowCall"
  readonly name: WindowFunctionName
  readonly args: readonly Expr[]
}

export interface Frame {
  readonly unit: "rows" | "range"
  readonly start: FrameBound
  readonly end: FrameBound
}

export type FrameBound =
  | { readonly kind: "unboundedPreceding" | "currentRow" | "unboundedFollowing" }
  | { readonly kind: "preceding" | "following"; readonly count: number }
