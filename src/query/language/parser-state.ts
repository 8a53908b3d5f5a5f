/**
 * Where the parser is, and how it goes on after a mistake: `stumble` notes the problem and leaves by an
 * exception, which the next list, bracket or clause catches to resume behind what could not be read.
 */
import type { ExprAst, QueryAst, Span } from "./ast.ts"
import { PROBLEMS_MAX_COUNT, shorten, tokenize } from "./lexer.ts"
import { type Brackets, matchBrackets, NESTING_MAX_LEVELS } from "./parser-brackets.ts"
import { findMisspelt } from "./parser-spelling.ts"
import type { Problem, ProblemCode } from "./problems.ts"
import { RESUMING, type Token } from "./tokens.ts"

export interface Parser {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly brackets: Brackets
  readonly problems: Problem[]
  /** The rules that refer to each other across files. */
  readonly grammar: Grammar
  index: number
  depth: number
  /** Something was skipped: the tree is not what the text says. */
  isBroken: boolean
  /** A bracket is open that is never closed, and no new clause has begun. */
  isInDoubt: boolean
}

export interface Grammar {
  /** One expression, which may have an alias with AS. */
  readonly expression: (parser: Parser) => ExprAst
  /** One expression without an alias. */
  readonly plainExpression: (parser: Parser) => ExprAst
  /** What stands between two operators. */
  readonly operand: (parser: Parser) => ExprAst
  readonly query: (parser: Parser) => QueryAst
}

export interface Finding {
  readonly message: string
  readonly span?: Span
  readonly code?: ProblemCode
  readonly suggestion?: string | undefined
}

/** Thrown after a problem was noted. */
class Stumble extends Error {}
/** Thrown when reading on is of no use. */
export class Surrender extends Error {}

export function createParser(text: string, grammar: Grammar): Parser {
  const { tokens, problems: unread } = tokenize(text)
  const brackets = matchBrackets(tokens)
  const problems = [...unread, ...brackets.problems].slice(0, PROBLEMS_MAX_COUNT)
  const isBroken = problems.length > 0
  return {
    text,
    tokens,
    brackets,
    problems,
    grammar,
    index: 0,
    depth: 0,
    isBroken,
    isInDoubt: false,
  }
}

export function peek(parser: Parser, ahead = 0): Token {
  const { tokens, index } = parser
  const token = tokens[Math.min(index + ahead, tokens.length - 1)]
  if (token === undefined) throw new Surrender("there is always an end")
  return token
}

export function isSign(token: Token, sign: string): boolean {
  return token.kind === "sign" && token.text === sign
}

export function isWord(token: Token, word: string): boolean {
  return token.kind === "name" && token.word === word
}

export function take(parser: Parser): Token {
  const token = peek(parser)
  if (token.kind !== "end") parser.index++
  return token
}

export function takeSign(parser: Parser, sign: string): Token | undefined {
  return isSign(peek(parser), sign) ? take(parser) : undefined
}

/** Takes the words when all of them come next, in this order. */
export function takeWords(parser: Parser, ...words: readonly string[]): boolean {
  if (!words.every((word, ahead) => isWord(peek(parser, ahead), word))) return false
  parser.index += words.length
  return true
}

export function expectSign(parser: Parser, sign: string, where: string): void {
  if (takeSign(parser, sign) === undefined) stumble(parser, expected(parser, `${sign} ${where}`))
}

export function expectWord(parser: Parser, word: string, where: string): void {
  if (takeWords(parser, word)) return
  stumble(parser, expected(parser, `${word.toUpperCase()} ${where}`))
}

/** From a token's start to the end of what was read last. */
export function spanFrom(parser: Parser, start: Span): Span {
  const last = parser.tokens[parser.index - 1]
  return { start: start.start, end: Math.max(last?.end ?? start.end, start.end) }
}

export function spanOf({ start, end }: Span): Span {
  return { start, end }
}

