/** A text of the query language as the parser understood it, before any name has a meaning. */

/** Offsets into the text, the end exclusive, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

interface Node {
  readonly span: Span
}

export type QueryAst = SelectAst | UnionAst

/** `UNION ALL` of at least two. */
export interface UnionAst extends Node {
  readonly kind: "union"
  readonly queries: readonly QueryAst[]
}

export interface SelectAst extends Node {
  readonly kind: "select"
  readonly ctes: readonly CteAst[]
  readonly distinct: boolean
  readonly columns: readonly ExprAst[]
  readonly from?: FromAst
  readonly arrayJoin?: ArrayJoinAst
  readonly prewhere?: ExprAst
  readonly where?: ExprAst
  readonly groupBy: readonly ExprAst[]
  readonly having?: ExprAst
  readonly windows: readonly { readonly name: string; readonly window: WindowAst }[]
  readonly orderBy: readonly OrderAst[]
  readonly limit?: LimitAst
  readonly limitBy?: { readonly limit: LimitAst; readonly by: readonly ExprAst[] }
}

/** `WITH name AS (SELECT …)`, or `WITH expr AS name`. */
export type CteAst = Node & { readonly name: string } & (
    | { readonly kind: "query"; readonly query: QueryAst }
    | { readonly kind: "expr"; readonly expr: ExprAst }
  )

export interface FromAst extends Node {
  readonly source: SourceAst
  readonly joins: readonly JoinAst[]
}

export interface SourceAst extends Node {
  readonly from:
    | { readonly kind: "table"; readonly chain: readonly string[] }
    | { readonly kind: "function"; readonly name: string; readonly args: readonly ExprAst[] }
    | { readonly kind: "query"; readonly query: QueryAst }
    | { readonly kind: "placeholder"; readonly expr: ExprAst }
  readonly alias?: string
  /** Accepted; rows are always final. */
  readonly final: boolean
  /** Share of the rows, 0 to 1. */
  readonly sample?: { readonly ratio: number; readonly offset: number }
}

export type JoinKind = "inner" | "left" | "right" | "full" | "cross"

export interface JoinAst extends Node {
  readonly kind: JoinKind
  readonly source: SourceAst
  readonly on?: ExprAst
  readonly using?: readonly { readonly name: string; readonly span: Span }[]
}

export interface ArrayJoinAst extends Node {
  readonly isLeft: boolean
  readonly items: readonly ExprAst[]
}

export interface WindowAst extends Node {
  readonly partitionBy: readonly ExprAst[]
  readonly orderBy: readonly OrderAst[]
  readonly frame?: FrameAst
}

export interface FrameAst extends Node {
  readonly unit: "rows" | "range"
  readonly start: FrameBoundAst
  readonly end: FrameBoundAst
}

export type FrameBoundAst =
  | { readonly kind: "unboundedPreceding" | "currentRow" | "unboundedFollowing" }
  | { readonly kind: "preceding" | "following"; readonly count: number }

export interface OrderAst extends Node {
  readonly expr: ExprAst
  readonly direction: "asc" | "desc"
  readonly nulls?: "first" | "last"
}

export interface LimitAst extends Node {
  readonly count: ExprAst
  readonly offset?: ExprAst
  readonly withTies: boolean
}

export type CompareAstOperator =
  | "="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "in"
  | "not in"
  | "in cohort"
  | "not in cohort"
  | "like"
  | "not like"
  | "ilike"
  | "not ilike"
  | "regex"
  | "not regex"
  | "iregex"
  | "not iregex"

export type ExprAst = Node &
  (
    | { readonly kind: "constant"; readonly value: string | number | boolean | null }
    | { readonly kind: "placeholder"; readonly expr: ExprAst }
    /** `a.b.c`; quoted parts and numbers (`arr.1`) included. */
    | { readonly kind: "field"; readonly chain: readonly (string | number)[] }
    | { readonly kind: "star"; readonly table?: string }
    /** `object[index]`. */
    | { readonly kind: "access"; readonly object: ExprAst; readonly index: ExprAst }
    /** `object.name` and `object.1` of what is no plain name. */
    | { readonly kind: "member"; readonly object: ExprAst; readonly name: string | number }
    | { readonly kind: "and" | "or"; readonly operands: readonly ExprAst[] }
    | { readonly kind: "not"; readonly operand: ExprAst }
    | { readonly kind: "isNull"; readonly operand: ExprAst; readonly isNegated: boolean }
    | {
        readonly kind: "compare"
        readonly operator: CompareAstOperator
        readonly left: ExprAst
        readonly right: ExprAst
      }
    | {
        readonly kind: "between"
        readonly operand: ExprAst
        readonly low: ExprAst
        readonly high: ExprAst
        readonly isNegated: boolean
      }
    | {
        readonly kind: "arithmetic"
        readonly operator: "+" | "-" | "*" | "/" | "%"
        readonly left: ExprAst
        readonly right: ExprAst
      }
    | {
        readonly kind: "case"
        /** `CASE operand WHEN …` compares; without it every `when` is a condition. */
        readonly operand?: ExprAst
        readonly branches: readonly { readonly when: ExprAst; readonly result: ExprAst }[]
        readonly otherwise?: ExprAst
      }
    /** Also what is written `a ?? b` (ifNull), `c ? a : b` (if), `a || b` (concat), `-a` (negate). */
    | {
        readonly kind: "call"
        readonly name: string
        readonly nameSpan: Span
        /** `quantile(0.9)(x)`. */
        readonly params?: readonly ExprAst[]
        readonly args: readonly ExprAst[]
        readonly distinct: boolean
        /** A window of its own, or the name of one. */
        readonly over?: WindowAst | string
      }
    | { readonly kind: "lambda"; readonly params: readonly string[]; readonly body: ExprAst }
    | { readonly kind: "array" | "tuple"; readonly items: readonly ExprAst[] }
    | { readonly kind: "interval"; readonly amount: ExprAst; readonly unit: IntervalUnit }
    | {
        readonly kind: "cast"
        readonly operand: ExprAst
        readonly type: string
        readonly typeSpan: Span
      }
    | { readonly kind: "query"; readonly query: QueryAst }
    | {
        readonly kind: "alias"
        readonly expr: ExprAst
        readonly name: string
        readonly nameSpan: Span
      }
  )

export const INTERVAL_UNITS = [
  "second",
  "minute",
  "hour",
  "day",
  "week",
  "month",
  "quarter",
  "year",
] as const
export type IntervalUnit = (typeof INTERVAL_UNITS)[number]
