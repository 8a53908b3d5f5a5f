/** Keywords that were probably meant. Asked only where a text is wrong anyway. */
import { RESERVED, type Token } from "./tokens.ts"

const KEYWORDS = [
  "select",
  "distinct",
  "from",
  "prewhere",
  "where",
  "group",
  "having",
  "order",
  "limit",
  "offset",
  "union",
  "join",
  "inner",
  "left",
  "right",
  "cross",
  "between",
  "and",
  "like",
  "ilike",
  "when",
  "then",
  "else",
  "desc",
  "partition",
  "preceding",
  "following",
  "unbounded",
  "interval",
]

/** In shorter words everything is one slip away. */
const WORD_MIN_LENGTH = 3

/** A word one slip away from a keyword: a letter more, less, or other, or two exchanged. */
export function findMisspelt(token: Token): { token: Token; keyword: string } | undefined {
  if (token.kind !== "name" || token.word.length < WORD_MIN_LENGTH) return undefined
  if (RESERVED.has(token.word)) return undefined
  const keyword = KEYWORDS.find((candidate) => isOneSlip(token.word, candidate))
  return keyword === undefined ? undefined : { token, keyword: keyword.toUpperCase() }
}

function isOneSlip(word: string, keyword: string): boolean {
  if (word === keyword || Math.abs(word.length - keyword.length) > 1) return false
  let start = 0
  while (start < word.length && word[start] === keyword[start]) start++
  const rest = (text: string, from: number) => text.slice(start + from)
  if (rest(word, 1) === rest(keyword, 1)) return true
  if (rest(word, 1) === rest(keyword, 0) || rest(word, 0) === rest(keyword, 1)) return true
  const isExchange = word[start] === keyword[start + 1] && word[start + 1] === keyword[start]
  return isExchange && rest(word, 2) === rest(keyword, 2)
}
