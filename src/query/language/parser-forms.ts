/** CASE and lambdas. */
import type { ExprAst } from "./ast.ts"
import { bracketList } from "./parser-lists.ts"
import { checkAlias, isPlainName } from "./parser-names.ts"
import {
  expected,
  expectWord,
  isSign,
  isWord,
  type Parser,
  peek,
  spanFrom,
  stumble,
  take,
  takeSign,
  takeWords,
} from "./parser-state.ts"

export function parseLambda(parser: Parser): ExprAst {
  const start = peek(parser)
  const names = isSign(start, "(") ? bracketList(parser, parseParam) : [parseParam(parser)]
  if (takeSign(parser, "->") === undefined) stumble(parser, expected(parser, "->"))
  const body = parser.grammar.plainExpression(parser)
  return { kind: "lambda", params: names, body, span: spanFrom(parser, start) }
}

function parseParam(parser: Parser): string {
  const token = peek(parser)
  if (!isPlainName(token)) stumble(parser, expected(parser, "a name before ->"))
  return checkAlias(parser, take(parser)).name
}

export function parseCase(parser: Parser): ExprAst {
  const start = take(parser)
  const { plainExpression } = parser.grammar
  const operand = isWord(peek(parser), "when") ? {} : { operand: plainExpression(parser) }
  const branches: { when: ExprAst; result: ExprAst }[] = []
  if (!isWord(peek(parser), "when")) stumble(parser, expected(parser, "WHEN after CASE"))
  while (takeWords(parser, "when")) {
    const when = plainExpression(parser)
    expectWord(parser, "then", "after the condition of WHEN")
    branches.push({ when, result: plainExpression(parser) })
  }
  const otherwise = takeWords(parser, "else") ? { otherwise: plainExpression(parser) } : {}
  expectWord(parser, "end", "at the end of CASE")
  return { kind: "case", ...operand, branches, ...otherwise, span: spanFrom(parser, start) }
}
