/** Windows and orders: `PARTITION BY … ORDER BY … ROWS BETWEEN … AND …`. */
import type { FrameAst, FrameBoundAst, OrderAst, WindowAst } from "./ast.ts"
import { commaList } from "./parser-lists.ts"
import {
  expected,
  expectWord,
  isWord,
  type Parser,
  peek,
  spanFrom,
  stumble,
  take,
  takeWords,
} from "./parser-state.ts"

/** What stands between the parentheses of a window. */
export function parseWindow(parser: Parser): WindowAst {
  const start = peek(parser)
  const { plainExpression } = parser.grammar
  const partitionBy = takeWords(parser, "partition", "by") ? commaList(parser, plainExpression) : []
  const orderBy = takeWords(parser, "order", "by") ? commaList(parser, parseOrder) : []
  const hasFrame = isWord(peek(parser), "rows") || isWord(peek(parser), "range")
  const frame = hasFrame ? { frame: parseFrame(parser) } : {}
  const isEmpty = partitionBy.length + orderBy.length === 0 && !hasFrame
  const span = isEmpty ? { start: start.start, end: start.start } : spanFrom(parser, start)
  return { partitionBy, orderBy, ...frame, span }
}

/** `expr [ASC|DESC] [NULLS FIRST|LAST]`. */
export function parseOrder(parser: Parser): OrderAst {
  const start = peek(parser)
  const expr = parser.grammar.expression(parser)
  const isDescending = takeWords(parser, "desc") || takeWords(parser, "descending")
  if (!isDescending && !takeWords(parser, "asc")) takeWords(parser, "ascending")
  const direction = isDescending ? "desc" : "asc"
  const nulls = takeWords(parser, "nulls") ? { nulls: parseNulls(parser) } : {}
  return { expr, direction, ...nulls, span: spanFrom(parser, start) }
}

function parseNulls(parser: Parser): "first" | "last" {
  if (takeWords(parser, "first")) return "first"
  if (takeWords(parser, "last")) return "last"
  return stumble(parser, expected(parser, "FIRST or LAST after NULLS"))
}

function parseFrame(parser: Parser): FrameAst {
  const start = take(parser)
  const unit = start.word === "rows" ? "rows" : "range"
  const isBetween = takeWords(parser, "between")
  const first = parseFrameBound(parser)
  if (isBetween) expectWord(parser, "and", "between the two ends of the frame")
  const end: FrameBoundAst = isBetween ? parseFrameBound(parser) : { kind: "currentRow" }
  return { unit, start: first, end, span: spanFrom(parser, start) }
}

function parseFrameBound(parser: Parser): FrameBoundAst {
  if (takeWords(parser, "current", "row")) return { kind: "currentRow" }
  if (takeWords(parser, "unbounded", "preceding")) return { kind: "unboundedPreceding" }
  if (takeWords(parser, "unbounded", "following")) return { kind: "unboundedFollowing" }
  const token = peek(parser)
  if (token.kind !== "number" || !Number.isSafeInteger(Number(token.text))) {
    stumble(parser, expected(parser, "CURRENT ROW, UNBOUNDED or a whole number of rows"))
  }
  take(parser)
  const count = Number(token.text)
  if (takeWords(parser, "preceding")) return { kind: "preceding", count }
  if (takeWords(parser, "following")) return { kind: "following", count }
  return stumble(parser, expected(parser, "PRECEDING or FOLLOWING"))
}
