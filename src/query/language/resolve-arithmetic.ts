/** `+ - * / %` of numbers, moments, days and spans of time. */
import { call } from "../build.ts"
import type { Type } from "../types.ts"
import { applyFunction, bounded } from "./apply-function.ts"
import type { ExprAst, IntervalUnit, Span } from "./ast.ts"
import { asNumber } from "./coerce.ts"
import {
  asValue,
  describeType,
  isNullable,
  type Place,
  type Resolved,
  report,
} from "./resolving.ts"

type ArithmeticAst = Extract<ExprAst, { kind: "arithmetic" }>
type Operator = ArithmeticAst["operator"]

interface Site {
  readonly span: Span
  readonly place: Place
}

export function resolveArithmetic(ast: ArithmeticAst, place: Place): Resolved {
  const { operator, span } = ast
  const inner = asValue(place)
  const site = { span, place: inner }
  const interval = findInterval(ast.right)
  const isShift = operator === "+" || operator === "-"
  if (interval !== undefined && isShift) {
    const moment = place.work.resolveExpr(ast.left, inner)
    return shift(moment, { ...interval, isBack: operator === "-" }, site)
  }
  const first = findInterval(ast.left)
  if (first !== undefined && operator === "+") {
    return shift(place.work.resolveExpr(ast.right, inner), { ...first, isBack: false }, site)
  }
  const left = place.work.resolveExpr(ast.left, inner)
  const right = place.work.resolveExpr(ast.right, inner)
  return calculate(operator, [left, right], site)
}

interface Interval {
  readonly amount: ExprAst
  readonly unit: IntervalUnit
}

const INTERVAL_FUNCTION = /^toInterval([A-Z][a-z]+)$/

export function findInterval(ast: ExprAst): Interval | undefined {
  if (ast.kind === "interval") return ast
  if (ast.kind !== "call") return undefined
  const unit = INTERVAL_FUNCTION.exec(ast.name)?.[1]?.toLowerCase()
  const [amount] = ast.args
  const isKnown = unit !== undefined && Object.hasOwn(SHIFTS, unit)
  return isKnown && amount !== undefined ? { amount, unit: unit as IntervalUnit } : undefined
}

const SHIFTS: Readonly<Record<IntervalUnit, string>> = {
  second: "Seconds",
  minute: "Minutes",
  hour: "Hours",
  day: "Days",
  week: "Weeks",
  month: "Months",
  quarter: "Quarters",
  year: "Years",
}

export function shift(
  moment: Resolved,
  { amount, unit, isBack }: Interval & { readonly isBack: boolean },
  site: Site,
): Resolved {
  const count = site.place.work.resolveExpr(amount, site.place)
  return applyFunction(`${isBack ? "subtract" : "add"}${SHIFTS[unit]}`, [moment, count], site)
}

function calculate(
  operator: Operator,
  [left, right]: readonly [Resolved, Resolved],
  site: Site,
): Resolved {
  const ofTime = calculateTime(operator, [left, right], site)
  if (ofTime !== undefined) return ofTime
  const { context } = site.place.work
  const [a, b] = [numeric(left, context), numeric(right, context)]
  if (a === undefined || b === undefined) return refuse(operator, [left, right], site)
  const divides = operator === "/" || operator === "%"
  const areWhole = [a, b].every(({ type }) => type.kind === "integer")
  const type: Type = {
    kind: areWhole && operator !== "/" ? "integer" : "float",
    isNullable: divides || isNullable(a.type) || isNullable(b.type),
  }
  return bounded(
    { expr: { kind: "arithmetic", operator, left: a.expr, right: b.expr }, type },
    site,
  )
}

function numeric(value: Resolved, context: Place["work"]["context"]): Resolved | undefined {
  const { kind } = value.type
  return kind === "unknown" || kind === "null" ? value : asNumber(value, context)
}

/** A day or moment and a number shift by days or seconds; two of them have a distance. */
function calculateTime(
  operator: Operator,
  [left, right]: readonly [Resolved, Resolved],
  site: Site,
): Resolved | undefined {
  const [a, b] = [left.type.kind, right.type.kind]
  const isTime = (kind: string) => kind === "date" || kind === "moment"
  const isNumber = (kind: string) => kind === "integer" || kind === "float"
  if (operator === "-" && isTime(a) && isTime(b)) return distance(a, [left, right], site)
  const shifts = operator === "+" || operator === "-"
  if (shifts && isTime(a) && isNumber(b)) {
    const word = operator === "+" ? "add" : "subtract"
    return applyFunction(`${word}${a === "date" ? "Days" : "Seconds"}`, [left, right], site)
  }
  if (operator === "+" && isNumber(a) && isTime(b)) return calculateTime("+", [right, left], site)
  return undefined
}

function distance(
  kind: string,
  [left, right]: readonly [Resolved, Resolved],
  site: Site,
): Resolved {
  if (left.type.kind !== right.type.kind) {
    const moments = [left, right].map((each) =>
      each.type.kind === "date" ? applyFunction("toDateTime", [each], site) : each,
    )
    return distance("moment", moments as [Resolved, Resolved], site)
  }
  if (kind === "date") {
    const unit: Resolved = {
      expr: { kind: "value", value: { type: "text", value: "day" } },
      type: { kind: "text", isNullable: false },
    }
    return applyFunction("dateDiff", [unit, right, left], site)
  }
  const nullable = isNullable(left.type) || isNullable(right.type)
  const expr = call("diffSeconds", right.expr, left.expr)
  return { expr, type: { kind: "float", isNullable: nullable } }
}

function refuse(
  operator: Operator,
  [left, right]: readonly [Resolved, Resolved],
  { span, place }: Site,
): Resolved {
  const [a, b] = [describeType(left.type), describeType(right.type)]
  const message = `"${operator}" cannot take a value of type ${a} and one of type ${b}.`
  const isTime = ["date", "moment"].includes(left.type.kind)
  const suggestion = isTime ? { suggestion: "Add an INTERVAL, such as INTERVAL 1 DAY." } : {}
  return report(place.work, { code: "illegal_type_of_argument", message, span, ...suggestion })
}
