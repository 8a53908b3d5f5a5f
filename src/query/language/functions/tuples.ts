/** Tuples and maps. */
import { call, number } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { joinTypes } from "./check-types.ts"
import { type Definition, defineGroup } from "./define.ts"
import type { CallParts, Verdict } from "./function.ts"
import {
  argOf,
  arithmetic,
  constantNumber,
  from,
  itemOf,
  letBe,
  NULL,
  refuse,
  tupleOf,
} from "./lowering.ts"

const UNKNOWN: Type = { kind: "unknown", isNullable: true }

function itemsOf(type: Type | undefined): readonly Type[] {
  return type?.kind === "tuple" ? type.items : []
}

/** An index is a constant, which types do not tell: the answer has the one type of all items, or any. */
function typeOfElement([tuple]: readonly Type[]): Verdict {
  const items = itemsOf(tuple)
  const joined = items.reduce<Type | undefined>(
    (all, item) => (all === undefined ? undefined : joinTypes(all, item)),
    items[0],
  )
  return { type: joined ?? UNKNOWN }
}

function lowerElement(parts: CallParts): Expr {
  const index = constantNumber(parts.args[1])
  const count = itemsOf(parts.types[0]).length
  if (index === undefined || !Number.isInteger(index) || index < 1 || index > count) {
    return refuse(`The place in the tuple must be a constant from 1 to ${count}.`)
  }
  return itemOf(argOf(parts, 0), index)
}

type Operator = "+" | "-" | "*" | "/"

const pairwise = (operator: Operator, example: Definition["example"]): Definition => ({
  signature: "(tuple, tuple) -> tuple",
  meaning: `Item ${operator} item.`,
  ...(example === undefined ? {} : { example }),
  typeOf: ([left, right]) => {
    const isLong = itemsOf(left).length === itemsOf(right).length
    return isLong && left !== undefined
      ? { type: left }
      : { problem: "must have as many items as the first", argument: 1 }
  },
  lower: ({ args: [left = NULL, right = NULL], types }) =>
    letBe(left, "left", (a) =>
      letBe(right, "right", (b) =>
        tupleOf(
          ...itemsOf(types[0]).map((_, index) =>
            arithmetic(itemOf(a, index + 1), operator, itemOf(b, index + 1)),
          ),
        ),
      ),
    ),
})

const byNumber = (operator: Operator, example: readonly [string, unknown]): Definition => ({
  signature: "(tuple, number) -> tuple",
  meaning: `Every item ${operator} the number.`,
  example,
  typeOf: ([type]) => ({ type: type ?? UNKNOWN }),
  lower: ({ args: [value = NULL, by = NULL], types }) =>
    letBe(value, "value", (known) =>
      tupleOf(
        ...itemsOf(types[0]).map((_, index) => arithmetic(itemOf(known, index + 1), operator, by)),
      ),
    ),
})

const dotProduct = ({ args: [left = NULL, right = NULL], types }: CallParts): Expr =>
  letBe(left, "left", (a) =>
    letBe(right, "right", (b) =>
      itemsOf(types[0])
        .map((_, index) => arithmetic(itemOf(a, index + 1), "*", itemOf(b, index + 1)))
        .reduce((sum, term) => arithmetic(sum, "+", term), number(0)),
    ),
  )

function typeOfMap(types: readonly Type[]): Verdict {
  if (types.length % 2 === 1) {
    return { problem: "must be followed by a value", argument: types.length - 1 }
  }
  const joined = (start: number) =>
    types
      .filter((_, index) => index % 2 === start)
      .reduce<Type | undefined>((all, type) => all && joinTypes(all, type), types[start] ?? UNKNOWN)
  const [key, value] = [joined(0), joined(1)]
  if (key === undefined || value === undefined) {
    return { problem: "must be of the same type as those before", argument: types.length - 1 }
  }
  return { type: { kind: "map", key, value } }
}

export const TUPLES = defineGroup(
  { group: "Tuples and maps", kind: "scalar" },
  {
    tuple: {
      signature: "(any, any...) -> tuple",
      meaning: "The tuple of the arguments; also (a, b).",
      example: ["tuple(1, 'a')", [1, "a"]],
      typeOf: (types) => ({ type: { kind: "tuple", items: types } }),
      lower: from((...items) => tupleOf(...items)),
    },
    tupleElement: {
      signature: "(tuple, integer) -> any",
      meaning: "The item at a constant place, from 1; also t.1.",
      example: ["tupleElement((1, 'a'), 2)", "a"],
      typeOf: typeOfElement,
      lower: lowerElement,
    },
    tuplePlus: pairwise("+", ["tuplePlus((1, 2), (3, 4))", [4, 6]]),
    tupleMinus: pairwise("-", ["tupleMinus((3, 4), (1, 2))", [2, 2]]),
    tupleMultiply: pairwise("*", ["tupleMultiply((1, 2), (3, 4))", [3, 8]]),
    tupleDivide: pairwise("/", ["tupleDivide((3, 4), (2, 2))", [1.5, 2]]),
    tupleNegate: {
      signature: "(tuple) -> tuple",
      meaning: "Every item with the other sign.",
      example: ["tupleNegate((1, -2))", [-1, 2]],
      typeOf: ([type]) => ({ type: type ?? UNKNOWN }),
      lower: ({ args: [value = NULL], types }) =>
        letBe(value, "value", (known) =>
          tupleOf(
            ...itemsOf(types[0]).map((_, index) =>
              arithmetic(number(0), "-", itemOf(known, index + 1)),
            ),
          ),
        ),
    },
    tupleMultiplyByNumber: byNumber("*", ["tupleMultiplyByNumber((1, 2), 3)", [3, 6]]),
    tupleDivideByNumber: byNumber("/", ["tupleDivideByNumber((1, 2), 2)", [0.5, 1]]),
    dotProduct: {
      signature: "(tuple, tuple) -> number",
      meaning: "The sum of item times item.",
      example: ["dotProduct((1, 2), (3, 4))", 11],
      typeOf: ([left, right]) =>
        itemsOf(left).length === itemsOf(right).length
          ? { type: itemsOf(left)[0] ?? UNKNOWN }
          : { problem: "must have as many items as the first", argument: 1 },
      lower: dotProduct,
    },
    map: {
      signature: "(any...) -> map(any, any)",
      meaning: "A map of keys, each followed by its value; the last of equal keys counts.",
      example: ["map('a', 1, 'b', 2)", { a: 1, b: 2 }],
      typeOf: typeOfMap,
      lower: from((...items) => call("mapOf", ...items)),
    },
    mapFromArrays: {
      signature: "(array(T), array(U)) -> map(T, U)",
      meaning: "A map of an array of keys and one of values.",
      example: ["mapFromArrays(['a'], [1])", { a: 1 }],
    },
    mapKeys: {
      signature: "(map(T, U)) -> array(T)",
      meaning: "The keys.",
      example: ["mapKeys(map('a', 1))", ["a"]],
    },
    mapValues: {
      signature: "(map(T, U)) -> array(U)",
      meaning: "The values, in the order of the keys.",
      example: ["mapValues(map('a', 1))", [1]],
    },
    mapContains: {
      signature: "(map(T, U), T) -> boolean",
      meaning: "Whether the map has the key.",
      example: ["mapContains(map('a', 1), 'b')", 0],
      lower: from((map = NULL, key = NULL) => call("arrayHas", call("mapKeys", map), key)),
    },
    mapElement: {
      signature: "(map(T, U), T) -> U?",
      meaning: "The value at a key, or null; also m['key'].",
      example: ["mapElement(map('a', 1), 'a')", 1],
    },
  },
)
