/** What stands between operators: constants, names, brackets, calls, and what follows them tightly. */
import type { ExprAst } from "./ast.ts"
import { parseCall } from "./parser-calls.ts"
import { parseCase, parseLambda } from "./parser-forms.ts"
import { bracketList, bracketOne, inBracket } from "./parser-lists.ts"
import {
  isPlainName,
  parseField,
  parseMember,
  reportZero,
  withQuotingHint,
} from "./parser-names.ts"
import {
  describe,
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
} from "./parser-state.ts"
import { parseDateLiteral, parseInterval, startsInterval } from "./parser-time.ts"
import { parseType } from "./parser-types.ts"
import { CALLABLE, CONSTANT_WORDS, RESERVED, type Token } from "./tokens.ts"

/** An operand with its `[…]`, `.name`, `.1` and `::Type`. */
export function parseOperand(parser: Parser): ExprAst {
  const start = peek(parser)
  let expr = parsePrimary(parser)
  for (;;) {
    const token = peek(parser)
    if (isSign(token, "[")) expr = parseAccess(parser, expr, start)
    else if (isSign(token, ".")) {
      const name = parseMember(parser)
      expr = { kind: "member", object: expr, name, span: spanFrom(parser, start) }
    } else if (isSign(token, "::")) {
      take(parser)
      const type = parseType(parser)
      const span = spanFrom(parser, start)
      expr = { kind: "cast", operand: expr, type: type.text, typeSpan: type.span, span }
    } else return expr
  }
}

function parseAccess(parser: Parser, object: ExprAst, start: Token): ExprAst {
  const index = bracketOne(parser, parser.grammar.expression)
  if (index.kind === "constant" && index.value === 0) reportZero(parser, index.span)
  return { kind: "access", object, index, span: spanFrom(parser, start) }
}

function parsePrimary(parser: Parser): ExprAst {
  const token = peek(parser)
  if (token.kind === "name" || token.kind === "quoted") return parseNamed(parser)
  if (token.kind === "string") {
    return { kind: "constant", value: take(parser).text, span: spanOf(token) }
  }
  if (token.kind === "number") return parseNumber(parser)
  if (token.kind === "sign") {
    if (token.text === "(") return parseParentheses(parser)
    if (token.text === "[") {
      const items = bracketList(parser, parser.grammar.expression)
      return { kind: "array", items, span: spanFrom(parser, token) }
    }
    if (token.text === "{") {
      const expr = bracketOne(parser, parser.grammar.expression)
      return { kind: "placeholder", expr, span: spanFrom(parser, token) }
    }
    if (token.text === "*") return { kind: "star", span: spanOf(take(parser)) }
  }
  return stumble(parser, expected(parser, "an expression"))
}

function parseNumber(parser: Parser): ExprAst {
  const token = take(parser)
  const value = Number(token.text)
  const isInteger = /^(0x[0-9a-f]+|\d+)$/i.test(token.text)
  if (isInteger && (!Number.isFinite(value) || BigInt(token.text) !== BigInt(value))) {
    report(parser, {
      code: "unsupported",
      message: `The number ${describe(parser, token)} can not be held exactly.`,
      span: spanOf(token),
      suggestion: "Write it as a string, or with a decimal point if it need not be exact.",
    })
  }
  return { kind: "constant", value, span: spanOf(token) }
}

function parseNamed(parser: Parser): ExprAst {
  const token = peek(parser)
  const next = peek(parser, 1)
  if (isSign(next, "->") && isPlainName(token)) return parseLambda(parser)
  const isCall = isSign(next, "(")
  if (token.kind === "quoted") return isCall ? parseCall(parser) : parseField(parser)
  const constant = CONSTANT_WORDS.get(token.word)
  if (constant !== undefined && !isCall && !isSign(next, ".")) {
    return { kind: "constant", value: constant, span: spanOf(take(parser)) }
  }
  if (token.word === "case") return parseCase(parser)
  if (token.word === "interval" && startsInterval(parser, next)) return parseInterval(parser)
  if (next.kind === "string" && (token.word === "date" || token.word === "timestamp")) {
    return parseDateLiteral(parser)
  }
  if (isCall && (CALLABLE.has(token.word) || !RESERVED.has(token.word))) return parseCall(parser)
  if (RESERVED.has(token.word)) {
    const hint =
      token.word === "select" ? "Put a query in an expression in parentheses." : undefined
    const finding = expected(parser, "an expression")
    stumble(parser, withQuotingHint(token, hint ? { ...finding, suggestion: hint } : finding))
  }
  return parseField(parser)
}

/** `(query)`, `(a)`, `(a, b)`, `(a,)`, `()`, `(x, y) -> …`. */
function parseParentheses(parser: Parser): ExprAst {
  const start = peek(parser)
  const closingIndex = parser.brackets.closingOf.get(parser.index)
  const behind = parser.tokens[(closingIndex ?? parser.tokens.length) + 1]
  if (behind !== undefined && isSign(behind, "->")) return parseLambda(parser)
  if (startsQuery(parser)) {
    const query = inBracket(parser, parser.grammar.query)
    return { kind: "query", query, span: spanFrom(parser, start) }
  }
  let isTuple = isSign(peek(parser, 1), ")")
  const items = bracketList(parser, (inner) => {
    const item = parser.grammar.expression(inner)
    if (isSign(peek(inner), ",")) isTuple = true
    return item
  })
  const [first] = items
  if (!isTuple && items.length === 1 && first !== undefined) return first
  return { kind: "tuple", items, span: spanFrom(parser, start) }
}

/** `(SELECT …`, or `((SELECT …) UNION …`. */
function startsQuery(parser: Parser): boolean {
  const next = peek(parser, 1)
  if (isWord(next, "select") || isWord(next, "with")) return true
  const closingIndex = parser.brackets.closingOf.get(parser.index + 1)
  const behind = closingIndex === undefined ? undefined : parser.tokens[closingIndex + 1]
  return behind !== undefined && isSign(next, "(") && isWord(behind, "union")
}
