/** Searching texts by RE2 patterns and LIKE. What is no pattern matches nothing: the answer is null. */
import { boolean, call, gt, not, number, or, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import { type Definition, defineGroup } from "./define.ts"
import {
  arrayOf,
  constantNumber,
  constantText,
  from,
  lambda,
  letBe,
  NULL,
  parameter,
  refuse,
  to,
} from "./lowering.ts"

const like = (
  isFolded: boolean,
  isNegated: boolean,
  example: Definition["example"],
): Definition => ({
  signature: "(text, text) -> boolean",
  meaning: `The same as a ${isNegated ? "NOT " : ""}${isFolded ? "ILIKE" : "LIKE"} b: % is any text, _ one code point, \\ takes the next as it is.`,
  ...(example === undefined ? {} : { example }),
  lower: from((value = NULL, pattern = NULL) => {
    const is = call(isFolded ? "ilike" : "like", value, pattern)
    return isNegated ? not(is) : is
  }),
})

/** Whether a group is opened outside of classes and escapes. */
function hasGroup(pattern: string): boolean {
  return /\((?!\?)|\(\?P?</.test(pattern.replace(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]])*\]/g, ""))
}

/** The first group if the pattern has one, else all of the match. */
function groupOf(pattern: Expr): Expr {
  const known = constantText(pattern)
  if (known === undefined) refuse("The pattern must be a constant text.")
  return number(hasGroup(known ?? "") ? 1 : 0)
}

const GROUP_MAX = 9

function groupNamed(index: Expr | undefined, pattern: Expr): Expr {
  if (index === undefined) return groupOf(pattern)
  const group = constantNumber(index)
  if (group === undefined || !Number.isInteger(group) || group < 0 || group > GROUP_MAX) {
    refuse(`The group must be a constant from 0 to ${GROUP_MAX}.`)
  }
  return index
}

const extract: Definition = {
  signature: "(text, text) -> text?",
  meaning:
    "What the first group of a pattern (constant), or all of it if it has none, first matches; empty without a match.",
  example: ["extract('order 42', '\\\\d+')", "42"],
  lower: from((value = NULL, pattern = NULL) =>
    call("extractMatch", value, pattern, groupOf(pattern)),
  ),
}

/** The items of a constant array. */
function itemsOf(expr: Expr): readonly Expr[] {
  return expr.kind === "array" ? expr.items : refuse("The needles must be an array, written out.")
}

const anyOf =
  (test: (value: Expr, item: Expr) => Expr) =>
  (value: Expr = NULL, items: Expr = NULL): Expr =>
    itemsOf(items).length === 0
      ? boolean(false)
      : letBe(value, "value", (known) => or(...itemsOf(items).map((item) => test(known, item))))

const contains = (value: Expr, part: Expr): Expr => gt(call("position", value, part), number(0))
const containsFolded = (value: Expr, part: Expr): Expr =>
  contains(call("lower", value), call("lower", part))

const placesOf = (value: Expr, items: Expr): Expr =>
  letBe(value, "value", (known) =>
    arrayOf(...itemsOf(items).map((item) => call("position", known, item))),
  )

const search = (
  signature: string,
  meaning: string,
  more: Pick<Definition, "example" | "lower">,
): Definition => ({
  signature,
  meaning,
  ...more,
})

