/** Arrays, counted from 1. Nulls are items like others. */
import { and, call, eq, gt, lte, number } from "../../build.ts"
import { ARRAY_LENGTH_MAX } from "../../functions/arrays.ts"
import type { Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { joinTypes } from "./check-types.ts"
import { type Definition, defineGroup } from "./define.ts"
import type { Verdict } from "./function.ts"
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

const intersect = from((...arrays) => {
  const [first = NULL, ...others] = arrays
  const isInAll = and(...others.map((other) => call("arrayHas", other, item)))
  return call("arrayFilter", eachItem(isInAll), call("arrayDistinct", first))
})

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

const lengthPlus = (array: Expr, count: number): Expr =>
  arithmetic(call("arrayLength", array), "+", number(count))

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
    return call("arraySlice", call("arrayConcat", items, filled), number(1), size)
  })
}

const elements = (
  signature: string,
  meaning: string,
  more: Omit<Definition, "signature" | "meaning">,
): Definition => ({
  signature,
  meaning,
  ...more,
})

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
    arrayElement: elements(
      "(array(T), integer) -> T?",
      "The item at a place, negative ones counting from the end; null if there is none. Also a[n].",
      {
        example: ["arrayElement([10, 20], -1)", 20],
      },
    ),
    has: elements("(array(T), T) -> boolean", "Whether the array has the item.", {
      example: ["has([1, 2], 2)", 1],
      lower: to("arrayHas"),
    }),
    hasAll: elements(
      "(array(T), array(T)) -> boolean",
      "Whether the first array has all items of the second.",
      {
        example: ["hasAll([1, 2], [2, 3])", 0],
        lower: from((array = NULL, wanted = NULL) => hasAll(array, wanted)),
      },
    ),
    hasAny: elements(
      "(array(T), array(T)) -> boolean",
      "Whether the first array has an item of the second.",
      {
        example: ["hasAny([1, 2], [2, 3])", 1],
        lower: from((array = NULL, wanted = NULL) => hasAny(array, wanted)),
      },
    ),
    indexOf: elements("(array(T), T) -> integer", "The place of the first such item, or 0.", {
      example: ["indexOf(['a', 'b'], 'b')", 2],
      lower: to("arrayIndexOf"),
    }),
    countEqual: elements("(array(T), T) -> integer", "How many such items there are.", {
      example: ["countEqual([1, 2, 1], 1)", 2],
      lower: from((array = NULL, value = NULL) =>
        call("arrayLength", call("arrayFilter", eachItem(call("isSame", item, value)), array)),
      ),
    }),
    arrayConcat: elements(
      "(array(T), array(T)...) -> array(T)",
      "The items of all arrays, one after another.",
      {
        example: ["arrayConcat([1], [2, 3])", [1, 2, 3]],
      },
    ),
    arrayPushBack: elements("(array(T), T) -> array(T)", "With one more item at the end.", {
      example: ["arrayPushBack([1], 2)", [1, 2]],
      lower: from((array = NULL, value = NULL) => call("arrayConcat", array, arrayOf(value))),
    }),
    arrayPushFront: elements("(array(T), T) -> array(T)", "With one more item at the start.", {
      example: ["arrayPushFront([1], 2)", [2, 1]],
      lower: from((array = NULL, value = NULL) => call("arrayConcat", arrayOf(value), array)),
    }),
    arrayPopBack: elements("(array(T)) -> array(T)", "Without the last item.", {
      example: ["arrayPopBack([1, 2])", [1]],
      lower: from((array = NULL) =>
        letBe(array, "array", (known) =>
          call("arraySlice", known, number(1), lengthPlus(known, -1)),
        ),
      ),
    }),
    arrayPopFront: elements("(array(T)) -> array(T)", "Without the first item.", {
      example: ["arrayPopFront([1, 2])", [2]],
      lower: from((array = NULL) => call("arraySlice", array, number(2), NULL)),
    }),
    arraySlice: elements(
      "(array(T), integer, integer?) -> array(T)",
      "So many items, or all that follow, from a place on; negative places count from the end.",
      {
        example: ["arraySlice([1, 2, 3, 4], 2, 2)", [2, 3]],
        lower: from((array = NULL, start = NULL, length = NULL) =>
          call("arraySlice", array, start, length),
        ),
      },
    ),
    arrayResize: elements(
      "(array(T), integer, T?) -> array(T)",
      `Cut or filled up at its end with an item (null) to a length of at most ${ARRAY_LENGTH_MAX}.`,
      {
        example: ["arrayResize([1], 3, 0)", [1, 0, 0]],
        lower: lowerResize,
      },
    ),
    arrayReverse: elements("(array(T)) -> array(T)", "From last to first.", {
      example: ["arrayReverse([1, 2])", [2, 1]],
    }),
    arrayDistinct: elements(
      "(array(T)) -> array(T)",
      "Each item that is not null once, in order of the first of its kind.",
      {
        example: ["arrayDistinct([3, 1, 3])", [3, 1]],
      },
    ),
    arrayUniq: elements("(array(T)) -> integer", "How many different items that are not null.", {
      example: ["arrayUniq([3, 1, 3])", 2],
      lower: from((array = NULL) => call("arrayLength", call("arrayDistinct", array))),
    }),
    arrayIntersect: elements(
      "(array(T), array(T)...) -> array(T)",
      "The different items that all arrays have, in the order of the first.",
      {
        example: ["arrayIntersect([1, 2, 3], [3, 1])", [1, 3]],
        lower: intersect,
      },
    ),
    arrayFlatten: elements(
      "(array(array(T))) -> array(T)",
      "The items of the arrays in an array, one level.",
      {
        example: ["arrayFlatten([[1], [2, 3]])", [1, 2, 3]],
      },
    ),
    arrayCompact: elements("(array(T)) -> array(T)", "Without items equal to the one before.", {
      example: ["arrayCompact([1, 1, 2, 1])", [1, 2, 1]],
      lower: compact,
    }),
    arrayZip: elements(
      "(array(T), array(U)) -> array(tuple(T, U))",
      "Tuples of the items at the same place, as many as the shorter array has.",
      {
        example: [
          "arrayZip([1, 2], ['a', 'b'])",
          [
            [1, "a"],
            [2, "b"],
          ],
        ],
      },
    ),
    arrayEnumerate: elements("(array(T)) -> array(integer)", "The places of the items.", {
      example: ["arrayEnumerate(['a', 'b'])", [1, 2]],
      lower: from((array = NULL) => call("range", number(1), lengthPlus(array, 1), number(1))),
    }),
    arrayDifference: elements(
      "(array(number)) -> array(number)",
      "Each item less the one before; 0 for the first.",
      {
        example: ["arrayDifference([1, 3, 6])", [0, 2, 3]],
        lower: from((array = NULL) =>
          withBefore(array, (now, before) => arithmetic(now, "-", before), number(0)),
        ),
      },
    ),
    arrayProduct: elements(
      "(array(number)) -> float",
      "The product of the items that are not null; 1 of none.",
      {
        example: ["arrayProduct([2, 3])", 6],
      },
    ),
  },
)
