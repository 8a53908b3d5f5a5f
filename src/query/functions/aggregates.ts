/** Aggregates. All leave nulls out and are null without a value, unless they say otherwise. */
import type { Primitive } from "./entry.ts"

export const AGGREGATES = {
  count: { args: "any", meaning: "how many rows, or how many values that are not null; 0 of none" },
  countDistinct: { args: 1, meaning: "how many different values that are not null, exactly" },
  min: { args: 1, meaning: "the smallest value" },
  max: { args: 1, meaning: "the largest value" },
  sum: { args: 1, meaning: "the sum; null without a value" },
  avg: { args: 1, meaning: "the mean; null without a value" },
  quantile: {
    args: 1,
    meaning:
      "the value at a level from 0 to 1 (parameter), between two values in proportion; exact",
  },
  any: { args: 1, meaning: "a value of any row, not null if one is not" },
  anyLast: { args: 1, meaning: "a value of the last row read, not null if one is not" },
  argMin: { args: 2, meaning: "the first argument where the second is smallest" },
  argMax: { args: 2, meaning: "the first argument where the second is largest" },
  groupArray: { args: 1, meaning: "all values that are not null, as an array" },
  groupUniqArray: { args: 1, meaning: "all different values that are not null, as an array" },
  stddevPop: { args: 1, meaning: "the standard deviation of all values" },
  stddevSamp: { args: 1, meaning: "the standard deviation of a sample; null of one value" },
  varPop: { args: 1, meaning: "the variance of all values" },
  varSamp: { args: 1, meaning: "the variance of a sample; null of one value" },
  covarPop: { args: 2, meaning: "the covariance of all pairs" },
  covarSamp: { args: 2, meaning: "the covariance of a sample of pairs; null of one pair" },
  corr: {
    args: 2,
    meaning: "the correlation of pairs, from -1 to 1; null if one side is constant",
  },
  regressionSlope: { args: 2, meaning: "the slope of y (second) over x (first), by least squares" },
  bitAndOf: { args: 1, meaning: "the bits that all whole numbers have" },
  bitOrOf: { args: 1, meaning: "the bits that any whole number has" },
  bitXorOf: { args: 1, meaning: "the bits that an odd count of the whole numbers has" },
} as const satisfies Record<string, Primitive>