export const PATTERNS = defineGroup(
  { group: "Patterns and searches", kind: "scalar" },
  {
    like: like(false, false, ["like('hedgerow', '%row')", 1]),
    ilike: like(true, false, ["ilike('Hedgerow', 'hedge%')", 1]),
    notLike: like(false, true, ["notLike('hedgerow', '%row')", 0]),
    notILike: like(true, true, ["notILike('Hedgerow', 'x%')", 1]),
    match: {
      signature: "(text, text) -> boolean?",
      meaning: "Whether the pattern is found in the text; also a =~ b.",
      example: ["match('order 42', '[0-9]+')", 1],
      lower: to("matches"),
    },
    extract,
    regexpExtract: {
      signature: "(text, text, integer?) -> text?",
      meaning: "Like extract, with the group (0 is all of the match) as the third argument.",
      example: ["regexpExtract('a1b2', '([a-z])([0-9])', 2)", "1"],
      lower: from((value = NULL, pattern = NULL, index?: Expr) =>
        call("extractMatch", value, pattern, groupNamed(index, pattern)),
      ),
    },
    extractAll: {
      signature: "(text, text) -> array(text)",
      meaning: "Like extract, of every match.",
      example: ["extractAll('1 and 22', '[0-9]+')", ["1", "22"]],
      lower: from((value = NULL, pattern = NULL) =>
        call("extractMatches", value, pattern, groupOf(pattern)),
      ),
    },
    countMatches: {
      signature: "(text, text) -> integer?",
      meaning: "How many matches of the pattern the text has.",
      example: ["countMatches('1 and 22', '[0-9]+')", 2],
      lower: from((value = NULL, pattern = NULL) =>
        call("arrayLength", call("extractMatches", value, pattern, number(0))),
      ),
    },
    replaceRegexpAll: {
      signature: "(text, text, text) -> text?",
      meaning: "Every match of the pattern replaced; \\0 to \\9 in the third text are groups.",
      example: ["replaceRegexpAll('a1b2', '[0-9]', '-')", "a-b-"],
      lower: to("replacePattern"),
    },
    replaceRegexpOne: {
      signature: "(text, text, text) -> text?",
      meaning: "The first match of the pattern replaced.",
      example: ["replaceRegexpOne('a1b2', '[0-9]', '-')", "a-b2"],
      lower: to("replacePatternFirst"),
    },
    regexpQuoteMeta: {
      signature: "(text) -> text",
      meaning: "The pattern that finds the text itself.",
      example: ["regexpQuoteMeta('1+1')", "1\\+1"],
      lower: from((value = NULL) =>
        call("replacePattern", value, text("[\\\\^$.\\[\\]|()?*+{}:-]"), text("\\\\\\0")),
      ),
    },
    multiSearchAny: search(
      "(text, array(text)) -> boolean",
      "Whether one of the texts is in the first.",
      {
        example: ["multiSearchAny('hedgerow', ['x', 'row'])", 1],
        lower: from(anyOf(contains)),
      },
    ),
    multiSearchAnyCaseInsensitive: search(
      "(text, array(text)) -> boolean",
      "Like multiSearchAny, upper and lower case being equal.",
      { lower: from(anyOf(containsFolded)) },
    ),
    multiSearchAllPositions: search(
      "(text, array(text)) -> array(integer)",
      "Where each of the texts begins in the first; 0 if it is not in it.",
      {
        example: ["multiSearchAllPositions('hedgerow', ['row', 'x'])", [6, 0]],
        lower: from((value = NULL, items = NULL) => placesOf(value, items)),
      },
    ),
    multiSearchFirstIndex: search(
      "(text, array(text)) -> integer",
      "The number of the first of the texts that is in the first argument; 0 if none is.",
      {
        example: ["multiSearchFirstIndex('hedgerow', ['x', 'row'])", 2],
        lower: from((value = NULL, items = NULL) => {
          const isFound = gt(parameter("·place"), number(0))
          const found = call("arrayMap", lambda(["·place"], isFound), placesOf(value, items))
          return call("arrayIndexOf", found, boolean(true))
        }),
      },
    ),
    multiMatchAny: search(
      "(text, array(text)) -> boolean",
      "Whether one of the patterns is found.",
      {
        example: ["multiMatchAny('order 42', ['x', '[0-9]+'])", 1],
        lower: from(
          anyOf((value, pattern) =>
            call("coalesce", call("matches", value, pattern), boolean(false)),
          ),
        ),
      },
    ),
  },
)
