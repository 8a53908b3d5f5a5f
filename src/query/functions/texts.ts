/** Texts. Places and lengths count code points, from 1. */
import type { Primitive } from "./entry.ts"

export const TEXTS = {
  textLength: { args: 1, meaning: "how many code points" },
  lower: { args: 1, meaning: "the text in lower case" },
  upper: { args: 1, meaning: "the text in upper case" },
  reverseText: { args: 1, meaning: "the code points from last to first" },
  concat: { args: "any", meaning: "the texts one after another; null if one is" },
  substring: {
    args: 3,
    meaning:
      "so many code points (third) from a place on (second); a negative place counts from the end; empty for " +
      "place 0 and for a length below 1",
  },
  position: { args: 2, meaning: "where the second text begins in the first; 0 if it is not in it" },
  contains: { args: 2, meaning: "whether the first text holds the second" },
  startsWith: { args: 2, meaning: "whether the first text begins with the second" },
  endsWith: { args: 2, meaning: "whether the first text ends with the second" },
  replaceAll: {
    args: 3,
    meaning: "the text with every second replaced by the third; unchanged if the second is empty",
  },
  replaceFirst: { args: 3, meaning: "like replaceAll, only the first one" },
  repeat: {
    args: 2,
    meaning: "the text so many times, at most as often as TEXT_LENGTH_MAX allows; none below 1",
  },
  leftPad: {
    args: 3,
    meaning:
      "the text filled up before it to a length (second, at most TEXT_LENGTH_MAX) with a text (third, not empty), " +
      "or cut to it at its end",
  },
  rightPad: { args: 3, meaning: "like leftPad, filled up after it" },
  trim: { args: 1, meaning: "without spaces at both ends" },
  trimStart: { args: 1, meaning: "without spaces at its start" },
  trimEnd: { args: 1, meaning: "without spaces at its end" },
  split: {
    args: 2,
    meaning:
      "the parts between separators (second); the code points if that is empty; of an empty text one empty " +
      "part, or no code points",
  },
  join: { args: 2, meaning: "the texts of an array that are not null with a separator (second)" },
  codePoint: { args: 1, meaning: "the number of the first code point; 0 for none" },
  translate: {
    args: 3,
    meaning:
      "every code point that is in the second replaced by the one at the same place of the third, or dropped if " +
      "that is shorter",
  },
  like: {
    args: 2,
    meaning:
      "whether the whole text fits the pattern: % any text, _ one code point, \\\\ before them: as they are",
  },
  ilike: { args: 2, meaning: "like `like`, upper and lower case being equal" },
  base64Encode: { args: 1, meaning: "the UTF-8 bytes in base 64" },
  base64Decode: { args: 1, meaning: "the text whose UTF-8 bytes these are in base 64, or null" },
  urlEncode: { args: 1, meaning: "percent-encoded but for letters, digits and -_.~" },
  urlDecode: { args: 1, meaning: "percent-decoded; what is no code stays as it is" },
} as const satisfies Record<string, Primitive>

/** What a function may make of a short text, in code points. */
export const TEXT_LENGTH_MAX = 100_000
