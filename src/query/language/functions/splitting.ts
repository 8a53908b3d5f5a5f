/** Texts as arrays, and back. */
import { call, number, text } from "../../build.ts"
import { type Definition, defineGroup } from "./define.ts"
import {
  arithmetic,
  constantNumber,
  from,
  lambda,
  letBe,
  NULL,
  parameter,
  refuse,
} from "./lowering.ts"

const split = (
  name: "split" | "splitPattern",
  meaning: string,
  example: Definition["example"],
): Definition => ({
  signature: "(text, text) -> array(text)",
  meaning,
  ...(example === undefined ? {} : { example }),
  lower: from((separator = NULL, value = NULL) => call(name, value, separator)),
})

const words = (pattern: string) =>
  from((value = NULL) => call("extractMatches", value, text(pattern), number(0)))

const alphaTokens: Definition = {
  signature: "(text) -> array(text)",
  meaning: "The runs of the letters a to z and A to Z.",
  example: ["alphaTokens('a1bc-d')", ["a", "bc", "d"]],
  lower: words("[a-zA-Z]+"),
}

const NGRAM_MAX = 100

const ngrams = from((value = NULL, size = NULL) => {
  const known = constantNumber(size)
  if (known === undefined || !(known >= 1 && known <= NGRAM_MAX)) {
    refuse(`The length must be a constant from 1 to ${NGRAM_MAX}.`)
  }
  return letBe(value, "whole", (whole) => {
    const end = arithmetic(arithmetic(call("textLength", whole), "-", size), "+", number(2))
    const part = call("substring", whole, parameter("·place"), size)
    return call("arrayMap", lambda(["·place"], part), call("range", number(1), end, number(1)))
  })
})

export const SPLITTING = defineGroup(
  { group: "Texts split and joined", kind: "scalar" },
  {
    splitByChar: split("split", "The parts between separators (first).", [
      "splitByChar(',', 'a,b')",
      ["a", "b"],
    ]),
    splitByString: split(
      "split",
      "The parts between separators (first); code points if it is empty.",
      ["splitByString(', ', 'a, b')", ["a", "b"]],
    ),
    splitByRegexp: split("splitPattern", "The parts between matches of the pattern (first).", [
      "splitByRegexp('[0-9]+', 'a1b22c')",
      ["a", "b", "c"],
    ]),
    splitByWhitespace: {
      signature: "(text) -> array(text)",
      meaning: "The parts between white space.",
      example: ["splitByWhitespace(' a  b ')", ["a", "b"]],
      lower: words("[^ \\t\\n\\v\\f\\r]+"),
    },
    splitByNonAlpha: {
      signature: "(text) -> array(text)",
      meaning: "The parts between white space and ASCII punctuation.",
      example: ["splitByNonAlpha('a,b; c')", ["a", "b", "c"]],
      lower: words("[^ \\t\\n\\v\\f\\r!-/:-@\\[-`{-~]+"),
    },
    alphaTokens,
    tokens: {
      signature: "(text) -> array(text)",
      meaning: "The runs of letters, digits and characters beyond ASCII.",
      example: ["tokens('a1, bc')", ["a1", "bc"]],
      lower: words("[0-9A-Za-z\\x{80}-\\x{10FFFF}]+"),
    },
    ngrams: {
      signature: "(text, integer) -> array(text)",
      meaning: "All parts with so many code points.",
      example: ["ngrams('abcd', 2)", ["ab", "bc", "cd"]],
      lower: ngrams,
    },
    arrayStringConcat: {
      signature: "(array(text), text?) -> text",
      meaning: "The texts that are not null, with a separator between them.",
      example: ["arrayStringConcat(['a', 'b'], '-')", "a-b"],
      lower: from((items = NULL, separator = text("")) => call("join", items, separator)),
    },
  },
)
