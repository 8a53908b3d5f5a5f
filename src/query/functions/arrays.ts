/**
 * Arrays count from 1; a lambda comes before the array whose items it gets. Nulls are items like others. Sorting puts
 * them last.
 */
import type { Primitive } from "./entry.ts"

export const ARRAYS = {
  arrayLength: { args: 1, meaning: "how many items" },
  arrayElement: {
    args: 2,
    meaning: "the item at a place; negative ones count from the end; null if there is none",
  },
  arrayMap: { args: 2, meaning: "what the lambda (first) makes of each item" },
  arrayFilter: { args: 2, meaning: "the items for which the lambda (first) is true" },
  arrayHas: { args: 2, meaning: "whether an item is the same as the second, null as null" },
  arrayIndexOf: { args: 2, meaning: "the place of the first such item (null as null), or 0" },
  arrayConcat: { args: "any", meaning: "the items of all arrays, one after another" },
  arraySlice: {
    args: 3,
    meaning:
      "so many items (third, or all that follow if it is null) from a place (second, never 0) on; negative places " +
      "count from the end, places before the first are the first",
  },
  arraySort: { args: 1, meaning: "the items in rising order" },
  arraySortBy: {
    args: 2,
    meaning: "in rising order of what the lambda (first) makes of each; equals keep their order",
  },
  arrayReverse: { args: 1, meaning: "the items from last to first" },
  arrayDistinct: {
    args: 1,
    meaning: "each item that is not null once, in order of the first of its kind",
  },
  arrayFlatten: { args: 1, meaning: "the items of an array's arrays, one level" },
  arrayZip: {
    args: "any",
    meaning: "tuples of the items at the same place, as many as the shortest array has",
  },
  arraySum: { args: 1, meaning: "the sum of the items that are not null; 0 of none" },
  arrayProduct: { args: 1, meaning: "the product of the items that are not null; 1 of none" },
  arrayAvg: { args: 1, meaning: "the mean of the items that are not null; null of none" },
  arrayMin: { args: 1, meaning: "the smallest item that is not null; null of none" },
  arrayMax: { args: 1, meaning: "the largest item that is not null; null of none" },
  arrayCumSum: { args: 1, meaning: "at each place the sum of the items up to it" },
  range: {
    args: 3,
    meaning:
      "whole numbers from the first up to but without the second, with a step (third) above 0; only the first " +
      "ARRAY_LENGTH_MAX",
  },
  mapOf: {
    args: "any",
    meaning: "a map of keys, each followed by its value; the last of equal keys",
  },
  mapFromArrays: {
    args: 2,
    meaning:
      "a map of an array of keys and one of values, as far as both go; the last of equal keys",
  },
  mapKeys: { args: 1, meaning: "the keys of a map" },
  mapValues: { args: 1, meaning: "the values of a map, in the order of its keys" },
  mapElement: { args: 2, meaning: "the value at a key, or null" },
} as const satisfies Record<string, Primitive>

/** What a function may make of a few numbers, in items. */
export const ARRAY_LENGTH_MAX = 10_000
