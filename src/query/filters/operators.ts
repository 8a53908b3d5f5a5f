/** Every operator a property filter may name, and what a condition made of one is. */
import type { Expr } from "../tree.ts"

const OPERATORS = [
  "exact",
  "is_not",
  "icontains",
  "not_icontains",
  "icontains_multi",
  "not_icontains_multi",
  "regex",
  "not_regex",
  "gt",
  "gte",
  "lt",
  "lte",
  "min",
  "max",
  "between",
  "not_between",
  "in",
  "not_in",
  "is_set",
  "is_not_set",
  "is_date_exact",
  "is_date_before",
  "is_date_after",
  "is_cleaned_path_exact",
  "semver_eq",
  "semver_neq",
  "semver_gt",
  "semver_gte",
  "semver_lt",
  "semver_lte",
  "semver_tilde",
  "semver_caret",
  "semver_wildcard",
] as const

export type Operator = (typeof OPERATORS)[number]

const known: ReadonlySet<unknown> = new Set(OPERATORS)

export function isOperator(value: unknown): value is Operator {
  return known.has(value)
}

/** Operators that ask for no value. */
export const isValueless = (operator: Operator): boolean =>
  operator === "is_set" || operator === "is_not_set"

/** Operators whose values are patterns. */
export const isPattern = (operator: Operator): boolean =>
  operator === "regex" || operator === "not_regex"

/** A rule as projects store it; one whose parts are no texts does nothing. */
export interface PathCleaning {
  readonly regex?: unknown
  readonly alias?: unknown
}

export interface ConditionSettings {
  readonly now: Date
  /** Of the project; meant by dates that name none. */
  readonly timezone: string
  /** Applied in order to both sides of `is_cleaned_path_exact`. */
  readonly pathCleaning?: readonly PathCleaning[]
}

/** What is compared, in the forms that operators ask for. */
export interface Stored {
  readonly text: Expr
  readonly number: Expr
  /** Where it is one, and need not be read out of the text. */
  readonly moment?: Expr
}

export interface Condition {
  readonly stored: Stored
  readonly operator: Operator
  readonly values: readonly string[]
  readonly settings: ConditionSettings
}
