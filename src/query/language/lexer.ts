/** Text to tokens, in one pass. What is no token becomes a problem and is left out. */
import type { Span } from "./ast.ts"
import { readQuoted } from "./lexer-quotes.ts"
import type { Problem, ProblemCode } from "./problems.ts"
import { SIGNS, type Token } from "./tokens.ts"

/** 256 Ki UTF-16 units. */
export const TEXT_MAX_CHARACTERS = 262_144
export const TOKENS_MAX_COUNT = 50_000
/** Whoever has so many to mend does not read on. */
export const PROBLEMS_MAX_COUNT = 20

export interface Lexed {
  /** The last one has the kind `end`. */
  readonly tokens: readonly Token[]
  /** What stands behind `--`, without it. */
  readonly lineComments: readonly Span[]
  readonly problems: readonly Problem[]
}

interface Lexer {
  readonly text: string
  readonly tokens: Token[]
  readonly lineComments: Span[]
  readonly problems: Problem[]
  at: number
}

const BLANK = /\s+/y
const NAME = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/uy
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const DIGITS = /\d+/y
/** Letters glued to a number; also a second point. */
const NUMBER_TAIL = /[\p{L}\p{N}_$.]+/uy

const SIGNS_BY_START = new Map(
  SIGNS.map(([start = ""]) => [start, SIGNS.filter((sign) => sign.startsWith(start))]),
)

const LOOKALIKES = new Map([
  ["‘", "Quote strings with '."],
  ["’", "Quote strings with '."],
  ["“", "Quote strings with ' and names with \"."],
  ["”", "Quote strings with ' and names with \"."],
  ["&", "Write AND."],
  ["!", "Write NOT."],
  ["|", "Write OR, or || to join texts."],
  ["#", "Begin a comment with --."],
])

export function tokenize(text: string): Lexed {
  const lexer: Lexer = { text, tokens: [], lineComments: [], problems: [], at: 0 }
  if (text.length > TEXT_MAX_CHARACTERS) {
    const end = text.length
    const message = `The text has ${end} characters; at most ${TEXT_MAX_CHARACTERS} are read.`
    report(lexer, { code: "too_complex", message, span: { start: 0, end } })
    lexer.at = end
  }
  while (lexer.at < text.length) {
    if (lexer.tokens.length >= TOKENS_MAX_COUNT) {
      const span = { start: lexer.at, end: text.length }
      const message = `The text has more than ${TOKENS_MAX_COUNT} words and signs.`
      report(lexer, { code: "too_complex", message, span })
      break
    }
    readNext(lexer)
  }
  push(lexer, { kind: "end", end: text.length, text: "", start: text.length })
  return lexer
}

function readNext(lexer: Lexer): void {
  const { text, at } = lexer
  const char = text.charAt(at)
  const blankEnd = char <= " " || char > "~" ? matchEnd(BLANK, text, at) : undefined
  if (blankEnd !== undefined) lexer.at = blankEnd
  else if (char === "-" && text.startsWith("--", at)) readLineComment(lexer)
  else if (char === "/" && text.startsWith("/*", at)) readBlockComment(lexer)
  else if (char === "'" || char === '"' || char === "`") readQuotes(lexer)
  else if (isNumberStart(lexer)) readNumber(lexer)
  else readNameOrSign(lexer)
}

function readLineComment(lexer: Lexer): void {
  const lineEnd = lexer.text.indexOf("\n", lexer.at)
  const end = lineEnd === -1 ? lexer.text.length : lineEnd
  lexer.lineComments.push({ start: lexer.at + 2, end })
  lexer.at = end
}

function readBlockComment(lexer: Lexer): void {
  const start = lexer.at
  const close = lexer.text.indexOf("*/", start + 2)
  if (close === -1) {
    const message = "The comment that begins here with /* is never closed."
    report(lexer, { message, span: { start, end: start + 2 }, suggestion: "Close it with */." })
  }
  lexer.at = close === -1 ? lexer.text.length : close + 2
}

