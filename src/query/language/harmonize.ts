/** The two sides of a comparison, brought to types that can be compared. */
import type { Type } from "../types.ts"
import { applyFunction } from "./apply-function.ts"
import type { Span } from "./ast.ts"
import {
  asBoolean,
  asConstantNumber,
  asDay,
  asMoment,
  asNumber,
  asUuid,
  booleanText,
} from "./coerce.ts"
import {
  describeType,
  findConstantText,
  type Place,
  type Resolved,
  report,
  UNRESOLVED,
} from "./resolving.ts"

interface Site {
  readonly span: Span
  readonly place: Place
}

type Pair = readonly [left: Resolved, right: Resolved]

export function harmonize([left, right]: Pair, site: Site): Pair {
  if (areComparable(left.type, right.type)) return [left, right]
  const mended = mend(left, right, site) ?? turned(mend(right, left, site))
  if (mended !== undefined) return mended
  const [a, b] = [left, right].map(({ type }) => describeType(type))
  const constant = findConstantText(left) ?? findConstantText(right)
  const message =
    constant === undefined
      ? `A value of type ${a} cannot be compared with one of type ${b}.`
      : `'${constant.slice(0, SHOWN_MAX_CHARACTERS)}' is no ${findConstantText(left) === undefined ? a : b}, so the two cannot be compared.`
  report(site.place.work, { code: "illegal_type_of_argument", message, span: site.span })
  return [UNRESOLVED, UNRESOLVED]
}

const SHOWN_MAX_CHARACTERS = 40

const turned = (pair: Pair | undefined): Pair | undefined =>
  pair === undefined ? undefined : [pair[1], pair[0]]

const isNumeric = ({ kind }: Type): boolean => kind === "integer" || kind === "float"
const isText = ({ kind }: Type): boolean => kind === "text" || kind === "json"
const isOpen = ({ kind }: Type): boolean => kind === "unknown" || kind === "null"

function areComparable(left: Type, right: Type): boolean {
  if (isOpen(left) || isOpen(right)) return true
  if (left.kind === "tuple" && right.kind === "tuple") {
    const pairs = left.items.map((item, index) => [item, right.items[index]] as const)
    return (
      left.items.length === right.items.length &&
      pairs.every(([item, other]) => other !== undefined && areComparable(item, other))
    )
  }
  if (left.kind === "array" && right.kind === "array") return areComparable(left.of, right.of)
  return (
    left.kind === right.kind ||
    (isNumeric(left) && isNumeric(right)) ||
    (isText(left) && isText(right))
  )
}

/** Suits `left` to what `right` is; undefined where it can not. */
function mend(left: Resolved, right: Resolved, site: Site): Pair | undefined {
  const { context } = site.place.work
  const one = (value: Resolved | undefined): Pair | undefined =>
    value === undefined ? undefined : [value, right]
  switch (right.type.kind) {
    case "integer":
    case "float":
      return one(asNumber(left, context) ?? asConstantNumber(left, context))
    case "moment":
      return left.type.kind === "date"
        ? one(applyFunction("toDateTime", [left], site))
        : one(asMoment(left, context))
    case "date":
      return one(asDay(left, context) ?? dayOfLoose(left, site)) ?? asMoments([left, right], site)
    case "boolean":
      if (left.isLoose === true) return [left, booleanText(right)]
      return one(isNumeric(left.type) ? zeroOrOne(left) : asBoolean(left, context))
    case "uuid":
      if (findConstantText(left) !== undefined) return one(asUuid(left, context))
      return isText(left.type) ? [left, applyFunction("toString", [right], site)] : undefined
    default:
      return undefined
  }
}

function dayOfLoose(value: Resolved, site: Site): Resolved | undefined {
  if (value.isLoose !== true) return undefined
  const moment = asMoment(value, site.place.work.context)
  return moment === undefined ? undefined : applyFunction("toDate", [moment], site)
}

/** A day and a written time of day. */
function asMoments([left, right]: Pair, site: Site): Pair | undefined {
  if (findConstantText(left) === undefined) return undefined
  const moment = asMoment(left, site.place.work.context)
  return moment === undefined ? undefined : [moment, applyFunction("toDateTime", [right], site)]
}

/** 1 is true; a number that is not constant is compared with true as 1 by the other side. */
function zeroOrOne(value: Resolved): Resolved | undefined {
  const { expr } = value
  const constant = expr.kind === "value" && expr.value.type === "number" ? expr.value.value : NaN
  if (constant !== 0 && constant !== 1) return undefined
  const truth = { kind: "value", value: { type: "boolean", value: constant === 1 } } as const
  return { expr: truth, type: { kind: "boolean", isNullable: false } }
}