export function report(parser: Parser, finding: Finding): void {
  const { message, span = spanOf(peek(parser)), code = "syntax_error", suggestion } = finding
  const hint = suggestion === undefined ? {} : { suggestion }
  parser.problems.push({ code, message, span, ...hint })
  if (parser.problems.length >= PROBLEMS_MAX_COUNT) throw new Surrender("enough problems")
}

export function stumble(parser: Parser, finding: Finding): never {
  parser.isBroken = true
  if (!isExplained(parser)) report(parser, finding)
  throw new Stumble(finding.message)
}

/** What was left out just before, or a bracket that is never closed, is the mistake, not what follows. */
function isExplained({ problems, tokens, index, isInDoubt }: Parser): boolean {
  const gapStart = tokens[index - 1]?.end ?? 0
  const found = tokens[index]?.start ?? 0
  const isNear = ({ span }: Problem) => span.start >= gapStart && span.start <= found
  return isInDoubt || problems.some(isNear)
}

/** Leaves as after `stumble`, when the problem is noted already. */
export function abandon(parser: Parser): never {
  parser.isBroken = true
  throw new Stumble("noted before")
}

/** "Expected …, found …", or the keyword that was probably meant. */
export function expected(parser: Parser, what: string): Finding {
  const found = peek(parser)
  const before = parser.tokens[parser.index - 1]
  const misspelt = findMisspelt(found) ?? (before && findMisspelt(before))
  if (misspelt !== undefined) {
    const { token, keyword } = misspelt
    const message = `${describe(parser, token)} is not understood here.`
    return { message, span: spanOf(token), suggestion: `Did you mean ${keyword}?` }
  }
  return { message: `Expected ${what}, found ${describe(parser, found)}.` }
}

export function describe(parser: Parser, token: Token): string {
  if (token.kind === "end") return "the end of the text"
  const piece = shorten(parser.text.slice(token.start, token.end))
  return token.kind === "string" ? piece : `"${piece}"`
}

/** Runs a rule one level deeper, so that no text overflows the stack. */
export function nested<T>(parser: Parser, rule: (parser: Parser) => T): T {
  if (parser.depth >= NESTING_MAX_LEVELS) {
    const message = `Expressions are nested deeper than ${NESTING_MAX_LEVELS} levels.`
    parser.isBroken = true
    report(parser, { code: "too_complex", message })
    throw new Surrender(message)
  }
  parser.depth++
  const result = rule(parser)
  parser.depth--
  return result
}

/** Runs a rule; after a mistake in it, reading goes on where `isStop` or a bracket's end says. */
export function recovering<T>(
  parser: Parser,
  rule: (parser: Parser) => T,
  isStop: (token: Token) => boolean,
): T | undefined {
  const { depth } = parser
  try {
    return rule(parser)
  } catch (error) {
    if (!(error instanceof Stumble)) throw error
    parser.depth = depth
    skipTo(parser, isStop)
    return undefined
  }
}

/** Skips whole brackets; the end of the enclosing one and a word that begins a clause always stop. */
function skipTo(parser: Parser, isStop: (token: Token) => boolean): void {
  const { closingOf, paired } = parser.brackets
  for (let token = peek(parser); token.kind !== "end"; token = peek(parser)) {
    const isMember = isSign(parser.tokens[parser.index - 1] ?? token, ".")
    if (isStop(token) || paired.has(parser.index) || (isResuming(parser) && !isMember)) return
    parser.index = (closingOf.get(parser.index) ?? parser.index) + 1
  }
}

/** The next token begins a clause, or ends the statement. */
export function isResuming(parser: Parser): boolean {
  const token = peek(parser)
  if (isSign(token, ";")) return true
  if (token.kind !== "name" || !RESUMING.has(token.word)) return false
  const needsBy = token.word === "group" || token.word === "order"
  return !needsBy || isWord(peek(parser, 1), "by")
}
