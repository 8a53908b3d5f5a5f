/** Comparison, logic, nulls and choices. Comparisons are true or false, never null. */
import { among, and, boolean, call, compare, isNull, not, or } from "../../build.ts"
import type { CompareOperator, Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { joinTypes } from "./check-types.ts"
import { defineGroup } from "./define.ts"
import type { CallParts, Verdict } from "./function.ts"
import { choose, from, type Lower, NULL, to } from "./lowering.ts"

const mayBeNull = (type: Type | undefined): boolean =>
  type === undefined || ("isNullable" in type && type.isNullable)

export interface Comparison {
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
export function lowerComparison({ operator, left, right, types }: Comparison): Expr {
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

/** The one type of the results of a choice. */
function joined(types: readonly Type[], argumentOf: (index: number) => number): Verdict {
  let type: Type | undefined
  for (const [index, next] of types.entries()) {
    type = index === 0 ? next : type && joinTypes(type, next)
    if (type === undefined) {
      return {
        problem: "must be of the same type as the other results",
        argument: argumentOf(index),
      }
    }
  }
  return { type: type ?? { kind: "null", isNullable: true } }
}

const NULL_TYPE: Type = { kind: "null", isNullable: true }

/** multiIf(condition, result, condition, result, otherwise). */
function typeOfMultiIf(types: readonly Type[]): Verdict {
  if (types.length % 2 === 0) {
    return { problem: "must be followed by a result", argument: types.length - 1 }
  }
  const conditions = types.slice(0, -1).filter((_, index) => index % 2 === 0)
  const odd = conditions.findIndex(
    ({ kind }) => kind !== "boolean" && kind !== "null" && kind !== "unknown",
  )
  if (odd >= 0) return { problem: "must be boolean", argument: odd * 2 }
  const results = types.filter((_, index) => index % 2 === 1 || index === types.length - 1)
  return joined(results, (index) => Math.min(index * 2 + 1, types.length - 1))
}

function lowerMultiIf({ args }: CallParts): Expr {
  const branches = Array.from({ length: Math.floor(args.length / 2) }, (_, index) => ({
    when: args[index * 2] ?? NULL,
    result: args[index * 2 + 1] ?? NULL,
  }))
  return { kind: "case", branches, otherwise: args.at(-1) ?? NULL }
}

/** Null only if all may be. */
function typeOfCoalesce(types: readonly Type[]): Verdict {
  const verdict = joined(types, (index) => index)
  if ("problem" in verdict || !("isNullable" in verdict.type)) return verdict
  return { type: { ...verdict.type, isNullable: types.every(mayBeNull) } }
}

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

const typeOfTransform = (types: readonly Type[]): Verdict => {
  const [, , results, otherwise = NULL_TYPE] = types
  if (results?.kind !== "array") return { type: otherwise }
  return joined([results.of, otherwise], () => 3)
}

function lowerTransform({ args }: CallParts): Expr {
  const [operand = NULL, keys = NULL, results = NULL, otherwise = operand] = args
  const place = call("arrayIndexOf", keys, operand)
  return choose(
    compare(">", place, { kind: "value", value: { type: "number", value: 0 } }),
    call("arrayElement", results, place),
    otherwise,
  )
}

export const LOGIC = defineGroup(
  { group: "Comparison, logic and nulls", kind: "scalar" },
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
      meaning: "Whether the value is in an array or a tuple, null as null.",
      example: ["in('b', ['a', 'b'])", 1],
      lower: isAmong,
    },
    notIn: {
      signature: "(any, any) -> boolean!",
      meaning: "Whether the value is not in an array or a tuple.",
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
    if: {
      signature: "(boolean, any, any) -> any",
      meaning: "The second argument if the first is true, else the third.",
      example: ["if(2 > 1, 'yes', 'no')", "yes"],
      typeOf: (types) => joined(types.slice(1), (index) => index + 1),
      lower: from((when = NULL, result = NULL, otherwise = NULL) =>
        choose(when, result, otherwise),
      ),
    },
    multiIf: {
      signature: "(boolean, any, any...) -> any",
      meaning: "The result after the first condition that is true, else the last argument.",
      example: ["multiIf(1 = 2, 'a', 2 = 2, 'b', 'c')", "b"],
      typeOf: typeOfMultiIf,
      lower: lowerMultiIf,
    },
    coalesce: {
      signature: "(any, any...) -> any",
      meaning: "The first argument that is not null.",
      example: ["coalesce(null, 'a', 'b')", "a"],
      typeOf: typeOfCoalesce,
    },
    ifNull: {
      signature: "(any, any) -> any",
      meaning: "The first argument, or the second if that is null; also written a ?? b.",
      example: ["ifNull(null, 1)", 1],
      typeOf: typeOfCoalesce,
      lower: to("coalesce"),
    },
    nullIf: {
      signature: "(T, T) -> T?",
      meaning: "Null if both are equal, else the first.",
      example: ["nullIf(0, 0)", null],
      lower: from((left = NULL, right = NULL) => choose(compare("=", left, right), NULL, left)),
    },
    assumeNotNull: {
      signature: "(T) -> T!",
      meaning: "The value itself, said to be never null.",
      example: ["assumeNotNull(5)", 5],
      lower: from((operand = NULL) => operand),
    },
    toNullable: {
      signature: "(T) -> T?",
      meaning: "The value itself, said to be null perhaps.",
      example: ["toNullable(5)", 5],
      lower: from((operand = NULL) => operand),
    },
    least: {
      signature: "(T, T...) -> T",
      meaning: "The smallest argument that is not null.",
      example: ["least(3, null, 2)", 2],
    },
    greatest: {
      signature: "(T, T...) -> T",
      meaning: "The largest argument that is not null.",
      example: ["greatest(3, null, 2)", 3],
    },
    min2: {
      signature: "(T, T) -> T",
      meaning: "The smaller of two.",
      example: ["min2(1, 2)", 1],
      lower: to("least"),
    },
    max2: {
      signature: "(T, T) -> T",
      meaning: "The larger of two.",
      example: ["max2(1, 2)", 2],
      lower: to("greatest"),
    },
    transform: {
      signature: "(T, array(T), array(U), U?) -> U?",
      meaning:
        "The item of the third argument at the place where the second has the value; else the fourth argument, or " +
        "the value itself.",
      example: ["transform('de', ['de', 'fr'], ['Germany', 'France'], 'other')", "Germany"],
      typeOf: typeOfTransform,
      lower: lowerTransform,
    },
  },
)
