/**
 * What each operator asks of one property. Positive conditions are true or false, never unknown, and false
 * for a missing property; a negative one is the opposite of its positive twin, hence true for a missing one.
 */
import {
  amongTexts,
  and,
  boolean,
  call,
  compare,
  eq,
  gte,
  isNotNull,
  lte,
  not,
  number,
  or,
  orFalse,
  text,
} from "../build.ts"
import type { CompareOperator, Expr } from "../tree.ts"
import { compileDateCondition } from "./date-conditions.ts"
import type { Condition, Operator } from "./operators.ts"
import { compileVersionCondition } from "./version-conditions.ts"

type Compile = (condition: Condition) => Expr

const COMPILERS: Readonly<Record<Operator, Compile>> = {
  exact: (condition) => exact(condition),
  is_not: (condition) => not(exact(condition)),
  in: (condition) => exact(condition),
  not_in: (condition) => not(exact(condition)),
  icontains: (condition) => contains(condition),
  not_icontains: (condition) => not(contains(condition)),
  icontains_multi: (condition) => contains(condition),
  not_icontains_multi: (condition) => not(contains(condition)),
  regex: ({ stored, values }) =>
    or(...values.map((pattern) => orFalse(call("matches", stored.text, text(pattern))))),
  not_regex: ({ stored, values }) =>
    and(...values.map((pattern) => matchesNot(stored.text, pattern))),
  gt: (condition) => numeric(">", condition),
  gte: (condition) => numeric(">=", condition),
  lt: (condition) => numeric("<", condition),
  lte: (condition) => numeric("<=", condition),
  min: (condition) => numeric(">=", condition),
  max: (condition) => numeric("<=", condition),
  between: (condition) => between(condition),
  not_between: (condition) => not(between(condition)),
  is_set: ({ stored }) => isNotNull(stored.text),
  is_not_set: ({ stored }) => not(isNotNull(stored.text)),
  is_date_exact: compileDateCondition,
  is_date_before: compileDateCondition,
  is_date_after: compileDateCondition,
  is_cleaned_path_exact: cleanedPath,
  semver_eq: compileVersionCondition,
  semver_neq: (condition) => not(compileVersionCondition({ ...condition, operator: "semver_eq" })),
  semver_gt: compileVersionCondition,
  semver_gte: compileVersionCondition,
  semver_lt: compileVersionCondition,
  semver_lte: compileVersionCondition,
  semver_tilde: compileVersionCondition,
  semver_caret: compileVersionCondition,
  semver_wildcard: compileVersionCondition,
}

/** A condition that compares with an empty list asks for nothing, and is true. */
export function compileCondition(condition: Condition): Expr {
  const { operator, values } = condition
  if (values.length === 0 && operator !== "is_set" && operator !== "is_not_set")
    return boolean(true)
  return COMPILERS[operator](condition)
}

function exact({ stored, values }: Condition): Expr {
  const [first = ""] = values
  const known = stored.text
  return orFalse(values.length === 1 ? eq(known, text(first)) : amongTexts(known, values))
}

function contains({ stored, values }: Condition): Expr {
  const lowered = call("lower", stored.text)
  const found = values.map((part) => call("contains", lowered, call("lower", text(part))))
  return orFalse(or(...found))
}

/**
 * A pattern that is none matches nothing, in the negative too. It is told from a missing property by
 * trying it on the empty text.
 */
function matchesNot(stored: Expr, pattern: string): Expr {
  const matches = call("matches", call("coalesce", stored, text("")), text(pattern))
  return {
    kind: "case",
    branches: [
      { when: not(isNotNull(matches)), result: boolean(false) },
      { when: isNotNull(stored), result: not(matches) },
    ],
    otherwise: boolean(true),
  }
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/

function findNumber(value: string | undefined): number | undefined {
  if (value === undefined || !NUMBER.test(value)) return undefined
  const parsed = Number(value)
  return Number.isFinite(parsed) ? parsed : undefined
}

function numeric(operator: CompareOperator, { stored, values }: Condition): Expr {
  const wanted = values.map(findNumber).filter((value) => value !== undefined)
  return orFalse(or(...wanted.map((value) => compare(operator, stored.number, number(value)))))
}

function between({ stored, values: [low, high] }: Condition): Expr {
  const [least, most] = [findNumber(low), findNumber(high)]
  if (least === undefined || most === undefined) return boolean(false)
  return orFalse(and(gte(stored.number, number(least)), lte(stored.number, number(most))))
}

function cleanedPath({ stored, values, settings }: Condition): Expr {
  const clean = (path: Expr) =>
    (settings.pathCleaning ?? []).reduce<Expr>(
      (cleaned, { regex, alias }) =>
        typeof regex === "string" && typeof alias === "string"
          ? call("replaceMatches", cleaned, text(regex), text(alias))
          : cleaned,
      path,
    )
  const cleaned = clean(stored.text)
  return orFalse(or(...values.map((path) => eq(cleaned, clean(text(path))))))
}
