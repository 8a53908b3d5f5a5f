/** `LIMIT n [OFFSET m | , m] [WITH TIES | BY columns]`, and `TOP n`. */
import type { ExprAst, LimitAst } from "./ast.ts"
import { commaList } from "./parser-lists.ts"
import {
  isWord,
  type Parser,
  peek,
  spanFrom,
  spanOf,
  take,
  takeSign,
  takeWords,
} from "./parser-state.ts"

export interface Limits {
  readonly limit?: LimitAst
  readonly limitBy?: { readonly limit: LimitAst; readonly by: readonly ExprAst[] }
}

export function parseLimit(parser: Parser): Limits {
  const start = take(parser)
  const { plainExpression } = parser.grammar
  const count = plainExpression(parser)
  const hasOffset = takeSign(parser, ",") !== undefined || takeWords(parser, "offset")
  const offset = hasOffset ? { offset: plainExpression(parser) } : {}
  const withTies = takeWords(parser, "with", "ties")
  const limit = { count, ...offset, withTies, span: spanFrom(parser, start) }
  if (withTies || !takeWords(parser, "by")) return { limit }
  return { limitBy: { limit, by: commaList(parser, plainExpression) } }
}

/** As opposed to a column of the name `top`. */
export function startsTop(parser: Parser): boolean {
  return isWord(peek(parser), "top") && peek(parser, 1).kind === "number"
}

export function parseTop(parser: Parser): LimitAst {
  const start = take(parser)
  const token = take(parser)
  const count: ExprAst = { kind: "constant", value: Number(token.text), span: spanOf(token) }
  const withTies = takeWords(parser, "with", "ties")
  return { count, withTies, span: spanFrom(parser, start) }
}
