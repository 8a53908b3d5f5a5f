/** Names of columns, aliases and functions. */
import type { ExprAst, Span } from "./ast.ts"
import {
  expected,
  isSign,
  isWord,
  type Parser,
  peek,
  report,
  spanFrom,
  spanOf,
  stumble,
  take,
  takeWords,
} from "./parser-state.ts"
import { NO_ALIAS, NO_BARE_ALIAS, RESERVED, type Token } from "./tokens.ts"

export interface Name {
  readonly name: string
  readonly span: Span
}

/** A name as it may stand on its own: quoted, or no word of the language. */
export function isPlainName(token: Token): boolean {
  return token.kind === "quoted" || (token.kind === "name" && !RESERVED.has(token.word))
}

export function parsePlainName(parser: Parser, what: string): Name {
  const token = peek(parser)
  if (!isPlainName(token)) stumble(parser, withQuotingHint(token, expected(parser, what)))
  take(parser)
  return { name: token.text, span: spanOf(token) }
}

/** `a.b.c`, `a.1`, `a.*`. */
export function parseField(parser: Parser): ExprAst {
  const start = peek(parser)
  const chain: (string | number)[] = [parsePlainName(parser, "a name").name]
  while (isSign(peek(parser), ".")) {
    if (isSign(peek(parser, 1), "*")) return parseTableStar(parser, { chain, start })
    chain.push(parseMember(parser))
  }
  return { kind: "field", chain, span: spanFrom(parser, start) }
}

/** `.name` or `.1`. */
export function parseMember(parser: Parser): string | number {
  take(parser)
  const token = peek(parser)
  if (token.kind !== "name" && token.kind !== "quoted" && token.kind !== "number") {
    stumble(parser, expected(parser, "a name or a number after the point"))
  }
  take(parser)
  if (token.kind !== "number") return token.text
  const position = Number(token.text)
  if (position === 0) reportZero(parser, token)
  return position
}

export function reportZero(parser: Parser, span: Span): void {
  const message = "Positions in arrays and tuples start at one, not at zero."
  report(parser, { message, span: spanOf(span), suggestion: "The first item is list[1]." })
}

function parseTableStar(
  parser: Parser,
  { chain, start }: { chain: readonly (string | number)[]; start: Token },
): ExprAst {
  take(parser)
  take(parser)
  const span = spanFrom(parser, start)
  const [table] = chain
  if (chain.length > 1 || typeof table !== "string") {
    const message = `Only the name of a table can stand before .*, found ${chain.join(".")}.`
    report(parser, { message, span })
  }
  return { kind: "star", table: String(table), span }
}

/** The name behind AS, which may be a string. */
function parseAliasName(parser: Parser): Name {
  const token = peek(parser)
  const isName = token.kind === "name" && !startsClause(parser, token)
  if (!isName && token.kind !== "quoted" && token.kind !== "string") {
    stumble(parser, withQuotingHint(token, expected(parser, "a name after AS")))
  }
  take(parser)
  return checkAlias(parser, token)
}

/** A name that follows without AS. */
function takeBareAlias(parser: Parser): Name | undefined {
  const token = peek(parser)
  if (token.kind !== "name" && token.kind !== "quoted") return undefined
  if (token.kind === "name" && NO_BARE_ALIAS.has(token.word)) return undefined
  take(parser)
  return checkAlias(parser, token)
}

export function checkAlias(parser: Parser, token: Token): Name {
  if (NO_ALIAS.has(token.text.toLowerCase())) {
    const message = `"${token.text}" can not be used as a name: it has a meaning of its own.`
    report(parser, { message, span: spanOf(token), suggestion: "Choose another name." })
  }
  return { name: token.text, span: spanOf(token) }
}

/** `expr AS name`, and with `isBareAllowed` also `expr name`. */
export function parseAliased(parser: Parser, isBareAllowed: boolean): ExprAst {
  const start = peek(parser)
  const expr = parser.grammar.plainExpression(parser)
  const alias = takeAlias(parser, isBareAllowed)
  if (alias === undefined) return expr
  const span = spanFrom(parser, start)
  return { kind: "alias", expr, name: alias.name, nameSpan: alias.span, span }
}

export function takeAlias(parser: Parser, isBareAllowed: boolean): Name | undefined {
  if (takeWords(parser, "as")) return parseAliasName(parser)
  return isBareAllowed ? takeBareAlias(parser) : undefined
}

const NEVER_ALIAS = new Set(["from", "prewhere", "where", "having", "limit", "union"])

function startsClause(parser: Parser, token: Token): boolean {
  if (NEVER_ALIAS.has(token.word)) return true
  return (token.word === "group" || token.word === "order") && isWord(peek(parser, 1), "by")
}

/** Words that a column may well be called. */
const MISTAKEN_FOR_NAMES = new Set(["group", "order", "left", "right", "full", "end", "case", "by"])

export function withQuotingHint(token: Token, finding: ReturnType<typeof expected>) {
  if (finding.suggestion !== undefined || !MISTAKEN_FOR_NAMES.has(token.word)) return finding
  const suggestion = `If it is a name, write it in backticks: \`${token.text}\`.`
  return { ...finding, suggestion }
}
