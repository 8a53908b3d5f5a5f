/** Calls of functions: `f(a)`, `f(DISTINCT a)`, `f(param)(a)`, `f(a) OVER (…)`. */
import type { ExprAst, WindowAst } from "./ast.ts"
import { bracketOne, inBracket, itemsOfBracket } from "./parser-lists.ts"
import { parsePlainName } from "./parser-names.ts"
import { parseSpecialCall } from "./parser-special-calls.ts"
import {
  isSign,
  isWord,
  type Parser,
  peek,
  spanFrom,
  spanOf,
  take,
  takeWords,
} from "./parser-state.ts"
import { parseWindow } from "./parser-windows.ts"
import type { Token } from "./tokens.ts"

interface Arguments {
  readonly args: readonly ExprAst[]
  readonly distinct: boolean
}

export function parseCall(parser: Parser): ExprAst {
  const special = parseSpecialCall(parser)
  if (special !== undefined) return special
  const token = take(parser)
  const first = parseArguments(parser)
  const second = isSign(peek(parser), "(") ? parseArguments(parser) : undefined
  const params = second === undefined ? {} : { params: first.args }
  const { args, distinct } = second ?? first
  const over = takeWords(parser, "over") ? { over: parseOver(parser) } : {}
  return {
    kind: "call",
    name: token.text,
    nameSpan: spanOf(token),
    ...params,
    args: isAllRows(token, args) ? [] : args,
    distinct,
    ...over,
    span: spanFrom(parser, token),
  }
}

function parseArguments(parser: Parser): Arguments {
  return inBracket(parser, () => {
    const distinct = takeWords(parser, "distinct")
    return { args: itemsOfBracket(parser, parseArgument), distinct }
  })
}

/** A query may be the argument without parentheses of its own. */
function parseArgument(parser: Parser): ExprAst {
  const start = peek(parser)
  if (!isWord(start, "select") && !isWord(start, "with")) return parser.grammar.expression(parser)
  const query = parser.grammar.query(parser)
  return { kind: "query", query, span: spanFrom(parser, start) }
}

/** `count(*)`. */
function isAllRows(name: Token, args: readonly ExprAst[]): boolean {
  const [only] = args
  if (name.text.toLowerCase() !== "count" || args.length !== 1) return false
  return only?.kind === "star" && only.table === undefined
}

function parseOver(parser: Parser): WindowAst | string {
  if (isSign(peek(parser), "(")) return bracketOne(parser, parseWindow)
  return parsePlainName(parser, "a window in parentheses or its name after OVER").name
}
