/** How tightly operators bind: the higher, the tighter. Shared by the parser and the printer. */
import type { CompareAstOperator } from "./ast.ts"

export const PRECEDENCE = {
  lambda: 0,
  ternary: 1,
  or: 2,
  and: 3,
  not: 4,
  coalesce: 5,
  isNull: 6,
  compare: 7,
  add: 8,
  multiply: 9,
  unary: 10,
  postfix: 11,
} as const

export const COMPARE_SIGNS: ReadonlyMap<string, CompareAstOperator> = new Map<
  string,
  CompareAstOperator
>([
  ["=", "="],
  ["==", "="],
  ["!=", "!="],
  ["<>", "!="],
  ["<", "<"],
  ["<=", "<="],
  [">", ">"],
  [">=", ">="],
  ["~", "regex"],
  ["=~", "regex"],
  ["!~", "not regex"],
  ["~*", "iregex"],
  ["=~*", "iregex"],
  ["!~*", "not iregex"],
])
