/**
 * The one table of semantic functions: name, number of arguments, meaning. Every printer has an entry for
 * each of them, or it does not compile. Unknown in, unknown out, unless the meaning says otherwise.
 */
export const FUNCTIONS = {
  coalesce: { args: "any", meaning: "the first argument that is not null" },
  lower: { args: 1, meaning: "the text in lower case" },
  contains: { args: 2, meaning: "whether the first text holds the second" },
  matches: {
    args: 2,
    meaning:
      "whether the RE2 pattern (second) is found in the text (first); null if it is no pattern",
  },
  replaceMatches: {
    args: 3,
    meaning:
      "the text (first) with every match of the pattern (second) replaced by plain text (third)",
  },
  elementMatches: {
    args: 3,
    meaning:
      "whether the RE2 pattern (third) is found in an attribute (second) of any element of a chain " +
      "(first); null if it is no pattern or no element has the attribute",
  },
  parseNumber: { args: 1, meaning: "the number a text spells, or null" },
  parseMoment: {
    args: 2,
    meaning:
      "the UTC moment that a written date means (ISO, RFC 822, day first with dashes or slashes, unix " +
      "seconds or milliseconds), in the zone (second) unless it names its own; null if it is none",
  },
  addSeconds: { args: 2, meaning: "the moment so many seconds later, fractions included" },
  diffSeconds: {
    args: 2,
    meaning: "seconds from the first moment to the second, with their fraction",
  },
  diffDays: {
    args: 2,
    meaning: "how many midnights (UTC) lie between the first moment and the second",
  },
  diffHours: { args: 2, meaning: "whole hours from the first moment to the second, rounded down" },
  diffWeeks: {
    args: 2,
    meaning: "whole weeks from the first moment, a midnight (UTC), to the second, rounded down",
  },
  diffMonths: { args: 2, meaning: "how many starts of a month (UTC) lie between two moments" },
  floor: { args: 1, meaning: "the largest whole number that is not larger" },
  least: { args: "any", meaning: "the smallest argument that is not null" },
  greatest: { args: "any", meaning: "the largest argument that is not null" },
  concat: { args: "any", meaning: "the texts one after another; null if one is" },
  startsWith: { args: 2, meaning: "whether the first text begins with the second" },
  truncateSecond: { args: 1, meaning: "the moment without its fraction of a second" },
  semverKey: {
    args: 1,
    meaning: "a value that orders semantic versions as they precede each other; null if it is none",
  },
} as const satisfies Record<string, { args: number | "any"; meaning: string }>

export type FunctionName = keyof typeof FUNCTIONS

export const AGGREGATES = {
  count: { args: "any", meaning: "how many rows, or how many values that are not null" },
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
  argMin: { args: 2, meaning: "the first argument where the second is smallest" },
  argMax: { args: 2, meaning: "the first argument where the second is largest" },
  groupArray: { args: 1, meaning: "all values that are not null, as an array" },
  groupUniqArray: { args: 1, meaning: "all different values that are not null, as an array" },
} as const satisfies Record<string, { args: number | "any"; meaning: string }>

export type AggregateName = keyof typeof AGGREGATES

export const WINDOW_FUNCTIONS = {
  row_number: { args: 0, meaning: "the number of the row, from 1" },
  rank: { args: 0, meaning: "the rank, with gaps after equals" },
  dense_rank: { args: 0, meaning: "the rank without gaps" },
  first_value: { args: 1, meaning: "the value of the frame's first row" },
  last_value: { args: 1, meaning: "the value of the frame's last row" },
  nth_value: { args: 2, meaning: "the value of the frame's nth row" },
  lag: {
    args: "any",
    meaning: "the value so many rows (1) before; else the third argument or null",
  },
  lead: {
    args: "any",
    meaning: "the value so many rows (1) after; else the third argument or null",
  },
} as const satisfies Record<string, { args: number | "any"; meaning: string }>

export type WindowFunctionName = keyof typeof WINDOW_FUNCTIONS
