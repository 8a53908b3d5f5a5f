/**
 * Functions that take a lambda. With two arrays its parameters walk both together, as far as the shorter goes. An
 * unknown condition counts as false.
 */
import { boolean, call, eq, gt, number } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { asNullable } from "./check-types.ts"
import { type Definition, defineGroup } from "./define.ts"
import type { Verdict } from "./function.ts"
import {
  arithmetic,
  arrayOf,
  choose,
  from,
  itemOf,
  lambda,
  letBe,
  NULL,
  parameter,
  refuse,
} from "./lowering.ts"

type Lambda = Extract<Expr, { kind: "lambda" }>

/** One array of what the lambda gets, and the lambda of one parameter. */
interface Walk {
  readonly of: Lambda
  readonly array: Expr
  readonly isPair: boolean
}

function walkOf(of: Expr, [first = NULL, second]: readonly Expr[]): Walk {
  if (of.kind !== "lambda")
    return refuse("The first argument must be a lambda, such as x -> x + 1.")
  if (second === undefined) return { of, array: first, isPair: false }
  const pair = parameter("·pair")
  const body = of.parameters.reduceRight(
    (inner, name, index) => bindTo(name, itemOf(pair, index + 1), inner),
    of.body,
  )
  return {
    of: { kind: "lambda", parameters: ["·pair"], body },
    array: call("arrayZip", first, second),
    isPair: true,
  }
}

/** The body with the parameter standing for a value. */
function bindTo(name: string, value: Expr, body: Expr): Expr {
  const made = call("arrayMap", lambda([name], body), arrayOf(value))
  return call("arrayElement", made, number(1))
}

const mapped = (of: Expr, ...arrays: readonly Expr[]): Expr => {
  const walk = walkOf(of, arrays)
  return call("arrayMap", walk.of, walk.array)
}

/** The items of the first array for which the lambda is true. */
const filtered = (of: Expr, ...arrays: readonly Expr[]): Expr => {
  const walk = walkOf(of, arrays)
  const kept = call("arrayFilter", walk.of, walk.array)
  if (!walk.isPair) return kept
  return call("arrayMap", lambda(["·pair"], itemOf(parameter("·pair"), 1)), kept)
}

const countOf = (of: Expr, ...arrays: readonly Expr[]): Expr =>
  call("arrayLength", filtered(of, ...arrays))

/** Of the array, or of what a lambda makes of it. */
const reduced = (name: "arraySum" | "arrayAvg" | "arrayMin" | "arrayMax" | "arrayCumSum") =>
  from((first = NULL, ...arrays) =>
    call(name, first.kind === "lambda" ? mapped(first, ...arrays) : first),
  )

const WITH_LAMBDA = "(T) -> U?, array(T)"

type Reduction = Parameters<typeof reduced>[0]

interface Reduced {
  readonly result: string
  readonly meaning: string
  readonly example: readonly [string, unknown]
}

/** What is reduced: the items, or what the lambda makes of them. */
function itemType(types: readonly Type[]): Type {
  const array = types.at(-1)
  if (types.length > 1) return types[0] ?? UNKNOWN
  return array?.kind === "array" ? array.of : UNKNOWN
}

const UNKNOWN: Type = { kind: "unknown", isNullable: true }
const NUMERIC: ReadonlySet<Type["kind"]> = new Set(["integer", "float", "null", "unknown"])

const reduction = (name: Reduction, { result, meaning, example }: Reduced): Definition => ({
  signature: `(${WITH_LAMBDA}) -> ${result}`,
  meaning: `${meaning} With a lambda first, of what it makes of each.`,
  example,
  typeOf: (types) => {
    const item = itemType(types)
    if (result === "U?") return { type: asNullable(item) }
    if (!NUMERIC.has(item.kind)) return { problem: "must give numbers", argument: 0 }
    const type: Type =
      name === "arrayAvg" ? { kind: "float", isNullable: true } : { ...item, ...NEVER_NULL }
    return { type: name === "arrayCumSum" ? { kind: "array", of: type } : type }
  },
  lower: reduced(name),
})

const NEVER_NULL = { isNullable: false }

const sortedType = (types: readonly Type[]): Verdict => ({ type: types.at(-1) ?? UNKNOWN })

const sorted = (isReversed: boolean) =>
  from((first = NULL, array = NULL) => {
    const made =
      first.kind === "lambda" ? call("arraySortBy", first, array) : call("arraySort", first)
    return isReversed ? call("arrayReverse", made) : made
  })

const CONDITION = "((T, U) -> boolean, array(T), array(U)?)"

const last = (of: Expr, array: Expr): Expr =>
  letBe(call("arrayReverse", mapped(of, array)), "found", (found) =>
    letBe(call("arrayIndexOf", found, boolean(true)), "back", (back) =>
      choose(
        gt(back, number(0)),
        arithmetic(arithmetic(call("arrayLength", found), "+", number(1)), "-", back),
        number(0),
      ),
    ),
  )

