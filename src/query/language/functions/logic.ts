/** Comparison and logic. Comparisons are true or false, never null. */
import { among, and, boolean, call, compare, isNull, not, or } from "../../build.ts"
import type { CompareOperator, Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { defineGroup } from "./define.ts"
import type { CallParts } from "./function.ts"
import { from, type Lower, NULL } from "./lowering.ts"

export const mayBeNull = (type: Type | undefined): boolean =>
  type === undefined || ("isNullable" in type && type.isNullable)

interface Comparison {
  readonly operator: CompareOperator
  readonly left: Expr
  readonly right: Expr
  /** Of both sides. */
  readonly types: readonly Type[]
}

/**
 * Never null: null equals null alone, and is neither less nor greater than anything. What can not be null is
 * compared plainly, so that engines can use what they know about a column.
 */
function lowerComparison({ operator, left, right, types }: Comparison): Expr {
  const [isLeftNullable, isRightNullable] = [mayBeNull(types[0]), mayBeNull(types[1])]
  const plain = compare(operator, left, right)
  if (!(isLeftNullable || isRightNullable)) return plain
  if (operator === "!=") return not(lowerComparison({ operator: "=", left, right, types }))
  if (operator === "=" && isLeftNullable && isRightNullable) return call("isSame", left, right)
  return call("coalesce", plain, boolean(false))
}

const comparison = (operator: CompareOperator, meaning: string, example: [string, unknown]) => ({
  signature: "(any, any) -> boolean!",
  meaning,
  example,
  lower: ({ args, types }: CallParts) => {
    const [left = NULL, right = NULL] = args
    return lowerComparison({ operator, left, right, types })
  },
})

const isAmong: Lower = ({ args, types }) => {
  const [operand = NULL, list = NULL] = args
  if (list.kind !== "array" && list.kind !== "tuple") {
    return call("coalesce", call("arrayHas", list, operand), boolean(false))
  }
  const values = list.items.flatMap((item) => (item.kind === "value" ? [item.value] : []))
  if (values.length === list.items.length) {
    const isIn = among(
      operand,
      values.filter(({ type }) => type !== "null"),
    )
    const hasNull = values.some(({ type }) => type === "null")
    const known = mayBeNull(types[0]) ? call("coalesce", isIn, boolean(false)) : isIn
    return hasNull ? or(known, isNull(operand)) : known
  }
  return or(...list.items.map((item) => call("isSame", operand, item)))
}

export const LOGIC = defineGroup(
  { group: "Comparison and logic", kind: "scalar" },
  {
    equals: comparison("=", "The same as a = b; null equals null alone.", ["equals(null, 1)", 0]),
    notEquals: comparison("!=", "The same as a != b.", ["notEquals(null, 1)", 1]),
    less: comparison("<", "The same as a < b; false for null.", ["less(1, 2)", 1]),
    lessOrEquals: comparison("<=", "The same as a <= b; false for null.", [
      "lessOrEquals(2, 2)",
      1,
    ]),
    greater: comparison(">", "The same as a > b; false for null.", ["greater(2, 1)", 1]),
    greaterOrEquals: comparison(">=", "The same as a >= b; false for null.", [
      "greaterOrEquals(1, 2)",
      0,
    ]),
    in: {
      signature: "(any, any) -> boolean!",
      meaning: "Whether the value is in an array or a tuple; also a IN b.",
      example: ["in('b', ['a', 'b'])", 1],
      lower: isAmong,
    },
    notIn: {
      signature: "(any, any) -> boolean!",
      meaning: "Whether the value is not in an array or a tuple; also a NOT IN b.",
      example: ["notIn(3, [1, 2])", 1],
      lower: (parts) => not(isAmong(parts)),
    },
    and: {
      signature: "(boolean, boolean...) -> boolean",
      meaning: "Whether all are true.",
      example: ["and(true, 1 = 1, false)", 0],
      lower: from(and),
    },
    or: {
      signature: "(boolean, boolean...) -> boolean",
      meaning: "Whether one is true.",
      example: ["or(false, true)", 1],
      lower: from(or),
    },
    xor: {
      signature: "(boolean, boolean) -> boolean",
      meaning: "Whether exactly one is true.",
      example: ["xor(true, true)", 0],
      lower: from((left = NULL, right = NULL) => compare("!=", left, right)),
    },
    not: {
      signature: "(boolean) -> boolean",
      meaning: "The contrary.",
      example: ["not(1 = 2)", 1],
      lower: from((operand = NULL) => not(operand)),
    },
    isNull: {
      signature: "(any) -> boolean!",
      meaning: "Whether it is null.",
      example: ["isNull(null)", 1],
      lower: from((operand = NULL) => isNull(operand)),
    },
    isNotNull: {
      signature: "(any) -> boolean!",
      meaning: "Whether it is not null.",
      example: ["isNotNull(null)", 0],
      lower: from((operand = NULL) => not(isNull(operand))),
    },
  },
)
