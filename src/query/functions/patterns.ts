/** RE2 patterns: "." is no line break, ^ and $ are the ends of the text. What is no pattern makes null. */
import type { Primitive } from "./entry.ts"

export const PATTERNS = {
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
  extractMatch: {
    args: 3,
    meaning:
      "the group (third, a constant from 0 to 9; 0 is all) of the first match of a pattern (second) in a text; " +
      "empty if there is no match or the group took no part",
  },
  extractMatches: {
    args: 3,
    meaning: "the group (third, a constant) of every match of a pattern (second), as an array",
  },
  replacePattern: {
    args: 3,
    meaning: "every match of a pattern (second) replaced by the third, where \\0 to \\9 are groups",
  },
  replacePatternFirst: { args: 3, meaning: "like replacePattern, only the first match" },
  splitPattern: { args: 2, meaning: "the parts between matches of a pattern (second)" },
  semverKey: {
    args: 1,
    meaning: "a value that orders semantic versions as they precede each other; null if it is none",
  },
} as const satisfies Record<string, Primitive>
