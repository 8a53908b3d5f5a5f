/** How ClickHouse says functions of arrays and maps. An array is never null to it. */
import { ARRAY_LENGTH_MAX, type ARRAYS } from "../../../query/functions/arrays.ts"
import type { Type } from "../../../query/types.ts"
import { type Call, lambdaOf, named, once, type Printer, whole } from "./call.ts"

export const ARRAY_PRINTERS: Readonly<Record<keyof typeof ARRAYS, Printer>> = {
  arrayLength: ({ arg }) => `toInt64(length(${arg(0)}))`,
  arrayElement: printElement,
  arrayMap: named("arrayMap"),
  arrayFilter: named("arrayFilter"),
  arrayHas: ({ arg }) => `has(${arg(0)}, ${arg(1)})`,
  arrayIndexOf: ({ arg }) => `toInt64(indexOf(${arg(0)}, ${arg(1)}))`,
  arrayConcat: named("arrayConcat"),
  arraySlice: printSlice,
  arraySort: named("arraySort"),
  arraySortBy: printSortBy,
  arrayReverse: named("arrayReverse"),
  arrayDistinct: named("arrayDistinct"),
  arrayFlatten: ({ arg }) => `arrayReduce('groupArrayArray', ${arg(0)})`,
  arrayZip: printZip,
  arraySum: ({ arg }) => `arraySum(${known(arg(0))})`,
  arrayProduct: ({ arg }) => `arrayProduct(${known(arg(0))})`,
  arrayAvg: ({ arg }) =>
    once(known(arg(0)), (list) => `if(empty(${list}), NULL, arrayAvg(${list}))`),
  arrayMin: ({ arg }) => `arrayElementOrNull(arraySort(${known(arg(0))}), 1)`,
  arrayMax: ({ arg }) => `arrayElementOrNull(arraySort(${known(arg(0))}), -1)`,
  arrayCumSum: ({ arg }) => `arrayCumSum(arrayMap(y -> ifNull(y, 0), ${arg(0)}))`,
  range: printRange,
  mapOf: printMapOf,
  mapFromArrays: ({ arg }) => printMap(arg(0), arg(1)),
  mapKeys: named("mapKeys"),
  mapValues: named("mapValues"),
  mapElement: ({ arg }) =>
    once(arg(0), (map) => `if(mapContains(${map}, ${arg(1)}), ${map}[${arg(1)}], NULL)`),
}

/** The items that are not null, of a type without null. */
function known(array: string): string {
  return `arrayMap(y -> assumeNotNull(y), arrayFilter(y -> isNotNull(y), ${array}))`
}

/** What is made of items can not be null. */
function isMade(type: Type | undefined): boolean {
  return type?.kind === "array" || type?.kind === "tuple" || type?.kind === "map"
}

function printElement(call: Call): string {
  const [array] = call.types
  const place = whole(call, 1)
  if (array?.kind === "array" && isMade(array.of)) {
    return once(
      call.arg(0),
      (list) => `arrayElement(${list}, if(${place} = 0, length(${list}) + 1, ${place}))`,
    )
  }
  return once(call.arg(0), (list) => {
    return `arrayElementOrNull(${list}, if(${place} = 0, toInt64(length(${list})) + 1, ${place}))`
  })
}

function printSlice(call: Call): string {
  const length = call.exprs[2]
  const isOpen = length?.kind === "value" && length.value.type === "null"
  return once(call.arg(0), (list) => {
    const place = whole(call, 1)
    const start = `if(${place} < 0, greatest(toInt64(length(${list})) + ${place} + 1, 1), greatest(${place}, 1))`
    if (isOpen) return `arraySlice(${list}, ${start})`
    return `arraySlice(${list}, ${start}, greatest(${whole(call, 2)}, 0))`
  })
}

/** Sorted with their places, so that equals keep their order. */
function printSortBy(call: Call): string {
  const { name, body } = lambdaOf(call, 0)
  return once(call.arg(1), (list) => {
    return `arraySort((${name}, i) -> (isNull(${body}), ${body}, i), ${list}, arrayEnumerate(${list}))`
  })
}

function printZip({ exprs, arg }: Call): string {
  const lists = exprs.map((_, index) => arg(index))
  const shortest = `arrayMin([${lists.map((list) => `length(${list})`).join(", ")}])`
  return `arrayZip(${lists.map((list) => `arraySlice(${list}, 1, ${shortest})`).join(", ")})`
}

function printRange(call: Call): string {
  const [start, end, step] = [whole(call, 0), whole(call, 1), whole(call, 2)]
  return `if(${step} > 0, range(${start}, greatest(${start}, least(${end}, ${start} + ${step} * ${ARRAY_LENGTH_MAX})), if(${step} > 0, ${step}, 1)), [])`
}

function printMapOf({ exprs, arg }: Call): string {
  const at = (start: number) =>
    exprs.flatMap((_, index) => (index % 2 === start ? [arg(index)] : [])).join(", ")
  return printMap(`[${at(0)}]`, `[${at(1)}]`)
}

/** Of equal keys the last; no key is null. */
function printMap(keys: string, values: string): string {
  const shortest = `least(length(${keys}), length(${values}))`
  return once(`arraySlice(${keys}, 1, ${shortest})`, (list) => {
    const isLast = `isNotNull(k) AND i = length(${list}) - indexOf(arrayReverse(${list}), k) + 1`
    const kept = (what: string, items: string) =>
      `arrayMap(p -> p.1, arrayFilter(p -> p.2, arrayMap((k, v, i) -> (${what}, ${isLast}), ${list}, ${items}, arrayEnumerate(${list}))))`
    const cut = `arraySlice(${values}, 1, length(${list}))`
    return `mapFromArrays(${kept("assumeNotNull(k)", cut)}, ${kept("v", cut)})`
  })
}
