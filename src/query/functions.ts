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
  truncateSecond: { args: 1, meaning: "the moment without its fraction of a second" },
  semverKey: {
    args: 1,
    meaning: "a value that orders semantic versions as they precede each other; null if it is none",
  },
} as const satisfies Record<string, { args: number | "any"; meaning: string }>

export type FunctionName = keyof typeof FUNCTIONS
