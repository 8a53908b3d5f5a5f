/** From one type to another; null where the value has no counterpart. */
import type { Primitive } from "./entry.ts"

export const CONVERSION = {
  parseNumber: { args: 1, meaning: "the number a text spells, or null" },
  parseInteger: {
    args: 1,
    meaning: "the whole number a text spells in digits alone, with a sign at most, or null",
  },
  parseUuid: { args: 1, meaning: "the UUID a text spells with its dashes, or null" },
  parseMoment: {
    args: 2,
    meaning:
      "the UTC moment that a written date means (ISO, RFC 822, day first with dashes or slashes, unix " +
      "seconds or milliseconds), in the zone (second) unless it names its own; null if it is none",
  },
  parseFormat: {
    args: 3,
    meaning:
      "the moment that a text (first) means in a format (second, a constant in letters of " +
      "formatMoment) in a zone (third); null if it is none",
  },
  toInteger: {
    args: 1,
    meaning: "a number cut to a whole one, a boolean as 0 or 1; null if 64 bits do not hold it",
  },
  toFloat: { args: 1, meaning: "a number or a boolean (0 or 1) as a float" },
  numberText: {
    args: 1,
    meaning: "the number as JSON writes it: 1 for 1.0, 1.5; at most 17 digits that tell it apart",
  },
  plainText: { args: 1, meaning: "a boolean (true, false), UUID or date (2026-01-02) as text" },
  toJson: { args: 1, meaning: "any value as JSON text; tuples are arrays" },
} as const satisfies Record<string, Primitive>
