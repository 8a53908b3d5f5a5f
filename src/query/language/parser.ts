/**
 * Texts of the query language to trees. Every mistake that can be told apart is found in one go. A tree
 * that comes with problems says what was written, but is only good for finding more of them.
 */
import type { ExprAst, OrderAst, QueryAst } from "./ast.ts"
import { tokenize } from "./lexer.ts"
import { findTooDeep } from "./parser-depth.ts"
import { parseAliased } from "./parser-names.ts"
import { parseOperand } from "./parser-operands.ts"
import { parsePlainExpression } from "./parser-operators.ts"
import {
  createParser,
  expected,
  type Grammar,
  type Parser,
  peek,
  recovering,
  report,
  Surrender,
  stumble,
} from "./parser-state.ts"
import { parseQueryRule, parseStatement } from "./parser-statements.ts"
import { parseOrder } from "./parser-windows.ts"
import type { Problem } from "./problems.ts"

export interface Parsed<T> {
  readonly ast: T | undefined
  readonly problems: readonly Problem[]
}

const GRAMMAR: Grammar = {
  expression: (parser) => parseAliased(parser, false),
  plainExpression: parsePlainExpression,
  operand: parseOperand,
  query: parseQueryRule,
}

/** One SELECT, or several joined by UNION ALL; a semicolon may end it. */
export function parseQuery(text: string): Parsed<QueryAst> {
  return parseWhole(text, parseStatement)
}

/** One expression; an alias may follow it. */
export function parseExpression(text: string): Parsed<ExprAst> {
  return parseWhole(text, (parser) => parseAliased(parser, true))
}

/** `expr [ASC|DESC]`. */
export function parseOrderExpression(text: string): Parsed<OrderAst> {
  return parseWhole(text, parseOrder)
}

/** The text behind `--` names an expression; without it, the expression names itself. */
export function displayNameOf(text: string): string {
  const comment = tokenize(text).lineComments.at(-1)
  if (comment === undefined) return text.trim()
  const name = text.slice(comment.start, comment.end).trim()
  return name === "" ? text.slice(0, comment.start - 2).trim() : name
}

function parseWhole<T>(text: string, rule: (parser: Parser) => T): Parsed<T> {
  const parser = createParser(text, GRAMMAR)
  try {
    const ast = readWhole(parser, rule)
    const tooDeep = findTooDeep(ast)
    const problems = inOrder(tooDeep === undefined ? parser.problems : [tooDeep])
    return { ast: parser.isBroken || tooDeep !== undefined ? undefined : ast, problems }
  } catch (error) {
    if (error instanceof Surrender) return { ast: undefined, problems: inOrder(parser.problems) }
    throw error
  }
}

function readWhole<T>(parser: Parser, rule: (parser: Parser) => T): T | undefined {
  if (parser.problems.some(({ code }) => code === "too_complex")) return undefined
  if (peek(parser).kind === "end") {
    if (!parser.isBroken) report(parser, { message: "Empty query" })
    return undefined
  }
  return recovering(
    parser,
    () => {
      const ast = rule(parser)
      if (peek(parser).kind !== "end") stumble(parser, expected(parser, "the end of the text"))
      return ast
    },
    () => false,
  )
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((a, b) => a.span.start - b.span.start)
}