function readQuotes(lexer: Lexer): void {
  const start = lexer.at
  const quote = lexer.text.charAt(start)
  const quoted = readQuoted(lexer.text, start)
  if (quoted === undefined) {
    const message = `The ${quote === "'" ? "string" : "name"} that begins here with ${quote} is never closed.`
    report(lexer, { message, span: { start, end: lexer.text.length } })
    lexer.at = lexer.text.length
    return
  }
  if (quote !== "'" && quoted.value === "") {
    const message = "A name in quotes is empty."
    report(lexer, { message, span: { start, end: quoted.end } })
  }
  const kind = quote === "'" ? "string" : "quoted"
  push(lexer, { kind, start, end: quoted.end, text: quoted.value })
}

function isNumberStart({ text, at, tokens }: Lexer): boolean {
  const char = text.charAt(at)
  if (isDigit(char)) return true
  if (char !== "." || !isDigit(text.charAt(at + 1))) return false
  // `.5` is a number, but the point of `list.5` and `(1, 2).1` is a sign of its own.
  const before = tokens.at(-1)
  if (before === undefined || before.end !== at) return true
  return before.kind === "sign" && !")]}".includes(before.text)
}

function readNumber(lexer: Lexer): void {
  const { text, at: start } = lexer
  const isMember = lexer.tokens.at(-1)?.text === "." && lexer.tokens.at(-1)?.kind === "sign"
  const end = matchEnd(isMember ? DIGITS : NUMBER, text, start) ?? start + 1
  const tailEnd =
    isMember && text.charAt(end) === "." ? undefined : matchEnd(NUMBER_TAIL, text, end)
  if (tailEnd !== undefined) {
    const message = `"${shorten(text.slice(start, tailEnd))}" is neither a number nor a name.`
    const suggestion = isMember ? "Put a name that begins with a digit in backticks." : undefined
    report(lexer, { message, span: { start, end: tailEnd }, suggestion })
  }
  push(lexer, { kind: "number", start, end: tailEnd ?? end, text: text.slice(start, end) })
}

function readNameOrSign(lexer: Lexer): void {
  const { text, at: start } = lexer
  const nameEnd = matchEnd(NAME, text, start)
  if (nameEnd !== undefined) {
    push(lexer, { kind: "name", start, end: nameEnd, text: text.slice(start, nameEnd) })
    return
  }
  const candidates = SIGNS_BY_START.get(text.charAt(start))
  const sign = candidates?.find((candidate) => text.startsWith(candidate, start))
  if (sign !== undefined) {
    push(lexer, { kind: "sign", start, end: start + sign.length, text: sign })
    return
  }
  const char = String.fromCodePoint(text.codePointAt(start) ?? 0)
  const end = start + char.length
  const suggestion = LOOKALIKES.get(char)
  report(lexer, { message: `"${char}" means nothing here.`, span: { start, end }, suggestion })
  lexer.at = end
}

function push(lexer: Lexer, { kind, start, end, text }: Omit<Token, "word">): void {
  const word = kind === "name" ? text.toLowerCase() : text
  lexer.tokens.push({ kind, start, end, text, word })
  lexer.at = end
}

interface Finding {
  readonly code?: ProblemCode
  readonly message: string
  readonly span: Span
  readonly suggestion?: string | undefined
}

function report(lexer: Lexer, { code = "syntax_error", suggestion, ...finding }: Finding): void {
  if (lexer.problems.length >= PROBLEMS_MAX_COUNT) return
  const hint = suggestion === undefined ? {} : { suggestion }
  lexer.problems.push({ code, ...finding, ...hint })
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9" && char.length === 1
}

const SHOWN_MAX_CHARACTERS = 40

/** A piece of the text for a message. */
export function shorten(piece: string): string {
  return piece.length <= SHOWN_MAX_CHARACTERS ? piece : `${piece.slice(0, SHOWN_MAX_CHARACTERS)}…`
}
