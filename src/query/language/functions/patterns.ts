/** RE2 patterns and LIKE. What is no pattern matches nothing: the answer is null. */
import { call, not, number, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import { type Definition, defineGroup } from "./define.ts"
import { constantNumber, constantText, from, NULL, refuse, to } from "./lowering.ts"

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

/** Groups that are opened outside of classes and escapes. */
export function countGroups(pattern: string): number {
  const bare = pattern.replace(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]])*\]/g, "")
  return [...bare.matchAll(/\((?!\?)|\(\?P</g)].length
}

/** The first group if the pattern has one, else all of the match. */
function groupOf(pattern: Expr): Expr {
  const known = constantText(pattern)
  if (known === undefined) refuse("The pattern must be a constant text.")
  return number(countGroups(known ?? "") > 0 ? 1 : 0)
}

export const GROUP_MAX = 9

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

export const PATTERNS = defineGroup(
  { group: "Patterns", kind: "scalar" },
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
  },
)