export const LAMBDAS = defineGroup(
  { group: "Arrays with lambdas", kind: "scalar" },
  {
    arrayMap: {
      signature: "((T, U) -> V, array(T), array(U)?) -> array(V)",
      meaning: "What the lambda makes of each item.",
      example: ["arrayMap(x -> x * 2, [1, 2, 3])", [2, 4, 6]],
      lower: from((of = NULL, ...arrays) => mapped(of, ...arrays)),
    },
    arrayFilter: {
      signature: `${CONDITION} -> array(T)`,
      meaning: "The items of the first array for which the lambda is true.",
      example: ["arrayFilter(x -> x > 1, [1, 2, 3])", [2, 3]],
      lower: from((of = NULL, ...arrays) => filtered(of, ...arrays)),
    },
    arrayCount: {
      signature: `${CONDITION} -> integer`,
      meaning: "For how many items the lambda is true.",
      example: ["arrayCount(x -> x > 1, [1, 2, 3])", 2],
      lower: from((of = NULL, ...arrays) => countOf(of, ...arrays)),
    },
    arrayExists: {
      signature: `${CONDITION} -> boolean`,
      meaning: "Whether the lambda is true for an item.",
      example: ["arrayExists(x -> x > 2, [1, 2, 3])", 1],
      lower: from((of = NULL, ...arrays) => gt(countOf(of, ...arrays), number(0))),
    },
    arrayAll: {
      signature: `${CONDITION} -> boolean`,
      meaning: "Whether the lambda is true for all items.",
      example: ["arrayAll(x -> x > 2, [1, 2, 3])", 0],
      lower: from((of = NULL, ...arrays) => {
        const walk = walkOf(of, arrays)
        const kept = call("arrayFilter", walk.of, walk.array)
        return eq(call("arrayLength", kept), call("arrayLength", walk.array))
      }),
    },
    arrayFirst: {
      signature: `${CONDITION} -> T?`,
      meaning: "The first item for which the lambda is true; null if there is none.",
      example: ["arrayFirst(x -> x > 1, [1, 2, 3])", 2],
      lower: from((of = NULL, ...arrays) =>
        call("arrayElement", filtered(of, ...arrays), number(1)),
      ),
    },
    arrayLast: {
      signature: `${CONDITION} -> T?`,
      meaning: "The last item for which the lambda is true; null if there is none.",
      example: ["arrayLast(x -> x < 3, [1, 2, 3])", 2],
      lower: from((of = NULL, ...arrays) =>
        call("arrayElement", filtered(of, ...arrays), number(-1)),
      ),
    },
    arrayFirstIndex: {
      signature: `${CONDITION} -> integer`,
      meaning: "The place of the first item for which the lambda is true; 0 if there is none.",
      example: ["arrayFirstIndex(x -> x > 1, [1, 2, 3])", 2],
      lower: from((of = NULL, ...arrays) =>
        call("arrayIndexOf", mapped(of, ...arrays), boolean(true)),
      ),
    },
    arrayLastIndex: {
      signature: "((T) -> boolean, array(T)) -> integer",
      meaning: "The place of the last item for which the lambda is true; 0 if there is none.",
      example: ["arrayLastIndex(x -> x < 3, [1, 2, 3])", 2],
      lower: from((of = NULL, array = NULL) => last(of, array)),
    },
    arraySort: {
      signature: `(${WITH_LAMBDA}) -> array(T)`,
      typeOf: sortedType,
      meaning:
        "In rising order, nulls last. With a lambda first, in the order of what it makes of each.",
      example: ["arraySort(x -> -x, [2, 3, 1])", [3, 2, 1]],
      lower: sorted(false),
    },
    arrayReverseSort: {
      signature: `(${WITH_LAMBDA}) -> array(T)`,
      typeOf: sortedType,
      meaning: "The contrary of arraySort.",
      example: ["arrayReverseSort([2, 3, 1])", [3, 2, 1]],
      lower: sorted(true),
    },
    arraySum: reduction("arraySum", {
      result: "number",
      meaning: "The sum of the items that are not null; 0 of none.",
      example: ["arraySum([1, 2, 3])", 6],
    }),
    arrayAvg: reduction("arrayAvg", {
      result: "float?",
      meaning: "The mean of the items that are not null; null of none.",
      example: ["arrayAvg([1, 2])", 1.5],
    }),
    arrayMin: reduction("arrayMin", {
      result: "U?",
      meaning: "The smallest item; null of none.",
      example: ["arrayMin([3, 1, 2])", 1],
    }),
    arrayMax: reduction("arrayMax", {
      result: "U?",
      meaning: "The largest item; null of none.",
      example: ["arrayMax(x -> x * 2, [3, 1])", 6],
    }),
    arrayCumSum: reduction("arrayCumSum", {
      result: "array(number)",
      meaning: "At each place the sum of the items up to it.",
      example: ["arrayCumSum([1, 2, 3])", [1, 3, 6]],
    }),
  },
)
