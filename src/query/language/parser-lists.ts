/** Brackets and lists with commas. A mistake in one item leaves the others readable. */
import {
  abandon,
  expected,
  isResuming,
  isSign,
  type Parser,
  peek,
  recovering,
  stumble,
  take,
  takeSign,
} from "./parser-state.ts"
import { CLOSING_OF, type Token } from "./tokens.ts"

/** Takes the bracket that comes next, what the rule reads, and the bracket's end. */
export function inBracket<T>(parser: Parser, rule: (parser: Parser) => T): T {
  const openingIndex = parser.index
  const closing = CLOSING_OF.get(take(parser).text) ?? ")"
  const closingIndex = parser.brackets.closingOf.get(openingIndex)
  if (closingIndex === undefined) parser.isInDoubt = true
  try {
    const result = rule(parser)
    if (closingIndex === undefined) return result
    if (parser.index === closingIndex) take(parser)
    else stumble(parser, expected(parser, closing === "}" ? closing : `a comma or ${closing}`))
    return result
  } catch (error) {
    if (closingIndex !== undefined) parser.index = closingIndex + 1
    throw error
  }
}

/** `(a, b)`; a comma may stand behind the last. */
export function bracketList<T>(parser: Parser, item: (parser: Parser) => T): T[] {
  return inBracket(parser, () => itemsOfBracket(parser, item))
}

/** What a bracket holds whose opening is taken. */
export function itemsOfBracket<T>(parser: Parser, item: (parser: Parser) => T): T[] {
  const next = peek(parser)
  if (isClosing(next) || isResuming(parser) || next.kind === "end") return []
  return commaList(parser, item)
}

/** `[a]`, `{a}`: exactly one. */
export function bracketOne<T>(parser: Parser, item: (parser: Parser) => T): T {
  return inBracket(parser, () => {
    const read = recovering(parser, item, isClosing)
    return read === undefined ? abandon(parser) : read
  })
}

/** At least one; ends where no comma follows, or behind a comma when a bracket ends there. */
export function commaList<T>(
  parser: Parser,
  item: (parser: Parser) => T,
  isStop: (token: Token) => boolean = isComma,
): T[] {
  const items: T[] = []
  do {
    if (items.length > 0 && isClosing(peek(parser))) break
    const read = recovering(parser, item, isStop)
    if (read !== undefined) items.push(read)
  } while (takeSign(parser, ",") !== undefined)
  return items
}

export function isClosing(token: Token): boolean {
  return token.kind === "sign" && ")]}".includes(token.text)
}

export function isComma(token: Token): boolean {
  return isSign(token, ",")
}
