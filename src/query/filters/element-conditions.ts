/**
 * Filters on the elements of an autocaptured event. A condition holds when any element of the chain meets
 * it; negative ones hold when none does. An empty list is met by none.
 */
import { invalid } from "../../lib/errors.ts"
import { and, boolean, call, column, EVENTS, not, or, orFalse, text } from "../build.ts"
import type { Expr } from "../tree.ts"
import type { Operator } from "./operators.ts"
import type { PropertyFilter } from "./parse.ts"
import {
  escapePattern,
  escapeValue,
  escapeWholeValue,
  patternOfSelector,
  patternOfTag,
  VALUE,
} from "./selector.ts"

export function compileElementCondition({ key, operator, values }: PropertyFilter): Expr {
  switch (key) {
    case "selector":
      return anyOrNone(key, operator, values.map(patternOfSelector))
    case "tag_name":
      return anyOrNone(key, operator, values.map(patternOfTag))
    case "href":
    case "text":
      return attributeCondition(key, operator, values)
    default:
      throw invalid(
        `Elements have no "${key}" to filter by: there are selector, tag_name, href and text.`,
        "properties",
      )
  }
}

const chain = column(EVENTS, "elements_chain")
const isFound = (pattern: string): Expr => orFalse(call("matches", chain, text(pattern)))

function anyOrNone(key: string, operator: Operator, patterns: readonly string[]): Expr {
  const any = or(...patterns.map(isFound))
  if (operator === "exact" || operator === "in") return any
  if (operator === "is_not" || operator === "not_in") return not(any)
  throw unfit(key, operator)
}

function attributeCondition(
  key: "href" | "text",
  operator: Operator,
  values: readonly string[],
): Expr {
  const start = `[:"]${key}="`
  const equals = () =>
    or(...values.map((value) => isFound(`${start}${escapePattern(escapeWholeValue(value))}"`)))
  const contains = () => or(...values.map((value) => isFound(`${start}${containing(value)}`)))
  const matches = (pattern: string) => call("elementMatches", chain, text(key), text(pattern))
  switch (operator) {
    case "exact":
    case "in":
      return equals()
    case "is_not":
    case "not_in":
      return not(equals())
    case "icontains":
    case "icontains_multi":
      return contains()
    case "not_icontains":
    case "not_icontains_multi":
      return not(contains())
    case "regex":
      return or(...values.map((pattern) => orFalse(matches(pattern))))
    case "not_regex":
      return and(...values.map((pattern) => matchesNot(matches(pattern), pattern)))
    case "is_set":
      return isFound(start)
    case "is_not_set":
      return not(isFound(start))
    default:
      throw unfit(key, operator)
  }
}

const containing = (part: string): string => `${VALUE}?(?i:${escapePattern(escapeValue(part))})`

/** A pattern that is none matches nothing, in the negative too. */
function matchesNot(matches: Expr, pattern: string): Expr {
  const isPattern = call("matches", chain, text(pattern))
  return and(
    not({ kind: "isNull", operand: isPattern }),
    not(call("coalesce", matches, boolean(false))),
  )
}

function unfit(key: string, operator: Operator) {
  return invalid(`The ${key} of elements cannot be filtered by ${operator}.`, "properties")
}
