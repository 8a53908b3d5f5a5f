/** Choices, and what to take for null. */
import { call, compare } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { joinTypes } from "./check-types.ts"
import { defineGroup } from "./define.ts"
import type { CallParts, Verdict } from "./function.ts"
import { mayBeNull } from "./logic.ts"
import { choose, from, NULL, to } from "./lowering.ts"

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

export const CHOICES = defineGroup(
  { group: "Choices and nulls", kind: "scalar" },
  {
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
