/** Values as the types that their surroundings want. */
import { boolean, call, compare, eq, not, number, text, timestamp, uuid } from "../build.ts"
import { type DateInput, parseDateInput } from "../dates.ts"
import type { Expr } from "../tree.ts"
import type { ScalarKind, Type } from "../types.ts"
import { findConstantText, isNullable, type LanguageContext, type Resolved } from "./resolving.ts"

type Coercion = (value: Resolved, context: LanguageContext) => Resolved | undefined

const scalar = (kind: ScalarKind, nullable: boolean): Type => ({ kind, isNullable: nullable })

/** A property as the number it spells, true as 1. */
export const asNumber: Coercion = (value) => {
  const { expr, type } = value
  if (type.kind === "integer" || type.kind === "float") return value
  if (type.kind === "boolean") return asInteger(value)
  if (value.isLoose !== true) return undefined
  const read: Expr =
    expr.kind === "property" ? { ...expr, as: "number" } : call("parseNumber", expr)
  return { expr: read, type: scalar("float", true) }
}

/** A property, or a constant, as the moment it spells. */
export const asMoment: Coercion = (value, { timezone, now }) => {
  if (value.type.kind === "moment") return value
  if (value.isLoose === true) {
    const expr = call("parseMoment", value.expr, text(timezone))
    return { expr, type: scalar("moment", true) }
  }
  const constant = findConstantText(value)
  if (constant === undefined) return undefined
  const date = findDate(constant, { timezone, now })
  return date === undefined
    ? undefined
    : { expr: timestamp(date.time), type: scalar("moment", false) }
}

export const asDay: Coercion = (value) => {
  const constant = findConstantText(value)
  if (constant === undefined || !DAY.test(constant.trim())) return undefined
  const day = constant.trim()
  const isDay = findDate(day, { timezone: "UTC", now: new Date(0) }) !== undefined
  const expr: Expr = { kind: "value", value: { type: "date", value: day } }
  return isDay ? { expr, type: scalar("date", false) } : undefined
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** What reads as true or false. */
export const asBoolean: Coercion = (value) => {
  const { expr, type } = value
  if (type.kind === "boolean") return value
  if (type.kind === "integer" || type.kind === "float") {
    const isNot = compare("!=", expr, number(0))
    return { expr: isNot, type: scalar("boolean", isNullable(type)) }
  }
  const constant = findConstantText(value)
  if (constant === "true" || constant === "false") {
    return { expr: boolean(constant === "true"), type: scalar("boolean", false) }
  }
  if (value.isLoose !== true) return undefined
  const read: Expr = expr.kind === "property" ? { ...expr, as: "boolean" } : spelledBoolean(expr)
  return { expr: read, type: scalar("boolean", true) }
}

function spelledBoolean(spelled: Expr): Expr {
  return {
    kind: "case",
    branches: [
      { when: eq(spelled, text("true")), result: boolean(true) },
      { when: eq(spelled, text("false")), result: boolean(false) },
    ],
    otherwise: { kind: "value", value: { type: "null" } },
  }
}

/** true is 1. */
export function asInteger({ expr, type }: Resolved): Resolved | undefined {
  if (type.kind !== "boolean") return undefined
  if (expr.kind === "value" && expr.value.type === "boolean") {
    return { expr: number(expr.value.value ? 1 : 0), type: scalar("integer", false) }
  }
  return {
    expr: chooseBy(expr, {
      whenTrue: number(1),
      whenFalse: number(0),
      isNullable: type.isNullable,
    }),
    type: scalar("integer", type.isNullable),
  }
}

const NULL: Expr = { kind: "value", value: { type: "null" } }

/** true as the text true. */
export function booleanText({ expr, type }: Resolved): Resolved {
  if (expr.kind === "value" && expr.value.type === "boolean") {
    return { expr: text(String(expr.value.value)), type: scalar("text", false) }
  }
  const isNull = isNullable(type)
  const words = { whenTrue: text("true"), whenFalse: text("false"), isNullable: isNull }
  return { expr: chooseBy(expr, words), type: scalar("text", isNull) }
}

interface Choice {
  readonly whenTrue: Expr
  readonly whenFalse: Expr
  readonly isNullable: boolean
}

function chooseBy(condition: Expr, { whenTrue, whenFalse, isNullable: isNull }: Choice): Expr {
  const isTrue = { when: condition, result: whenTrue }
  if (!isNull) return { kind: "case", branches: [isTrue], otherwise: whenFalse }
  const isFalse = { when: not(condition), result: whenFalse }
  return { kind: "case", branches: [isTrue, isFalse], otherwise: NULL }
}

/** A constant text as the number it spells. */
export const asConstantNumber: Coercion = (value) => {
  const constant = findConstantText(value)
  if (constant === undefined || !NUMBER.test(constant)) return undefined
  const parsed = Number(constant)
  const kind = Number.isSafeInteger(parsed) ? "integer" : "float"
  return { expr: number(parsed), type: scalar(kind, false) }
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?$/

export const asUuid: Coercion = (value) => {
  const constant = findConstantText(value)
  if (constant === undefined || !UUID.test(constant)) return undefined
  return { expr: uuid(constant.toLowerCase()), type: scalar("uuid", false) }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What a written date means; "-7d" and the like belong to filters. */
function findDate(
  written: string,
  { timezone, now }: Pick<LanguageContext, "timezone" | "now">,
): DateInput | undefined {
  try {
    const date = parseDateInput(written, { timezone, now, truncate: false })
    return date.isRelative ? undefined : date
  } catch {
    return undefined
  }
}
