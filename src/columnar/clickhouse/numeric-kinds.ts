/**
 * Whether expressions are whole numbers or floating point ones. The engine finds no type that holds both a 64-bit
 * integer and a floating point number, so where they meet the integers are made floating point.
 */
import type { AggregateName, FunctionName } from "../../query/functions/index.ts"
import type { Expr, Query } from "../../query/tree.ts"
import { getCte, type PrintState } from "./printer-state.ts"

type Kind = "integer" | "float" | "other"

/** The expressions, integers among floating point numbers marked to be printed as such. */
export function asFloats(exprs: readonly Expr[], state: PrintState): readonly Expr[] {
  const kinds = exprs.map((expr) => kindOf(expr, state))
  if (!kinds.includes("float")) return exprs
  return exprs.map((expr, index) => (kinds[index] === "integer" ? toFloat(expr) : expr))
}

/** Divided by one: the engine divides into floating point numbers. */
function toFloat(expr: Expr): Expr {
  const one = { kind: "value", value: { type: "number", value: 1 } } as const
  return { kind: "arithmetic", operator: "/", left: expr, right: one }
}

const INTEGER_COLUMNS: ReadonlySet<string> = new Set([
  "project_id",
  "snapshot_id",
  "id",
  "version",
  "group_type_index",
  "cohort_id",
  "number",
])

function kindOf(expr: Expr, state: PrintState): Kind {
  switch (expr.kind) {
    case "value":
      if (expr.value.type !== "number") return "other"
      return Number.isSafeInteger(expr.value.value) ? "integer" : "float"
    case "column":
      return kindOfColumn(expr.table, expr.column, state)
    case "property":
      return expr.as === "number" ? "float" : "other"
    case "arithmetic":
      return expr.operator === "/" ? "float" : widest([expr.left, expr.right], state)
    case "case":
      return widest([...expr.branches.map(({ result }) => result), expr.otherwise], state)
    case "scalarQuery":
      return kindOfResult(expr.query, 0, state)
    case "call":
      return kindOfCall(expr.name, expr.args, state)
    case "aggregate":
      return kindOfAggregate(expr.name, expr.args, state)
    case "window":
      return expr.of.kind === "aggregate"
        ? kindOfAggregate(expr.of.name, expr.of.args, state)
        : widest(expr.of.args.slice(0, 1), state)
    default:
      return "other"
  }
}

function widest(exprs: readonly Expr[], state: PrintState): Kind {
  const kinds = exprs.map((expr) => kindOf(expr, state))
  if (kinds.includes("float")) return "float"
  return kinds.includes("integer") ? "integer" : "other"
}

function kindOfColumn(alias: string, name: string, state: PrintState): Kind {
  const source = state.scope.get(alias)
  switch (source?.kind) {
    case "table":
    case "numbers":
      return INTEGER_COLUMNS.has(name) ? "integer" : "other"
    case "subquery":
      return kindOfNamed(source.query, name, state)
    case "cte":
      return kindOfNamed(getCte(state, source.name), name, state)
    default:
      return "other"
  }
}

function kindOfNamed(query: Query, name: string, state: PrintState): Kind {
  const first = firstSelect(query)
  const index = first?.columns.findIndex(({ as }) => as === name) ?? -1
  return kindOfResult(query, index, state)
}

function kindOfResult(query: Query, index: number, state: PrintState): Kind {
  const select = firstSelect(query)
  const column = select?.columns[index]
  if (select === undefined || column === undefined) return "other"
  const joined = (select.joins ?? []).flatMap((join) => ("source" in join ? [join.source] : []))
  const sources = select.from === undefined ? joined : [select.from, ...joined]
  const scope = new Map(sources.map((source) => [source.alias, source]))
  const ctes = new Map([
    ...state.ctes,
    ...(select.ctes ?? []).map((cte) => [cte.name, cte.query] as const),
  ])
  return kindOf(column.expr, { ...state, scope, ctes })
}

function firstSelect(query: Query | undefined): Exclude<Query, { kind: "union" }> | undefined {
  return query?.kind === "union" ? firstSelect(query.queries[0]) : query
}

const FLOAT_CALLS: ReadonlySet<FunctionName> = new Set([
  ...([
    "parseNumber",
    "diffSeconds",
    "toFloat",
    "exp",
    "ln",
    "log2",
    "log10",
    "sqrt",
    "cbrt",
  ] as const),
  ...(["power", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh"] as const),
  ...(["tanh", "asinh", "acosh", "atanh", "gamma", "lnGamma", "arrayAvg", "arrayProduct"] as const),
])
const INTEGER_CALLS: ReadonlySet<FunctionName> = new Set([
  ...([
    "diffDays",
    "diffHours",
    "diffWeeks",
    "diffMonths",
    "diffUnits",
    "datePart",
    "unixMilliseconds",
    "zoneOffset",
  ] as const),
  ...(["intDiv", "gcd", "lcm", "factorial", "bitAnd", "bitOr", "bitXor", "bitNot"] as const),
  ...(["bitShiftLeft", "bitShiftRight", "bitCount", "sign", "parseInteger", "toInteger"] as const),
  ...([
    "textLength",
    "position",
    "codePoint",
    "arrayLength",
    "arrayIndexOf",
    "jsonLength",
  ] as const),
])
const SAME_CALLS: ReadonlySet<FunctionName> = new Set([
  ...(["coalesce", "least", "greatest", "floor", "ceil", "truncate", "abs", "round"] as const),
  "roundEven",
])

function kindOfCall(name: FunctionName, args: readonly Expr[], state: PrintState): Kind {
  if (FLOAT_CALLS.has(name)) return "float"
  if (INTEGER_CALLS.has(name)) return "integer"
  return SAME_CALLS.has(name) ? widest(args, state) : "other"
}

const FLOAT_AGGREGATES: ReadonlySet<AggregateName> = new Set(["avg", "quantile"])
const INTEGER_AGGREGATES: ReadonlySet<AggregateName> = new Set(["count", "countDistinct"])

function kindOfAggregate(name: AggregateName, args: readonly Expr[], state: PrintState): Kind {
  if (FLOAT_AGGREGATES.has(name)) return "float"
  return INTEGER_AGGREGATES.has(name) ? "integer" : widest(args.slice(0, 1), state)
}
