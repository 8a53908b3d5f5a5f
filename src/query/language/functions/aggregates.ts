/** Aggregates. All leave nulls out; without a value they are null, and counts 0. */
import { aggregate, and, call, isNotNull, number } from "../../build.ts"
import type { AggregateName } from "../../functions/index.ts"
import type { AggregateExpr, Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { withConditions } from "./aggregates-if.ts"
import { type Definition, defineGroup } from "./define.ts"
import type { CallParts, LanguageFunction } from "./function.ts"
import { arithmetic, arrayOf, NULL, refuse, tupleOf } from "./lowering.ts"

const of =
  (name: AggregateName) =>
  ({ args, types, distinct }: CallParts): AggregateExpr => ({
    kind: "aggregate",
    name,
    args,
    types,
    ...(distinct ? { distinct } : {}),
  })

const LEVELS = { min: 1, max: 1 }

function quantileAt(level: number, { args, types }: CallParts): AggregateExpr {
  if (!(level >= 0 && level <= 1)) refuse(`The level of a quantile is from 0 to 1, not ${level}.`)
  return { kind: "aggregate", name: "quantile", args: args.slice(0, 1), params: [level], types }
}

const QUANTILE_MEANING =
  "The value at a level from 0 to 1, between two values in proportion; always exact."

const quantile: Definition = {
  signature: "(number) -> float?",
  meaning: QUANTILE_MEANING,
  params: LEVELS,
  lower: (parts) => quantileAt(parts.params[0] ?? 0.5, parts),
}

const median: Definition = {
  signature: "(number) -> float?",
  meaning: "The value in the middle, or the mean of the two there; always exact.",
  lower: (parts) => quantileAt(0.5, parts),
}

const uniq: Definition = {
  signature: "(any, any...) -> integer!",
  meaning: "How many different values that are not null; always exact.",
  lower: ({ args, types }) => {
    const [first = NULL] = args
    if (args.length < 2) return { kind: "aggregate", name: "countDistinct", args: [first], types }
    const isWhole = and(...args.map(isNotNull))
    return { ...aggregate("countDistinct", tupleOf(...args)), filter: isWhole }
  },
}

const sum: Definition = {
  signature: "(number) -> number?",
  meaning: "The sum; null without a value.",
  lower: of("sum"),
}

/** groupArray(5)(x): the first five of them. */
const gathered =
  (name: "groupArray" | "groupUniqArray") =>
  (parts: CallParts): Expr => {
    const [most] = parts.params
    const all = of(name)(parts)
    if (most === undefined) return all
    if (!Number.isSafeInteger(most) || most < 1) refuse(`${most} is no number of items.`)
    return call("arraySlice", all, number(1), number(most))
  }

const statistic = (name: AggregateName, meaning: string): Definition => ({
  signature:
    name.startsWith("cov") || name === "corr" ? "(number, number) -> float?" : "(number) -> float?",
  meaning,
  lower: of(name),
})

const bits = (name: AggregateName, meaning: string): Definition => ({
  signature: "(integer) -> integer?",
  meaning,
  lower: of(name),
})

function avgWeighted({ args }: CallParts): Expr {
  const [value = NULL, weight = NULL] = args
  const filter = and(isNotNull(value), isNotNull(weight))
  const total = { ...aggregate("sum", arithmetic(value, "*", weight)), filter }
  return arithmetic(total, "/", { ...aggregate("sum", weight), filter })
}

function simpleLinearRegression({ args }: CallParts): Expr {
  const [x = NULL, y = NULL] = args
  const filter = and(isNotNull(x), isNotNull(y))
  const slope = aggregate("regressionSlope", x, y)
  const mean = (value: Expr) => ({ ...aggregate("avg", value), filter })
  return tupleOf(slope, arithmetic(mean(y), "-", arithmetic(slope, "*", mean(x))))
}

const FLOATS: Type = { kind: "array", of: { kind: "float", isNullable: true } }
const QUANTILES_MAX = 100

const DEFINITIONS: Readonly<Record<string, Definition>> = {
  count: {
    signature: "(any?) -> integer!",
    meaning: "How many rows, or how many values that are not null; count(DISTINCT x) is exact.",
    example: ["count()", 1],
    lower: of("count"),
  },
  countDistinct: { ...uniq, example: ["countDistinct(1)", 1] },
  uniq: { ...uniq, example: ["uniq('a')", 1] },
  uniqExact: uniq,
  uniqHLL12: uniq,
  uniqTheta: uniq,
  uniqCombined: uniq,
  min: {
    signature: "(T) -> T?",
    meaning: "The smallest value.",
    example: ["min(3)", 3],
    lower: of("min"),
  },
  max: {
    signature: "(T) -> T?",
    meaning: "The largest value.",
    example: ["max('b')", "b"],
    lower: of("max"),
  },
  sum: { ...sum, example: ["sum(2.5)", 2.5] },
  sumWithOverflow: sum,
  avg: {
    signature: "(number) -> float?",
    meaning: "The mean; null without a value.",
    example: ["avg(3)", 3],
    lower: of("avg"),
  },
  avgWeighted: {
    signature: "(number, number) -> float?",
    meaning: "The mean of the first argument, each value counting by its weight (second).",
    example: ["avgWeighted(3, 2)", 3],
    lower: avgWeighted,
  },
  any: {
    signature: "(T) -> T?",
    meaning: "The value of any row, not null if one is not.",
    example: ["any('a')", "a"],
    lower: of("any"),
  },
  anyLast: {
    signature: "(T) -> T?",
    meaning: "The value of the last row read, not null if one is not.",
    example: ["anyLast('a')", "a"],
    lower: of("anyLast"),
  },
  argMin: {
    signature: "(T, any) -> T?",
    meaning:
      "The first argument of the row whose second is smallest; rows with a null do not count.",
    example: ["argMin('a', 1)", "a"],
    lower: of("argMin"),
  },
  argMax: {
    signature: "(T, any) -> T?",
    meaning:
      "The first argument of the row whose second is largest; rows with a null do not count.",
    example: ["argMax('a', 1)", "a"],
    lower: of("argMax"),
  },
  groupArray: {
    signature: "(T) -> array(T)",
    meaning:
      "All values that are not null; groupArray(n)(x) keeps n of them. Their order is not said.",
    example: ["groupArray('a')", ["a"]],
    params: { min: 0, max: 1 },
    lower: gathered("groupArray"),
  },
  groupUniqArray: {
    signature: "(T) -> array(T)",
    meaning:
      "All different values that are not null; groupUniqArray(n)(x) keeps n. Their order is not said.",
    example: ["groupUniqArray('a')", ["a"]],
    params: { min: 0, max: 1 },
    lower: gathered("groupUniqArray"),
  },
  quantile: { ...quantile, example: ["quantile(0.9)(5)", 5] },
  quantileExact: quantile,
  quantileExactInclusive: quantile,
  quantileTDigest: quantile,
  quantileTiming: quantile,
  quantileDeterministic: { ...quantile, signature: "(number, any) -> float?" },
  quantiles: {
    signature: "(number) -> array(float)",
    meaning: "The values at several levels, as an array; always exact.",
    example: ["quantiles(0.5, 0.9)(5)", [5, 5]],
    params: { min: 1, max: QUANTILES_MAX },
    typeOf: () => ({ type: FLOATS }),
    lower: (parts) => arrayOf(...parts.params.map((level) => quantileAt(level, parts))),
  },
  median: { ...median, example: ["median(7)", 7] },
  medianExact: median,
  medianExactLow: median,
  medianExactHigh: median,
  medianTiming: median,
  medianTDigest: median,
  medianBFloat16: median,
  medianDeterministic: { ...median, signature: "(number, any) -> float?" },
  stddevPop: {
    ...statistic("stddevPop", "The standard deviation of all values."),
    example: ["stddevPop(3)", 0],
  },
  stddevSamp: statistic("stddevSamp", "The standard deviation of a sample; null of one value."),
  varPop: { ...statistic("varPop", "The variance of all values."), example: ["varPop(3)", 0] },
  varSamp: statistic("varSamp", "The variance of a sample; null of one value."),
  covarPop: {
    ...statistic("covarPop", "The covariance of all pairs."),
    example: ["covarPop(3, 4)", 0],
  },
  covarSamp: statistic("covarSamp", "The covariance of a sample of pairs; null of one pair."),
  corr: statistic("corr", "The correlation of pairs, from -1 to 1; null if one side is constant."),
  simpleLinearRegression: {
    signature: "(number, number) -> tuple(float, float)",
    meaning: "Slope and intercept of the line y (second) over x (first), by least squares.",
    lower: simpleLinearRegression,
  },
  groupBitAnd: {
    ...bits("bitAndOf", "The bits that all values have."),
    example: ["groupBitAnd(6)", 6],
  },
  groupBitOr: { ...bits("bitOrOf", "The bits that any value has."), example: ["groupBitOr(6)", 6] },
  groupBitXor: {
    ...bits("bitXorOf", "The bits that an odd count of the values has."),
    example: ["groupBitXor(6)", 6],
  },
}

const PLAIN: readonly LanguageFunction[] = defineGroup(
  { group: "Aggregates", kind: "aggregate" },
  DEFINITIONS,
)

export const AGGREGATES: readonly LanguageFunction[] = [...PLAIN, ...withConditions(PLAIN)]
