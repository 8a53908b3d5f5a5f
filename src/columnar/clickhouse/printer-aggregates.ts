/** How ClickHouse says aggregates and windows. Without a value they answer null, as SQL says. */
import {
  AGGREGATES,
  type AggregateName,
  type WindowFunctionName,
} from "../../query/functions/index.ts"
import type { AggregateExpr, Expr, OrderBy, WindowCall, WindowExpr } from "../../query/tree.ts"
import { levelOf, printFrame, printOrderKeys } from "../standard-sql.ts"
import type { PrintState } from "./printer-state.ts"

type Print = (expr: Expr) => string

interface Said {
  /** The engine's aggregate, with its parameters. */
  readonly name: string
  /** What is made of the answer: the engine counts in unsigned numbers. */
  readonly finish?: (answer: string) => string
}

const asInteger = (answer: string) => `toInt64(${answer})`

const nullUnlessFinite = (answer: string) =>
  `arrayMap(x -> if(isFinite(x), x, NULL), [${answer}])[1]`

const AGGREGATE_WORDS: Readonly<Record<AggregateName, (expr: AggregateExpr) => Said>> = {
  count: () => ({ name: "count", finish: asInteger }),
  countDistinct: () => ({ name: "uniqExact", finish: asInteger }),
  min: () => ({ name: "minOrNull" }),
  max: () => ({ name: "maxOrNull" }),
  sum: () => ({ name: "sumOrNull" }),
  avg: () => ({ name: "avgOrNull" }),
  quantile: (expr) => ({ name: `quantileExactInclusiveOrNull(${levelOf(expr)})` }),
  any: () => ({ name: "anyOrNull" }),
  argMin: () => ({ name: "argMinOrNull" }),
  argMax: () => ({ name: "argMaxOrNull" }),
  groupArray: () => ({ name: "groupArray" }),
  groupUniqArray: () => ({ name: "groupUniqArray" }),
  anyLast: () => ({ name: "anyLastOrNull" }),
  stddevPop: () => ({ name: "stddevPopStableOrNull", finish: nullUnlessFinite }),
  stddevSamp: () => ({ name: "stddevSampStableOrNull", finish: nullUnlessFinite }),
  varPop: () => ({ name: "varPopStableOrNull", finish: nullUnlessFinite }),
  varSamp: () => ({ name: "varSampStableOrNull", finish: nullUnlessFinite }),
  covarPop: () => ({ name: "covarPopStableOrNull", finish: nullUnlessFinite }),
  covarSamp: () => ({ name: "covarSampStableOrNull", finish: nullUnlessFinite }),
  corr: () => ({ name: "corrStableOrNull", finish: nullUnlessFinite }),
  regressionSlope: () => ({
    name: "simpleLinearRegressionOrNull",
    finish: (answer) => nullUnlessFinite(`tupleElement(${answer}, 1)`),
  }),
  bitAndOf: () => ({ name: "groupBitAndOrNull" }),
  bitOrOf: () => ({ name: "groupBitOrOrNull" }),
  bitXorOf: () => ({ name: "groupBitXorOrNull" }),
}

export function printAggregate(expr: AggregateExpr, state: PrintState): string {
  return printAggregateOver(expr, "", state)
}

/** `over` is empty or the window. */
function printAggregateOver(expr: AggregateExpr, over: string, state: PrintState): string {
  const wanted = AGGREGATES[expr.name].args
  if (wanted !== "any" && wanted !== expr.args.length) {
    throw new Error(`${expr.name} takes ${wanted} arguments, not ${expr.args.length}`)
  }
  const { name, finish } = AGGREGATE_WORDS[expr.name](expr)
  const args = expr.args.map((argument) => state.print(argument, state))
  const filter =
    expr.filter === undefined ? "" : ` FILTER (WHERE ${state.printCondition(expr.filter, state)})`
  const distinct = expr.distinct === true && name !== "uniqExact" ? "DISTINCT " : ""
  const tail = `${filter}${over}`
  if (expr.orderBy !== undefined && expr.orderBy.length > 0) {
    return printSorted({ name, args, tail, orderBy: expr.orderBy }, state)
  }
  const answer = `${name}(${distinct}${args.join(", ")})${tail}`
  return finish === undefined ? answer : finish(answer)
}

interface Sorted {
  readonly name: string
  readonly args: readonly string[]
  readonly tail: string
  readonly orderBy: readonly OrderBy[]
}

/**
 * Gathered with the keys, and then sorted by each of them, the last one first. Equal ones keep their places by
 * their index, so that what an earlier pass ordered stays ordered.
 */
function printSorted({ args, tail, orderBy }: Sorted, state: PrintState): string {
  const [value = "NULL"] = args
  const keys = orderBy.map(({ expr }) => state.print(expr, state))
  const gathered = `groupArray(tuple(${[value, ...keys].join(", ")}))${tail}`
  let sorted = `arrayFilter(t -> isNotNull(t.1), ${gathered})`
  for (const [index, { direction, nulls }] of [...orderBy.entries()].reverse()) {
    const key = `t.${index + 2}`
    const isLate = nulls === "last" ? `isNull(${key})` : `isNotNull(${key})`
    const isEarly = nulls === "last" ? `isNotNull(${key})` : `isNull(${key})`
    const by =
      direction === "asc"
        ? `arraySort((t, i) -> (${isLate}, ${key}, i)`
        : `arrayReverseSort((t, i) -> (${isEarly}, ${key}, -i)`
    sorted = `arrayMap(a -> ${by}, a, arrayEnumerate(a)), [${sorted}])[1]`
  }
  return `arrayMap(t -> assumeNotNull(t.1), ${sorted})`
}

export function printWindow(expr: WindowExpr, state: PrintState): string {
  const print = (operand: Expr) => state.print(operand, state)
  const partition = expr.partitionBy.map(print).join(", ")
  const parts = [
    partition === "" ? "" : `PARTITION BY ${partition}`,
    expr.orderBy.length === 0 ? "" : `ORDER BY ${printOrderKeys(expr.orderBy, print)}`,
    expr.frame === undefined ? "" : printFrame(expr.frame),
  ]
  const over = ` OVER (${parts.filter((part) => part !== "").join(" ")})`
  const { of } = expr
  if (of.kind === "aggregate") return printAggregateOver(of, over, state)
  return WINDOW_WORDS[of.name](of, over, print)
}

type PrintWindowCall = (call: WindowCall, over: string, print: Print) => string

const numbered: PrintWindowCall = ({ name }, over) => `toInt64(${name}()${over})`

/** The value may be missing: the engine would answer zero or an empty text. */
const offset: PrintWindowCall = ({ name, args }, over, print) => {
  const [value = "NULL", ...rest] = args.map(print)
  return `${name}(${[`toNullable(${value})`, ...rest].join(", ")})${over}`
}

const ofFrame: PrintWindowCall = ({ name, args }, over, print) => {
  const [value = "NULL", ...rest] = args.map(print)
  return `${name}(${[`toNullable(${value})`, ...rest].join(", ")}) RESPECT NULLS${over}`
}

const WINDOW_WORDS: Readonly<Record<WindowFunctionName, PrintWindowCall>> = {
  row_number: numbered,
  rank: numbered,
  dense_rank: numbered,
  first_value: ofFrame,
  last_value: ofFrame,
  nth_value: offset,
  lag: offset,
  lead: offset,
}
