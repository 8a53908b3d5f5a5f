/** Words for queries over the rows of `queries.server.test.ts`. For tests. */
import { aggregate, asc, call, column, EVENTS, number, property, table } from "../../query/build.ts"
import type { Expr, Query, Select } from "../../query/tree.ts"

const events = table("events", EVENTS, 1)
export const at = (name: string) => column(EVENTS, name)
export const of = (key: string, as: "text" | "number" | "boolean" | "json" = "text") =>
  property({ table: EVENTS, of: "event", key }, as)
export const select = (
  columns: Readonly<Record<string, Expr>>,
  more: Partial<Select> = {},
): Select => ({
  columns: Object.entries(columns).map(([as, expr]) => ({ as, expr })),
  from: events,
  ...more,
})
export const id = call("substring", call("plainText", at("uuid")), number(35), number(2))
export const inOrder = { orderBy: [asc(at("uuid"))] }
export const NULL: Expr = { kind: "value", value: { type: "null" } }
export const sub = (query: Query, alias = "q") => ({ kind: "subquery", query, alias }) as const
export const plus = (left: Expr, right: Expr): Expr => ({
  kind: "arithmetic",
  operator: "+",
  left,
  right,
})
export const over = (
  expr: Extract<Expr, { kind: "window" }>["of"],
  more: Partial<Extract<Expr, { kind: "window" }>> = {},
): Expr => ({ kind: "window", of: expr, partitionBy: [], orderBy: [asc(at("uuid"))], ...more })
export const windowCall = (
  name:
    | "row_number"
    | "rank"
    | "dense_rank"
    | "lag"
    | "lead"
    | "first_value"
    | "last_value"
    | "nth_value",
  ...args: Expr[]
) => ({ kind: "windowCall", name, args }) as const
export const total = column("q", "n")
export const perEvent = select(
  { event: at("event"), n: aggregate("count") },
  { groupBy: [at("event")] },
)
export const X: Expr = { kind: "parameter", name: "x" }
