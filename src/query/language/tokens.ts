/** The words and signs of the query language. */
import type { Span } from "./ast.ts"

type TokenKind = "name" | "quoted" | "string" | "number" | "sign" | "end"

export interface Token extends Span {
  readonly kind: TokenKind
  /** As written; of what stands in quotes, what it means. */
  readonly text: string
  /** Names in lower case, for comparing with keywords. Everything else as `text`. */
  readonly word: string
}

/** Longer ones first: the lexer takes the first that fits. */
export const SIGNS = [
  "=~*",
  "!~*",
  "=~",
  "!~",
  "~*",
  "==",
  "!=",
  "<>",
  "<=",
  ">=",
  "->",
  "||",
  "??",
  "::",
  ..."=<>~+-*/%?:.,;()[]{}",
]

export const CLOSING_OF = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
])

/** Words that begin a part of a SELECT, or the next SELECT. */
const CLAUSE_WORDS =
  "select from prewhere where group having window order limit offset settings union with"
const JOIN_WORDS = "join inner left right full cross on using"
const OPERATOR_WORDS = "and or not in is like ilike between"
const OTHER_WORDS = "as by asc desc distinct over case when then else end"

/** Where something went wrong, reading goes on at one of these. */
export const RESUMING: ReadonlySet<string> = wordSet(
  "from prewhere where group having order limit union",
)

/** Can not stand unquoted for a column or table, but after a dot. */
export const RESERVED: ReadonlySet<string> = difference(
  wordSet(CLAUSE_WORDS, JOIN_WORDS, OPERATOR_WORDS, OTHER_WORDS),
  wordSet("window offset settings"),
)

/** Can not be an alias without AS, since what follows would read otherwise. */
export const NO_BARE_ALIAS: ReadonlySet<string> = wordSet(
  [...RESERVED].join(" "),
  "array window offset settings sample final format intersect except qualify",
)

/** Constants that are written as words. */
export const CONSTANT_WORDS: ReadonlyMap<string, number | boolean | null> = new Map<
  string,
  number | boolean | null
>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["inf", Number.POSITIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["nan", Number.NaN],
])

/** Reserved words that are also names of functions. */
export const CALLABLE: ReadonlySet<string> = wordSet("and or in like ilike left right")

/** Names that the language or the product needs for itself. */
export const NO_ALIAS: ReadonlySet<string> = wordSet("true false null team_id")

function wordSet(...lists: readonly string[]): Set<string> {
  return new Set(lists.join(" ").split(" "))
}

function difference(words: Set<string>, without: Set<string>): Set<string> {
  return new Set([...words].filter((word) => !without.has(word)))
}
