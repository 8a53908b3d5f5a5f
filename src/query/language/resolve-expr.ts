/** Expressions: one entry for each kind of node that the parser knows. */
import { boolean, isNotNull, isNull, not, number, text } from "../build.ts"
import type { Type } from "../types.ts"
import { applyFunction, bounded } from "./apply-function.ts"
import type { ExprAst } from "./ast.ts"
import { asBoolean } from "./coerce.ts"
import { resolveArithmetic } from "./resolve-arithmetic.ts"
import { resolveCall } from "./resolve-call.ts"
import { resolveCase } from "./resolve-case.ts"
import { resolveCast } from "./resolve-cast.ts"
import { resolveBetween, resolveCompare } from "./resolve-compare.ts"
import { resolveField } from "./resolve-field.ts"
import { resolvePlaceholder } from "./resolve-filters.ts"
import { accessMember, resolveAccess } from "./resolve-member.ts"
import {
  asValue,
  BOOLEAN,
  describeType,
  isNullable,
  NULL,
  type Place,
  type Resolved,
  report,
  UNRESOLVED,
} from "./resolving.ts"

export function resolveExpr(ast: ExprAst, place: Place): Resolved {
  const value = resolveByKind(ast, place)
  return bounded(place.isCondition ? asCondition(value, ast, place) : value, {
    span: ast.span,
    place,
  })
}

function resolveByKind(ast: ExprAst, place: Place): Resolved {
  switch (ast.kind) {
    case "constant":
      return constant(ast, place)
    case "placeholder":
      return resolvePlaceholder(ast, place)
    case "field":
      return resolveField(ast, place)
    case "access":
      return resolveAccess(ast, place)
    case "member":
      return accessMember(place.work.resolveExpr(ast.object, asValue(place)), ast.name, {
        span: ast.span,
        place,
      })
    case "and":
    case "or":
      return logic(ast, place)
    case "not":
      return negation(ast, place)
    case "isNull":
      return nullTest(ast, place)
    case "compare":
      return resolveCompare(ast, place)
    case "between":
      return resolveBetween(ast, place)
    case "arithmetic":
      return resolveArithmetic(ast, place)
    case "case":
      return resolveCase(ast, place)
    case "call":
      return resolveCall(ast, place)
    case "array":
    case "tuple":
      return list(ast, place)
    case "cast":
      return resolveCast(ast, place)
    case "query":
      return scalarQuery(ast, place)
    case "alias":
      return place.work.resolveExpr(ast.expr, place)
    case "star":
    case "lambda":
    case "interval":
      return refuseMisplaced(ast, place)
  }
}

type Of<Kind extends ExprAst["kind"]> = Extract<ExprAst, { kind: Kind }>

/** What stands where true or false is wanted. */
function asCondition(value: Resolved, ast: ExprAst, { work }: Place): Resolved {
  const { kind } = value.type
  if (kind === "boolean" || kind === "unknown") return value
  if (kind === "null") return { expr: boolean(false), type: BOOLEAN }
  const known = asBoolean(value, work.context)
  if (known !== undefined) return known
  const message = `A condition must be true or false, not a value of type ${describeType(value.type)}.`
  return report(work, { code: "illegal_type_of_argument", message, span: ast.span })
}

function constant({ value, span }: Of<"constant">, { work }: Place): Resolved {
  switch (typeof value) {
    case "string":
      return { expr: text(value), type: { kind: "text", isNullable: false } }
    case "boolean":
      return { expr: boolean(value), type: BOOLEAN }
    case "number": {
      if (!Number.isFinite(value)) {
        const message = "Infinity and what is no number cannot be written as values."
        return report(work, { code: "unsupported", message, span })
      }
      const kind = Number.isInteger(value) ? "integer" : "float"
      return { expr: number(value), type: { kind, isNullable: false } }
    }
    default:
      return { expr: NULL, type: { kind: "null", isNullable: true } }
  }
}

/** Operands may stay unknown only where the whole may. */
function logic({ kind, operands }: Of<"and" | "or">, place: Place): Resolved {
  const resolved = operands.map((operand) => {
    const value = place.work.resolveExpr(operand, place)
    return place.isCondition ? value : asCondition(value, operand, place)
  })
  const nullable = resolved.some(({ type }) => isNullable(type))
  return {
    expr: { kind, operands: resolved.map(({ expr }) => expr) },
    type: { kind: "boolean", isNullable: nullable },
  }
}

function negation({ operand }: Of<"not">, place: Place): Resolved {
  const value = asCondition(place.work.resolveExpr(operand, asValue(place)), operand, place)
  return { expr: not(value.expr), type: { kind: "boolean", isNullable: isNullable(value.type) } }
}

function nullTest({ operand, isNegated }: Of<"isNull">, place: Place): Resolved {
  const { expr } = place.work.resolveExpr(operand, asValue(place))
  return { expr: isNegated ? isNotNull(expr) : isNull(expr), type: BOOLEAN }
}

function list(ast: Of<"array" | "tuple">, place: Place): Resolved {
  const inner = asValue(place)
  const items = ast.items.map((item) => place.work.resolveExpr(item, inner))
  if (ast.kind === "array") {
    const spans = ast.items.map(({ span }) => span)
    return applyFunction("array", items, { span: ast.span, spans, place: inner })
  }
  const type: Type = { kind: "tuple", items: items.map((item) => item.type) }
  return { expr: { kind: "tuple", items: items.map(({ expr }) => expr) }, type }
}

function scalarQuery({ query, span }: Of<"query">, { work, scope }: Place): Resolved {
  const resolved = work.resolveQuery(query, scope, work)
  const [only] = resolved.columns
  if (only === undefined || resolved.columns.length !== 1) {
    const message = `A query that stands for one value must have one column, not ${resolved.columns.length}.`
    return report(work, { code: "wrong_arguments", message, span })
  }
  const type = "isNullable" in only.type ? { ...only.type, isNullable: true } : only.type
  return { expr: { kind: "scalarQuery", query: resolved.query }, type, isLoose: only.isLoose }
}

const MISPLACED = {
  star: "* stands for all columns, which is not possible here.",
  lambda: "A lambda can only be an argument of a function that takes one, such as arrayMap.",
  interval: "An INTERVAL can only be added to or taken from a moment or a day.",
}

function refuseMisplaced(ast: Of<"star" | "lambda" | "interval">, { work }: Place): Resolved {
  report(work, { code: "unsupported", message: MISPLACED[ast.kind], span: ast.span })
  return UNRESOLVED
}
