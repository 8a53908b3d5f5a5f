/** Operators, by precedence. What an ordinary call says the same is read as that call. */
import type { CompareAstOperator, ExprAst, Span } from "./ast.ts"
import { isPlainName } from "./parser-names.ts"
import { parseOperand } from "./parser-operands.ts"
import { COMPARE_SIGNS, PRECEDENCE } from "./parser-precedence.ts"
import {
  expectSign,
  expectWord,
  isSign,
  isWord,
  nested,
  type Parser,
  peek,
  spanFrom,
  spanOf,
  take,
  takeSign,
  takeWords,
} from "./parser-state.ts"
import type { Token } from "./tokens.ts"

/** An operator's left side is read, and where it begins. */
interface Left {
  readonly expr: ExprAst
  readonly start: Token
}

interface Infix {
  readonly precedence: number
  readonly read: (parser: Parser, left: Left) => ExprAst
}

/** One expression without an alias. */
export function parsePlainExpression(parser: Parser): ExprAst {
  return nested(parser, parseTernary)
}

/** `condition ? a : b`. */
function parseTernary(parser: Parser): ExprAst {
  const start = peek(parser)
  const condition = parseBinary(parser, PRECEDENCE.or)
  const sign = takeSign(parser, "?")
  if (sign === undefined) return condition
  const whenTrue = parsePlainExpression(parser)
  expectSign(parser, ":", "between the two outcomes of ?")
  const otherwise = parsePlainExpression(parser)
  const nameSpan = spanOf(sign)
  const args = [condition, whenTrue, otherwise]
  return callOf("if", nameSpan, { args, span: spanFrom(parser, start) })
}

function parseBinary(parser: Parser, minPrecedence: number): ExprAst {
  const start = peek(parser)
  let expr = parseUnary(parser)
  for (;;) {
    const infix = findInfix(peek(parser), peek(parser, 1))
    if (infix === undefined || infix.precedence < minPrecedence) return expr
    expr = infix.read(parser, { expr, start })
  }
}

function parseUnary(parser: Parser): ExprAst {
  const start = peek(parser)
  if (isWord(start, "not")) {
    take(parser)
    const operand = nested(parser, () => parseBinary(parser, PRECEDENCE.not))
    return { kind: "not", operand, span: spanFrom(parser, start) }
  }
  if (isSign(start, "-")) return parseNegation(parser)
  return parseOperand(parser)
}

function parseNegation(parser: Parser): ExprAst {
  const sign = take(parser)
  const operand = nested(parser, parseUnary)
  const span = spanFrom(parser, sign)
  if (operand.kind === "constant" && typeof operand.value === "number") {
    return { kind: "constant", value: -operand.value, span }
  }
  return callOf("negate", spanOf(sign), { args: [operand], span })
}

function findInfix(token: Token, next: Token): Infix | undefined {
  if (token.kind === "sign")
    return COMPARE_SIGNS.has(token.text) ? COMPARISON : SIGNS.get(token.text)
  if (token.kind !== "name") return undefined
  // NOT between two operands belongs to the operator that follows it.
  const word = token.word === "not" && next.kind === "name" ? `not ${next.word}` : token.word
  return WORDS.get(word)
}

const COMPARISON: Infix = {
  precedence: PRECEDENCE.compare,
  read(parser, left) {
    const operator = COMPARE_SIGNS.get(take(parser).text) ?? "="
    return compareWith(parser, left, operator)
  },
}

const SIGNS: ReadonlyMap<string, Infix> = new Map<string, Infix>([
  ["+", arithmetic("+", PRECEDENCE.add)],
  ["-", arithmetic("-", PRECEDENCE.add)],
  ["*", arithmetic("*", PRECEDENCE.multiply)],
  ["/", arithmetic("/", PRECEDENCE.multiply)],
  ["%", arithmetic("%", PRECEDENCE.multiply)],
  ["||", { precedence: PRECEDENCE.add, read: readConcat }],
  ["??", { precedence: PRECEDENCE.coalesce, read: readCoalesce }],
])

