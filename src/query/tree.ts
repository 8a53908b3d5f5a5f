/**
 * A query as plain data, before any engine's text. Comparisons follow SQL: an unknown operand makes the
 * answer unknown; who needs true or false says so with `coalesce`. Nothing here is text for an engine:
 * values are bound, names are checked against `TABLES` and quoted by the printer.
 */
import type { FunctionName } from "./functions.ts"

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
} as const

export type TableName = keyof typeof TABLES

/** Where rows come from. A table can not be named without the project whose rows may be seen. */
export type Source = TableSource | SubquerySource | CteSource

export interface TableSource {
  readonly kind: "table"
  readonly table: TableName
  readonly alias: string
  readonly project_id: number
}

interface SubquerySource {
  readonly kind: "subquery"
  readonly query: Select
  readonly alias: string
}

/** Rows of a query named in `Select.ctes`, of this or an enclosing query. */
interface CteSource {
  readonly kind: "cte"
  readonly name: string
  readonly alias: string
}

export interface Join {
  readonly kind: "left" | "inner"
  readonly source: Source
  readonly on: Expr
}

export interface Select {
  readonly ctes?: readonly { readonly name: string; readonly query: Select }[]
  readonly distinct?: boolean
  readonly columns: readonly SelectColumn[]
  readonly from: Source
  readonly joins?: readonly Join[]
  readonly where?: Expr
  readonly groupBy?: readonly Expr[]
  readonly having?: Expr
  readonly orderBy?: readonly OrderBy[]
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
  | { readonly type: "uuid"; readonly value: string }
  | { readonly type: "null" }

export type CompareOperator = "=" | "!=" | "<" | "<=" | ">" | ">="
type ArithmeticOperator = "+" | "-" | "*" | "/" | "%"
export type AggregateName = "count" | "countDistinct" | "min" | "max"

/** Whose properties a table carries; person snapshots carry a person's. */
export type PropertyOwner = "event" | "person" | "group"

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
  | {
      readonly kind: "arithmetic"
      readonly operator: ArithmeticOperator
      readonly left: Expr
      readonly right: Expr
    }
  | { readonly kind: "in"; readonly operand: Expr; readonly values: readonly Value[] }
  /** The query must have one column. */
  | { readonly kind: "inQuery"; readonly operand: Expr; readonly query: Select }
  | {
      readonly kind: "case"
      readonly branches: readonly { readonly when: Expr; readonly result: Expr }[]
      readonly otherwise: Expr
    }
  | { readonly kind: "call"; readonly name: FunctionName; readonly args: readonly Expr[] }
  /** `count` without an operand counts rows. */
  | { readonly kind: "aggregate"; readonly name: AggregateName; readonly operand?: Expr }
