/** Arrays, counted from 1. Nulls are items like others. */
import { and, boolean, call, eq, gt, number } from "../../build.ts"
import { ARRAY_LENGTH_MAX } from "../../functions/arrays.ts"
import type { Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { asNullable, joinTypes } from "./check-types.ts"
import { defineGroup } from "./define.ts"
import type { CallParts, Verdict } from "./function.ts"
import {
  arithmetic,
  arrayOf,
  choose,
  constantNumber,
  from,
  lambda,
  letBe,
  NULL,
  parameter,
  refuse,
  to,
} from "./lowering.ts"

const UNKNOWN: Type = { kind: "unknown", isNullable: true }

/** array(1, 2.5): items of one type. */
function typeOfItems(types: readonly Type[]): Verdict {
  let of: Type = types[0] ?? UNKNOWN
  for (const [argument, type] of types.entries()) {
    const joined = joinTypes(of, type)
    if (joined === undefined) {
      return { problem: "must be of the same type as the other items", argument }
    }
    of = argument === 0 ? type : joined
  }
  return { type: { kind: "array", of } }
}

function lowerRange({ args }: { readonly args: readonly Expr[] }): Expr {
  const [first = NULL, second, step = number(1)] = args
  const [start, end] = second === undefined ? [number(0), first] : [first, second]
  const [low, high, by] = [start, end, step].map(constantNumber)
  if (by !== undefined && by <= 0) refuse("The step of a range must be above 0.")
  if (low !== undefined && high !== undefined && (high - low) / (by ?? 1) > ARRAY_LENGTH_MAX) {
    refuse(`A range can have ${ARRAY_LENGTH_MAX} numbers at most.`)
  }
  return call("range", start, end, step)
}

const item = parameter("·item")
const eachItem = (body: Expr): Expr => lambda(["·item"], body)

const hasAll = (array: Expr, wanted: Expr): Expr =>
  letBe(array, "array", (known) => {
    const missing = { kind: "not", operand: call("arrayHas", known, item) } as const
    return eq(call("arrayLength", call("arrayFilter", eachItem(missing), wanted)), number(0))
  })

const hasAny = (array: Expr, wanted: Expr): Expr =>
  letBe(array, "array", (known) => {
    const found = call("arrayFilter", eachItem(call("arrayHas", known, item)), wanted)
    return gt(call("arrayLength", found), number(0))
  })

const place = parameter("·place")
const placesOf = (array: Expr): Expr =>
  call("range", number(1), arithmetic(call("arrayLength", array), "+", number(1)), number(1))

const hasRun = (array: Expr, wanted: Expr): Expr =>
  letBe(array, "array", (known) =>
    letBe(wanted, "wanted", (run) => {
      const part = call("arraySlice", known, place, call("arrayLength", run))
      const found = call("arrayFilter", lambda(["·place"], eq(part, run)), placesOf(known))
      const isFound = gt(call("arrayLength", found), number(0))
      return choose(eq(call("arrayLength", run), number(0)), boolean(true), isFound)
    }),
  )

const enumerateUniq = (array: Expr): Expr =>
  letBe(array, "array", (known) => {
    const before = call("arraySlice", known, number(1), place)
    const isEqual = eachItem(call("isSame", item, call("arrayElement", known, place)))
    const count = call("arrayLength", call("arrayFilter", isEqual, before))
    return call("arrayMap", lambda(["·place"], count), placesOf(known))
  })

const intersect = from((...arrays) => {
  const [first = NULL, ...others] = arrays
  const isInAll = and(...others.map((other) => call("arrayHas", other, item)))
  return call("arrayFilter", eachItem(isInAll), call("arrayDistinct", first))
})

const INDEXES: ReadonlySet<Type["kind"]> = new Set(["integer", "float", "null", "unknown"])

function typeOfElement([container = UNKNOWN, index = UNKNOWN]: readonly Type[]): Verdict {
  switch (container.kind) {
    case "array":
      if (!INDEXES.has(index.kind)) return { problem: "must be a whole number", argument: 1 }
      return { type: asNullable(container.of) }
    case "map":
      if (joinTypes(container.key, index) !== undefined)
        return { type: asNullable(container.value) }
      return { problem: "must be of the type of the keys", argument: 1 }
    case "null":
    case "unknown":
      return { type: UNKNOWN }
    default:
      return { problem: `must be an array or a map, not ${container.kind}`, argument: 0 }
  }
}

const lowerElement = ({ args: [container = NULL, index = NULL], types }: CallParts): Expr =>
  call(types[0]?.kind === "map" ? "mapElement" : "arrayElement", container, index)

export const ARRAYS = defineGroup(
  { group: "Arrays", kind: "scalar" },
  {
    array: {
      signature: "(any...) -> array(any)",
      meaning: "The array of the arguments; also [a, b].",
      example: ["array(1, 2)", [1, 2]],
      typeOf: typeOfItems,
      lower: from((...items) => arrayOf(...items)),
    },
    range: {
      signature: "(integer, integer?, integer?) -> array(integer)",
      meaning: `range(end), range(start, end) or range(start, end, step): whole numbers without the end, at most ${ARRAY_LENGTH_MAX}.`,
      example: ["range(1, 4)", [1, 2, 3]],
      lower: lowerRange,
    },
    arrayElement: {
      typeOf: typeOfElement,
      lower: lowerElement,
      signature: "(any, any) -> any",
      meaning:
        "The item of an array at a place, negative ones counting from the end, or the value of a map at a key; null if there is none. Also a[n].",
      example: ["arrayElement([10, 20], -1)", 20],
    },
    has: {
      signature: "(array(T), T) -> boolean",
      meaning: "Whether the array has the item.",
      example: ["has([1, 2], 2)", 1],
      lower: to("arrayHas"),
    },
    hasAll: {
      signature: "(array(T), array(T)) -> boolean",
      meaning: "Whether the first array has all items of the second.",
      example: ["hasAll([1, 2], [2, 3])", 0],
      lower: from((array = NULL, wanted = NULL) => hasAll(array, wanted)),
    },
    hasAny: {
      signature: "(array(T), array(T)) -> boolean",
      meaning: "Whether the first array has an item of the second.",
      example: ["hasAny([1, 2], [2, 3])", 1],
      lower: from((array = NULL, wanted = NULL) => hasAny(array, wanted)),
    },
    indexOf: {
      signature: "(array(T), T) -> integer",
      meaning: "The place of the first such item, or 0.",
      example: ["indexOf(['a', 'b'], 'b')", 2],
      lower: to("arrayIndexOf"),
    },
    countEqual: {
      signature: "(array(T), T) -> integer",
      meaning: "How many such items there are.",
      example: ["countEqual([1, 2, 1], 1)", 2],
      lower: from((array = NULL, value = NULL) =>
        call("arrayLength", call("arrayFilter", eachItem(call("isSame", item, value)), array)),
      ),
    },
    arrayUniq: {
      signature: "(array(T)) -> integer",
      meaning: "How many different items that are not null.",
      example: ["arrayUniq([3, 1, 3])", 2],
      lower: from((array = NULL) => call("arrayLength", call("arrayDistinct", array))),
    },
    hasSubstr: {
      signature: "(array(T), array(T)) -> boolean",
      meaning: "Whether the items of the second array stand in the first, one after another.",
      example: ["hasSubstr([1, 2, 3], [2, 3])", 1],
      lower: from((array = NULL, wanted = NULL) => hasRun(array, wanted)),
    },
    arrayEnumerateUniq: {
      signature: "(array(T)) -> array(integer)",
      meaning: "At each place, how many items up to it are the same.",
      example: ["arrayEnumerateUniq([5, 6, 5])", [1, 1, 2]],
      lower: from((array = NULL) => enumerateUniq(array)),
    },
    arrayIntersect: {
      signature: "(array(T), array(T)...) -> array(T)",
      meaning: "The different items that all arrays have, in the order of the first.",
      example: ["arrayIntersect([1, 2, 3], [3, 1])", [1, 3]],
      lower: intersect,
    },
  },
)
