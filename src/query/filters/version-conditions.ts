/** Comparisons of semantic versions, with the ranges ~, ^ and * as npm reads them. */
import { invalid } from "../../lib/errors.ts"
import { and, call, compare, gte, isNotNull, lt, or, orFalse, text } from "../build.ts"
import type { CompareOperator, Expr } from "../tree.ts"
import type { Condition, Operator } from "./operators.ts"

const COMPARED: Partial<Readonly<Record<Operator, CompareOperator>>> = {
  semver_eq: "=",
  semver_gt: ">",
  semver_gte: ">=",
  semver_lt: "<",
  semver_lte: "<=",
}

export function compileVersionCondition({ stored: given, operator, values }: Condition): Expr {
  const stored = call("semverKey", given.text)
  const conditions = values.map((value) => {
    const compared = COMPARED[operator]
    if (compared === undefined) return inRange(stored, rangeOf(operator, value))
    if (!VERSION.test(value)) throw noVersion(value)
    return compare(compared, stored, call("semverKey", text(value)))
  })
  return orFalse(or(...conditions))
}

const VERSION =
  /^\s*v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?\s*$/
const WILDCARD = /^\s*v?(?:(\d{1,15})\.)?(?:(\d{1,15})\.)?[*xX](?:\.[*xX])*\s*$/

/** At least `low`, and below `high`; without `low` any version. */
interface Range {
  readonly low?: string
  readonly high?: string
}

function inRange(stored: Expr, { low, high }: Range): Expr {
  if (low === undefined || high === undefined) return isNotNull(stored)
  // The lowest pre-release of the upper bound: 2.0.0-beta is not below 2 in this sense.
  const upper = call("semverKey", text(`${high}-0`))
  return and(gte(stored, call("semverKey", text(low))), lt(stored, upper))
}

function rangeOf(operator: Operator, value: string): Range {
  if (operator === "semver_wildcard") return wildcardRange(value)
  const match = VERSION.exec(value.replace(/^\s*[~^]/, ""))
  if (match === null) throw noVersion(value)
  const [, major, minor, patch, prerelease = ""] = match
  const low = `${major}.${minor ?? 0}.${patch ?? 0}${prerelease}`
  const [first, second, third] = [Number(major), Number(minor ?? 0), Number(patch ?? 0)]
  if (minor === undefined) return { low, high: `${first + 1}.0.0` }
  if (operator === "semver_tilde") return { low, high: `${first}.${second + 1}.0` }
  if (first > 0) return { low, high: `${first + 1}.0.0` }
  if (second > 0 || patch === undefined) return { low, high: `0.${second + 1}.0` }
  return { low, high: `0.0.${third + 1}` }
}

function wildcardRange(value: string): Range {
  const match = WILDCARD.exec(value)
  if (match === null) throw noVersion(value)
  const [, major, minor] = match
  if (major === undefined) return {}
  if (minor === undefined) return { low: `${major}.0.0`, high: `${Number(major) + 1}.0.0` }
  return { low: `${major}.${minor}.0`, high: `${major}.${Number(minor) + 1}.0` }
}

function noVersion(value: string) {
  return invalid(
    `"${value.slice(0, 100)}" is no version: write one like 1.2.3, or 1.2.* for the wildcard operator.`,
    "properties",
  )
}
