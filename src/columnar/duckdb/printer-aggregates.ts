/** How DuckDB says aggregates and windows. */
import {
  AGGREGATES,
  type AggregateName,
  WINDOW_FUNCTIONS,
  type WindowFunctionName,
} from "../../query/functions/index.ts"
import type { AggregateExpr, Expr, WindowCall, WindowExpr } from "../../query/tree.ts"
import { levelOf, printFrame, printOrderKeys } from "../standard-sql.ts"

type Print = (expr: Expr) => string

interface Aggregation {
  /** Printed arguments with what stands inside the brackets: DISTINCT before, ORDER BY after. */
  readonly inside: string
  readonly args: readonly string[]
  readonly expr: AggregateExpr
}

const PRINTERS: Readonly<Record<AggregateName, (aggregation: Aggregation) => string>> = {
  count: ({ inside }) => `count(${inside === "" ? "*" : inside})`,
  countDistinct: ({ inside }) => `count(DISTINCT ${inside})`,
  min: ({ inside }) => `min(${inside})`,
  max: ({ inside }) => `max(${inside})`,
  sum: ({ inside }) => `sum(${inside})`,
  avg: ({ inside }) => `avg(${inside})`,
  quantile: ({ inside, expr }) => `quantile_cont(${inside}, ${levelOf(expr)})`,
  any: ({ inside }) => `any_value(${inside})`,
  argMin: ({ inside }) => `arg_min(${inside})`,
  argMax: ({ inside }) => `arg_max(${inside})`,
  groupArray: ({ inside }) => `list(${inside})`,
  groupUniqArray: ({ inside }) => `list(DISTINCT ${inside})`,
  anyLast: ({ inside }) => `last(${inside})`,
  stddevPop: ({ inside }) => `stddev_pop(${inside})`,
  stddevSamp: ({ inside }) => `stddev_samp(${inside})`,
  varPop: ({ inside }) => `var_pop(${inside})`,
  varSamp: ({ inside }) => `var_samp(${inside})`,
  covarPop: ({ inside }) => `covar_pop(${inside})`,
  covarSamp: ({ inside }) => `covar_samp(${inside})`,
  corr: ({ inside }) => `corr(${inside})`,
  regressionSlope: ({ args: [x = "", y = ""] }) => `regr_slope(${y}, ${x})`,
  bitAndOf: ({ args: [bits = ""] }) => `bit_and(CAST(${bits} AS BIGINT))`,
  bitOrOf: ({ args: [bits = ""] }) => `bit_or(CAST(${bits} AS BIGINT))`,
  bitXorOf: ({ args: [bits = ""] }) => `bit_xor(CAST(${bits} AS BIGINT))`,
}

/** Arrays are gathered of what is not null, and are empty rather than null. */
const GATHERS: ReadonlySet<AggregateName> = new Set(["groupArray", "groupUniqArray"])
const SKIPS_NULLS: ReadonlySet<AggregateName> = new Set([...GATHERS, "anyLast"])

export function printAggregate(expr: AggregateExpr, print: Print): string {
  checkCount(expr, AGGREGATES[expr.name].args)
  const args = expr.args.map(print)
  const distinct = expr.distinct === true ? "DISTINCT " : ""
  const order = expr.orderBy === undefined ? "" : ` ORDER BY ${printOrderKeys(expr.orderBy, print)}`
  const inside = `${distinct}${args.join(", ")}${order}`
  const text = PRINTERS[expr.name]({ inside, args, expr })
  const conditions = [
    ...(SKIPS_NULLS.has(expr.name) ? [`${args[0]} IS NOT NULL`] : []),
    ...(expr.filter === undefined ? [] : [print(expr.filter)]),
  ]
  const filter = conditions.length === 0 ? "" : ` FILTER (WHERE ${conditions.join(" AND ")})`
  return GATHERS.has(expr.name) ? `COALESCE(${text}${filter}, [])` : `${text}${filter}`
}

function checkCount(
  { name, args }: { readonly name: string; readonly args: readonly Expr[] },
  wanted: number | "any",
): void {
  if (wanted !== "any" && wanted !== args.length) {
    throw new Error(`${name} takes ${wanted} arguments, not ${args.length}`)
  }
}

const WINDOW_WORDS: Readonly<Record<WindowFunctionName, string>> = {
  row_number: "row_number",
  rank: "rank",
  dense_rank: "dense_rank",
  first_value: "first_value",
  last_value: "last_value",
  nth_value: "nth_value",
  lag: "lag",
  lead: "lead",
}

function printWindowCall(of: WindowCall, print: Print): string {
  checkCount(of, WINDOW_FUNCTIONS[of.name].args)
  return `${WINDOW_WORDS[of.name]}(${of.args.map(print).join(", ")})`
}

export function printWindow(expr: WindowExpr, print: Print): string {
  const { of } = expr
  const text = of.kind === "aggregate" ? printAggregate(of, print) : printWindowCall(of, print)
  const partition = expr.partitionBy.map(print).join(", ")
  const parts = [
    partition === "" ? "" : `PARTITION BY ${partition}`,
    expr.orderBy.length === 0 ? "" : `ORDER BY ${printOrderKeys(expr.orderBy, print)}`,
    expr.frame === undefined ? "" : printFrame(expr.frame),
  ]
  return `${text} OVER (${parts.filter((part) => part !== "").join(" ")})`
}
