/** Names of types, as `CAST` and `::` take them: `Nullable(String)`, `DateTime64(3, 'UTC')`. */
import type { Span } from "./ast.ts"
import { printQuoted } from "./lexer-quotes.ts"
import { bracketList } from "./parser-lists.ts"
import { expected, isSign, type Parser, peek, spanFrom, stumble, take } from "./parser-state.ts"

export interface TypeName {
  /** One space behind commas, none elsewhere. */
  readonly text: string
  readonly span: Span
}

export function parseType(parser: Parser): TypeName {
  const start = peek(parser)
  const text = parseTypeText(parser)
  return { text, span: spanFrom(parser, start) }
}

/** Also in several words: `double precision`. */
export function parseLongType(parser: Parser): TypeName {
  const start = peek(parser)
  let text = parseTypeText(parser)
  while (peek(parser).kind === "name") text += ` ${parseTypeText(parser)}`
  return { text, span: spanFrom(parser, start) }
}

function parseTypeText(parser: Parser): string {
  const token = peek(parser)
  if (token.kind !== "name") stumble(parser, expected(parser, "the name of a type"))
  take(parser)
  if (!isSign(peek(parser), "(")) return token.text
  return `${token.text}(${bracketList(parser, parseTypeArgument).join(", ")})`
}

function parseTypeArgument(parser: Parser): string {
  const { kind, text } = peek(parser)
  if (kind !== "number" && kind !== "string") return parseTypeText(parser)
  take(parser)
  return kind === "number" ? text : printQuoted(text, "'")
}
