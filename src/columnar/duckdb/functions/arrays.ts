/** How DuckDB says functions of arrays and maps. */
import { ARRAY_LENGTH_MAX, type ARRAYS } from "../../../query/functions/arrays.ts"
import { type Call, named, once, type Printer, printAll, wholeNumber } from "./call.ts"

export const ARRAY_PRINTERS: Readonly<Record<keyof typeof ARRAYS, Printer>> = {
  arrayLength: named("len"),
  arrayElement: ({ arg }) => `list_extract(${arg(0)}, ${wholeNumber(arg(1))})`,
  arrayMap: ({ arg }) => `list_transform(${arg(1)}, ${arg(0)})`,
  arrayFilter: ({ arg }) => `list_filter(${arg(1)}, ${arg(0)})`,
  // Of all searches of the engine only this one finds null.
  arrayHas: ({ arg }) =>
    once(
      arg(0),
      (list) =>
        `CASE WHEN ${list} IS NOT NULL THEN list_position(${list}, ${arg(1)}) IS NOT NULL END`,
    ),
  arrayIndexOf: ({ arg }) =>
    once(
      arg(0),
      (list) =>
        `CASE WHEN ${list} IS NOT NULL THEN COALESCE(list_position(${list}, ${arg(1)}), 0) END`,
    ),
  arrayConcat: named("list_concat"),
  arraySlice: printSlice,
  arraySort: ({ arg }) => `list_sort(${arg(0)}, 'ASC', 'NULLS LAST')`,
  arraySortBy: printSortBy,
  arrayReverse: named("list_reverse"),
  arrayDistinct: ({ arg }) =>
    once(
      arg(0),
      (list) =>
        `list_filter(${list}, lambda "·x", "·i": list_position(${list}, "·x") = "·i" AND "·x" IS NOT NULL)`,
    ),
  arrayFlatten: named("flatten"),
  arrayZip: printZip,
  arraySum: ({ arg }) => sumOf(arg(0)),
  arrayProduct: ({ arg }) =>
    once(
      arg(0),
      (list) => `CASE WHEN ${list} IS NOT NULL THEN COALESCE(list_product(${list}), 1) END`,
    ),
  arrayAvg: named("list_avg"),
  arrayMin: named("list_min"),
  arrayMax: named("list_max"),
  arrayCumSum: ({ arg }) =>
    once(
      arg(0),
      (list) =>
        `list_transform(${list}, lambda "·x", "·i": COALESCE(list_sum(${list}[1:"·i"]), 0))`,
    ),
  range: printRange,
  mapOf: printMapOf,
  mapFromArrays: ({ arg }) => printMap(arg(0), arg(1)),
  mapKeys: named("map_keys"),
  mapValues: named("map_values"),
  mapElement: ({ arg }) => `${arg(0)}[${arg(1)}]`,
}

const sumOf = (text: string): string =>
  once(text, (list) => `CASE WHEN ${list} IS NOT NULL THEN COALESCE(list_sum(${list}), 0) END`)

function printSlice({ exprs, arg }: Call): string {
  const length = exprs[2]
  const isOpen = length?.kind === "value" && length.value.type === "null"
  return once(arg(0), (list) =>
    once(
      wholeNumber(arg(1)),
      (place) => {
        const first = `CASE WHEN ${place} < 0 THEN greatest(len(${list}) + ${place} + 1, 1) ELSE greatest(${place}, 1) END`
        if (isOpen) return `list_slice(${list}, ${first}, len(${list}))`
        const last = `(${first}) + least(greatest(${wholeNumber(arg(2))}, 0), len(${list})) - 1`
        return `list_slice(${list}, ${first}, ${last})`
      },
      "p",
    ),
  )
}

/** Sorted with their places, so that equals keep their order. */
function printSortBy({ arg }: Call): string {
  return once(arg(1), (list) => {
    const keys = `list_transform(${list}, ${arg(0)})`
    const sorted = `list_sort(list_zip(${keys}, range(1, len(${list}) + 1), ${list}))`
    return `list_transform(${sorted}, lambda "·p": "·p"[3])`
  })
}

/** The engine's own tuples have no names, and such can not be read back. */
function printZip(call: Call): string {
  const items = call.exprs.map((_, index) => `'${index + 1}': "·p"[${index + 1}]`)
  return `list_transform(list_zip(${printAll(call)}, true), lambda "·p": {${items.join(", ")}})`
}

function printRange({ arg }: Call): string {
  const [start, end, step] = [0, 1, 2].map((index) => wholeNumber(arg(index)))
  return once(start ?? "", (first) =>
    once(
      `CASE WHEN ${step} > 0 THEN ${step} END`,
      (each) => `range(${first}, least(${end}, ${first} + ${each} * ${ARRAY_LENGTH_MAX}), ${each})`,
      "s",
    ),
  )
}

function printMapOf(call: Call): string {
  const at = (start: number) =>
    call.exprs.flatMap((_, index) => (index % 2 === start ? [call.arg(index)] : [])).join(", ")
  return printMap(`[${at(0)}]`, `[${at(1)}]`)
}

/** The engine refuses equal keys and null ones. */
function printMap(keys: string, values: string): string {
  return once(`list_zip(${keys}, ${values}, true)`, (pairs) => {
    const known = `list_transform(${pairs}, lambda "·k": "·k"[1])`
    const isLast = `"·p"[1] IS NOT NULL AND NOT list_contains(${known}["·i" + 1:], "·p"[1])`
    const kept = `list_filter(${pairs}, lambda "·p", "·i": ${isLast})`
    return `map_from_entries(${kept})`
  })
}
