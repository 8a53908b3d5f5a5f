/** Dates and spans of time as SQL writes them. */
import { type ExprAst, INTERVAL_UNITS, type IntervalUnit } from "./ast.ts"
import { isPlainName } from "./parser-names.ts"
import {
  expected,
  isSign,
  type Parser,
  peek,
  spanFrom,
  spanOf,
  stumble,
  take,
  takeSign,
} from "./parser-state.ts"
import type { Token } from "./tokens.ts"

/** `DATE '2026-01-02'`, `TIMESTAMP '2026-01-02 03:04:05'`. */
export function parseDateLiteral(parser: Parser): ExprAst {
  const start = take(parser)
  const token = take(parser)
  const args: ExprAst[] = [{ kind: "constant", value: token.text, span: spanOf(token) }]
  const name = start.word === "date" ? "toDate" : "toDateTime"
  const nameSpan = spanOf(start)
  return { kind: "call", name, nameSpan, args, distinct: false, span: spanFrom(parser, start) }
}

/** As opposed to a column of the name `interval`. */
export function startsInterval(parser: Parser, next: Token): boolean {
  if (next.kind === "number" || next.kind === "string" || isSign(next, "{")) return true
  if (isSign(next, "-")) return peek(parser, 2).kind === "number" && isUnit(peek(parser, 3))
  if (!isSign(next, "(")) return isPlainName(next)
  const closing = parser.brackets.closingOf.get(parser.index + 1)
  const behind = closing === undefined ? undefined : parser.tokens[closing + 1]
  return behind !== undefined && isUnit(behind)
}

function isUnit(token: Token): boolean {
  return token.kind === "name" && findUnit(token.word) !== undefined
}

function findUnit(word: string): IntervalUnit | undefined {
  return INTERVAL_UNITS.find((unit) => word === unit || word === `${unit}s`)
}

/** `INTERVAL 1 DAY`, `INTERVAL '1' DAY`, `INTERVAL '1 day'`. */
export function parseInterval(parser: Parser): ExprAst {
  const start = take(parser)
  const literal = peek(parser)
  const spelt = literal.kind === "string" ? /^\s*(-?\d+)\s*([a-z]*)\s*$/i.exec(literal.text) : null
  if (spelt?.[1] === undefined) return parseIntervalOf(parser, start, parseAmount(parser))
  take(parser)
  const amount = { kind: "constant", value: Number(spelt[1]), span: spanOf(literal) } as const
  const unit = findUnit(spelt[2]?.toLowerCase() ?? "")
  if (unit === undefined) return parseIntervalOf(parser, start, amount)
  return { kind: "interval", amount, unit, span: spanFrom(parser, start) }
}

function parseIntervalOf(parser: Parser, start: Token, amount: ExprAst): ExprAst {
  const token = peek(parser)
  const unit = token.kind === "name" ? findUnit(token.word) : undefined
  if (unit === undefined) {
    stumble(parser, expected(parser, `a unit after INTERVAL (${INTERVAL_UNITS.join(", ")})`))
  }
  take(parser)
  return { kind: "interval", amount, unit, span: spanFrom(parser, start) }
}

function parseAmount(parser: Parser): ExprAst {
  const sign = takeSign(parser, "-")
  const amount = parser.grammar.operand(parser)
  if (sign === undefined || amount.kind !== "constant") return amount
  return { kind: "constant", value: -Number(amount.value), span: spanFrom(parser, sign) }
}
