/** Whole numbers as 64 bits. */
import { call, eq, number } from "../../build.ts"
import { defineGroup } from "./define.ts"
import { from, NULL } from "./lowering.ts"

const TWO = "(integer, integer) -> integer"

export const BITS = defineGroup(
  { group: "Bits", kind: "scalar" },
  {
    bitAnd: { signature: TWO, meaning: "The bits that both have.", example: ["bitAnd(6, 3)", 2] },
    bitOr: { signature: TWO, meaning: "The bits that one has.", example: ["bitOr(6, 3)", 7] },
    bitXor: {
      signature: TWO,
      meaning: "The bits that exactly one has.",
      example: ["bitXor(6, 3)", 5],
    },
    bitNot: {
      signature: "(integer) -> integer",
      meaning: "All bits turned.",
      example: ["bitNot(5)", -6],
    },
    bitShiftLeft: {
      signature: "(integer, integer) -> integer?",
      meaning: "The bits moved up so many places; null if they do not fit.",
      example: ["bitShiftLeft(1, 4)", 16],
    },
    bitShiftRight: {
      signature: "(integer, integer) -> integer?",
      meaning: "The bits moved down so many places.",
      example: ["bitShiftRight(16, 2)", 4],
    },
    bitTest: {
      signature: "(integer, integer) -> boolean",
      meaning: "Whether the bit at a place, from 0, is set.",
      example: ["bitTest(5, 2)", 1],
      lower: from((value = NULL, place = NULL) =>
        eq(call("bitAnd", call("bitShiftRight", value, place), number(1)), number(1)),
      ),
    },
    bitCount: {
      signature: "(integer) -> integer",
      meaning: "How many bits are set.",
      example: ["bitCount(7)", 3],
    },
  },
)
