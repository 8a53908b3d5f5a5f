/** Arrays made out of arrays. */
import { call, eq, lte, number } from "../../build.ts"
import { ARRAY_LENGTH_MAX } from "../../functions/arrays.ts"
import type { Expr } from "../../tree.ts"
import { defineGroup } from "./define.ts"
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
} from "./lowering.ts"

/** At each place from the second on, something of the item and the one before. */
const place = parameter("·place")

function withBefore(array: Expr, body: (now: Expr, before: Expr) => Expr, first: Expr): Expr {
  return letBe(array, "array", (known) => {
    const at = (index: Expr) => call("arrayElement", known, index)
    const made = body(at(place), at(arithmetic(place, "-", number(1))))
    const places = call("range", number(1), lengthPlus(known, 1), number(1))
    return call("arrayMap", lambda(["·place"], choose(lte(place, number(1)), first, made)), places)
  })
}

const compact = from((array = NULL) =>
  letBe(array, "array", (known) => {
    const at = (index: Expr) => call("arrayElement", known, index)
    const before = at(arithmetic(place, "-", number(1)))
    const isNew = { kind: "not", operand: call("isSame", at(place), before) } as const
    const kept = call(
      "arrayFilter",
      lambda(["·place"], { kind: "or", operands: [eq(place, number(1)), isNew] }),
      call("range", number(1), lengthPlus(known, 1), number(1)),
    )
    return call("arrayMap", lambda(["·place"], at(place)), kept)
  }),
)

function lowerResize({ args }: { readonly args: readonly Expr[] }): Expr {
  const [array = NULL, size = NULL, fill = NULL] = args
  const known = constantNumber(size)
  if (known !== undefined && !(known >= 0 && known <= ARRAY_LENGTH_MAX)) {
    refuse(`An array can be resized to 0 to ${ARRAY_LENGTH_MAX} items, not ${known}.`)
  }
  return letBe(array, "array", (items) => {
    const missing = call("range", call("arrayLength", items), size, number(1))
    const filled = call("arrayMap", lambda(["·place"], fill), missing)
    return call(
      "arraySlice",
      call("arrayConcat", items, filled),
      number(1),
      call("least", size, number(ARRAY_LENGTH_MAX)),
    )
  })
}

const lengthPlus = (array: Expr, count: number): Expr =>
  arithmetic(call("arrayLength", array), "+", number(count))

export const ARRAY_EDITS = defineGroup(
  { group: "Arrays changed", kind: "scalar" },
  {
    arrayConcat: {
      signature: "(array(T), array(T)...) -> array(T)",
      meaning: "The items of all arrays, one after another.",
      example: ["arrayConcat([1], [2, 3])", [1, 2, 3]],
    },
    arrayPushBack: {
      signature: "(array(T), T) -> array(T)",
      meaning: "With one more item at the end.",
      example: ["arrayPushBack([1], 2)", [1, 2]],
      lower: from((array = NULL, value = NULL) => call("arrayConcat", array, arrayOf(value))),
    },
    arrayPushFront: {
      signature: "(array(T), T) -> array(T)",
      meaning: "With one more item at the start.",
      example: ["arrayPushFront([1], 2)", [2, 1]],
      lower: from((array = NULL, value = NULL) => call("arrayConcat", arrayOf(value), array)),
    },
    arrayPopBack: {
      signature: "(array(T)) -> array(T)",
      meaning: "Without the last item.",
      example: ["arrayPopBack([1, 2])", [1]],
      lower: from((array = NULL) =>
        letBe(array, "array", (known) =>
          call("arraySlice", known, number(1), lengthPlus(known, -1)),
        ),
      ),
    },
    arrayPopFront: {
      signature: "(array(T)) -> array(T)",
      meaning: "Without the first item.",
      example: ["arrayPopFront([1, 2])", [2]],
      lower: from((array = NULL) => call("arraySlice", array, number(2), NULL)),
    },
    arraySlice: {
      signature: "(array(T), integer, integer?) -> array(T)",
      meaning:
        "So many items, or all that follow, from a place on; negative places count from the end.",
      example: ["arraySlice([1, 2, 3, 4], 2, 2)", [2, 3]],
      lower: from((array = NULL, start = NULL, length = NULL) =>
        call("arraySlice", array, start, length),
      ),
    },
    arrayResize: {
      signature: "(array(T), integer, T?) -> array(T)",
      meaning: `Cut or filled up at its end with an item (null) to a length of at most ${ARRAY_LENGTH_MAX}.`,
      example: ["arrayResize([1], 3, 0)", [1, 0, 0]],
      lower: lowerResize,
    },
    arrayReverse: {
      signature: "(array(T)) -> array(T)",
      meaning: "From last to first.",
      example: ["arrayReverse([1, 2])", [2, 1]],
    },
    arrayDistinct: {
      signature: "(array(T)) -> array(T)",
      meaning: "Each item that is not null once, in order of the first of its kind.",
      example: ["arrayDistinct([3, 1, 3])", [3, 1]],
    },
    arrayFlatten: {
      signature: "(array(array(T))) -> array(T)",
      meaning: "The items of the arrays in an array, one level.",
      example: ["arrayFlatten([[1], [2, 3]])", [1, 2, 3]],
    },
    arrayCompact: {
      signature: "(array(T)) -> array(T)",
      meaning: "Without items equal to the one before.",
      example: ["arrayCompact([1, 1, 2, 1])", [1, 2, 1]],
      lower: compact,
    },
    arrayZip: {
      signature: "(array(T), array(U)) -> array(tuple(T, U))",
      meaning: "Tuples of the items at the same place, as many as the shorter array has.",
      example: [
        "arrayZip([1, 2], ['a', 'b'])",
        [
          [1, "a"],
          [2, "b"],
        ],
      ],
    },
    arrayEnumerate: {
      signature: "(array(T)) -> array(integer)",
      meaning: "The places of the items.",
      example: ["arrayEnumerate(['a', 'b'])", [1, 2]],
      lower: from((array = NULL) => call("range", number(1), lengthPlus(array, 1), number(1))),
    },
    arrayDifference: {
      signature: "(array(number)) -> array(number)",
      meaning: "Each item less the one before; 0 for the first.",
      example: ["arrayDifference([1, 3, 6])", [0, 2, 3]],
      lower: from((array = NULL) =>
        withBefore(array, (now, before) => arithmetic(now, "-", before), number(0)),
      ),
    },
    arrayProduct: {
      signature: "(array(number)) -> float",
      meaning: "The product of the items that are not null; 1 of none.",
      example: ["arrayProduct([2, 3])", 6],
    },
  },
)