const WORDS: ReadonlyMap<string, Infix> = new Map<string, Infix>([
  ["and", { precedence: PRECEDENCE.and, read: readLogic }],
  ["or", { precedence: PRECEDENCE.or, read: readLogic }],
  ["is", { precedence: PRECEDENCE.isNull, read: readIsNull }],
  ...["in", "like", "ilike", "between"].flatMap((word): [string, Infix][] => {
    const infix = { precedence: PRECEDENCE.compare, read: readWordComparison }
    return [
      [word, infix],
      [`not ${word}`, infix],
    ]
  }),
])

function arithmetic(operator: "+" | "-" | "*" | "/" | "%", precedence: number): Infix {
  return {
    precedence,
    read(parser, { expr: left, start }) {
      take(parser)
      const right = parseBinary(parser, precedence + 1)
      return { kind: "arithmetic", operator, left, right, span: spanFrom(parser, start) }
    },
  }
}

/** `a || b || c` is one call. */
function readConcat(parser: Parser, { expr, start }: Left): ExprAst {
  const nameSpan = spanOf(peek(parser))
  const args = [expr]
  while (takeSign(parser, "||")) args.push(parseBinary(parser, PRECEDENCE.multiply))
  return callOf("concat", nameSpan, { args, span: spanFrom(parser, start) })
}

function readCoalesce(parser: Parser, { expr, start }: Left): ExprAst {
  const nameSpan = spanOf(take(parser))
  const args = [expr, parseBinary(parser, PRECEDENCE.coalesce + 1)]
  return callOf("ifNull", nameSpan, { args, span: spanFrom(parser, start) })
}

/** `a AND b AND c` is one node: long conditions do not nest. */
function readLogic(parser: Parser, { expr, start }: Left): ExprAst {
  const kind = isWord(peek(parser), "and") ? "and" : "or"
  const operands = [expr]
  while (takeWords(parser, kind)) operands.push(parseBinary(parser, PRECEDENCE[kind] + 1))
  return { kind, operands, span: spanFrom(parser, start) }
}

function readIsNull(parser: Parser, { expr: operand, start }: Left): ExprAst {
  take(parser)
  const isNegated = takeWords(parser, "not")
  expectWord(parser, "null", isNegated ? "after IS NOT" : "or NOT NULL after IS")
  return { kind: "isNull", operand, isNegated, span: spanFrom(parser, start) }
}

function readWordComparison(parser: Parser, left: Left): ExprAst {
  const isNegated = takeWords(parser, "not")
  const word = take(parser).word
  if (word === "between") return readBetween(parser, left, isNegated)
  const isCohort = word === "in" && isWord(peek(parser), "cohort") && startsCohort(peek(parser, 1))
  if (isCohort) take(parser)
  const operator = `${isNegated ? "not " : ""}${word}${isCohort ? " cohort" : ""}`
  return compareWith(parser, left, operator as CompareAstOperator)
}

/** `IN COHORT 5`, as opposed to a column of the name `cohort`. */
function startsCohort(token: Token): boolean {
  if (token.kind === "number" || token.kind === "string") return true
  return isSign(token, "(") || isSign(token, "{") || isPlainName(token)
}

function readBetween(parser: Parser, left: Left, isNegated: boolean): ExprAst {
  const low = parseBinary(parser, PRECEDENCE.add)
  expectWord(parser, "and", "between the two ends of BETWEEN")
  const high = parseBinary(parser, PRECEDENCE.add)
  const span = spanFrom(parser, left.start)
  return { kind: "between", operand: left.expr, low, high, isNegated, span }
}

function compareWith(parser: Parser, left: Left, operator: CompareAstOperator): ExprAst {
  const right = parseBinary(parser, PRECEDENCE.compare + 1)
  const span = spanFrom(parser, left.start)
  return { kind: "compare", operator, left: left.expr, right, span }
}

function callOf(
  name: string,
  nameSpan: Span,
  { args, span }: { args: readonly ExprAst[]; span: Span },
): ExprAst {
  return { kind: "call", name, nameSpan, args, distinct: false, span }
}
