/** `x.name`, `x.1` and `x[index]`: what lies inside a value. */
import { call, number, property, text } from "../build.ts"
import type { Expr } from "../tree.ts"
import { applyFunction } from "./apply-function.ts"
import type { ExprAst, Span } from "./ast.ts"
import {
  asValue,
  describeType,
  findConstantText,
  INTEGER,
  type Place,
  type Resolved,
  report,
} from "./resolving.ts"

interface Access {
  readonly span: Span
  readonly place: Place
}

export function accessMember(base: Resolved, part: string | number, access: Access): Resolved {
  const key: Resolved =
    typeof part === "number"
      ? { expr: number(part), type: INTEGER }
      : { expr: text(part), type: { kind: "text", isNullable: false } }
  return accessBy(base, key, access)
}

export function resolveAccess(
  { object, index, span }: Extract<ExprAst, { kind: "access" }>,
  place: Place,
): Resolved {
  const inner = asValue(place)
  const base = place.work.resolveExpr(object, inner)
  const key = place.work.resolveExpr(index, inner)
  return accessBy(base, key, { span, place })
}

function accessBy(base: Resolved, key: Resolved, access: Access): Resolved {
  const { type } = base
  if (type.kind === "unknown" && base.json === undefined) return base
  if (findConstantNumber(key) === 0) {
    const message = "Places are counted from 1, so there is no place 0: the first is array[1]."
    return refuse(message, access)
  }
  if (type.kind === "json" || base.isLoose === true) return accessJson(base, key)
  if (type.kind === "tuple") return accessTuple(base, key, access)
  if (type.kind === "array" || type.kind === "map") {
    return applyFunction("arrayElement", [base, key], access)
  }
  return refuse(`A value of type ${describeType(type)} has nothing inside that has a name.`, access)
}

/** The key of all properties is a property; inside of one, a path leads on. */
function accessJson(base: Resolved, key: Resolved): Resolved {
  const { expr } = base
  const name = findConstantText(key)
  if (expr.kind === "properties" && name !== undefined) {
    const read = property({ table: expr.table, of: expr.of, key: name })
    return { expr: read, type: { kind: "text", isNullable: true }, isLoose: true }
  }
  const whole = expr.kind === "property" ? ({ ...expr, as: "json" } as const) : expr
  const { base: json, path } = base.json ?? { base: whole, path: [] }
  return jsonText({ base: json, path: [...path, key.expr] })
}

/** As properties are read: strings as they are, other values as JSON text, null as null. */
function jsonText(json: { readonly base: Expr; readonly path: readonly Expr[] }): Resolved {
  const raw = call("jsonAt", json.base, ...json.path)
  const expr: Expr = {
    kind: "case",
    branches: [
      { when: { kind: "compare", operator: "=", left: raw, right: text("null") }, result: NULL },
    ],
    otherwise: call("coalesce", call("jsonString", raw), raw),
  }
  return { expr, type: { kind: "text", isNullable: true }, isLoose: true, json }
}

const NULL: Expr = { kind: "value", value: { type: "null" } }

function accessTuple(base: Resolved, key: Resolved, access: Access): Resolved {
  const index = findConstantNumber(key)
  const items = base.type.kind === "tuple" ? base.type.items : []
  const type = index === undefined ? undefined : items[index - 1]
  if (index === undefined || type === undefined) {
    return refuse(`The tuple has the items 1 to ${items.length}; name one by its number.`, access)
  }
  return { expr: { kind: "tupleItem", tuple: base.expr, index }, type }
}

function findConstantNumber({ expr }: Resolved): number | undefined {
  return expr.kind === "value" && expr.value.type === "number" ? expr.value.value : undefined
}

function refuse(message: string, { span, place }: Access): Resolved {
  return report(place.work, { code: "illegal_type_of_argument", message, span })
}
