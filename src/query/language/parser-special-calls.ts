/** Forms of SQL that look like calls: CAST, EXTRACT, SUBSTRING and TRIM with their own words inside. */
import type { ExprAst } from "./ast.ts"
import { inBracket, itemsOfBracket } from "./parser-lists.ts"
import { isPlainName } from "./parser-names.ts"
import {
  createParser,
  describe,
  expected,
  expectWord,
  isWord,
  type Parser,
  peek,
  recovering,
  report,
  spanFrom,
  spanOf,
  stumble,
  take,
  takeSign,
  takeWords,
} from "./parser-state.ts"
import { parseLongType, type TypeName } from "./parser-types.ts"
import type { Token } from "./tokens.ts"

const PARTS_OF_TIME = new Map([
  ["year", "toYear"],
  ["quarter", "toQuarter"],
  ["month", "toMonth"],
  ["week", "toISOWeek"],
  ["day", "toDayOfMonth"],
  ["dow", "toDayOfWeek"],
  ["isodow", "toDayOfWeek"],
  ["doy", "toDayOfYear"],
  ["hour", "toHour"],
  ["minute", "toMinute"],
  ["second", "toSecond"],
  ["epoch", "toUnixTimestamp"],
])

const TRIM_SIDES = new Map([
  ["both", "trim"],
  ["leading", "trimLeft"],
  ["trailing", "trimRight"],
])

/** Undefined when the call that comes next is an ordinary one. */
export function parseSpecialCall(parser: Parser): ExprAst | undefined {
  const token = peek(parser)
  if (token.kind !== "name") return undefined
  if (token.word === "cast") return parseCast(parser)
  if (token.word === "substring") return parseSubstring(parser)
  const first = peek(parser, 2)
  const second = peek(parser, 3)
  if (token.word === "extract" && first.kind === "name" && isWord(second, "from")) {
    return parseExtract(parser)
  }
  const hasSide = token.word === "trim" && first.kind === "name" && TRIM_SIDES.has(first.word)
  return hasSide && endsTrimSide(second) ? parseTrim(parser) : undefined
}

/** `CAST(x AS Type)` and `CAST(x, 'Type')`. */
function parseCast(parser: Parser): ExprAst {
  const start = take(parser)
  const { operand, type } = inBracket(parser, () => {
    const operand = parser.grammar.plainExpression(parser)
    if (takeSign(parser, ",")) return { operand, type: parseTypeInString(parser) }
    expectWord(parser, "as", "and a type in CAST")
    return { operand, type: parseLongType(parser) }
  })
  const span = spanFrom(parser, start)
  return { kind: "cast", operand, type: type.text, typeSpan: type.span, span }
}

function parseTypeInString(parser: Parser): TypeName {
  const token = peek(parser)
  if (token.kind !== "string") stumble(parser, expected(parser, "the name of a type in quotes"))
  const inner = createParser(token.text, parser.grammar)
  const type = recovering(inner, parseLongType, () => false)
  if (type === undefined || inner.problems.length > 0 || peek(inner).kind !== "end") {
    stumble(parser, { message: `${describe(parser, token)} is not the name of a type.` })
  }
  take(parser)
  return { text: type.text, span: spanOf(token) }
}

/** `SUBSTRING(x FROM start FOR length)`, and with commas. */
function parseSubstring(parser: Parser): ExprAst {
  const start = take(parser)
  let name = start.text
  const args = inBracket(parser, () => {
    const items = itemsOfBracket(parser, parser.grammar.expression)
    const isSql =
      items.length === 1 && (isWord(peek(parser), "from") || isWord(peek(parser), "for"))
    if (!isSql) return items
    name = "substring"
    const one: ExprAst = { kind: "constant", value: 1, span: spanOf(peek(parser)) }
    items.push(takeWords(parser, "from") ? parser.grammar.plainExpression(parser) : one)
    if (takeWords(parser, "for")) items.push(parser.grammar.plainExpression(parser))
    return items
  })
  return callOf(parser, start, { name, args })
}

/** `EXTRACT(YEAR FROM x)`. */
function parseExtract(parser: Parser): ExprAst {
  const start = take(parser)
  let name = ""
  const operand = inBracket(parser, () => {
    const part = take(parser)
    name = PARTS_OF_TIME.get(part.word.replace(/s$/, "")) ?? ""
    if (name === "") {
      const known = [...PARTS_OF_TIME.keys()].join(", ")
      const message = `EXTRACT knows no part ${describe(parser, part)}; it knows ${known}.`
      report(parser, { code: "unsupported", message, span: spanOf(part) })
      parser.isBroken = true
    }
    take(parser)
    return parser.grammar.plainExpression(parser)
  })
  return callOf(parser, start, { name, args: [operand] })
}

/** `TRIM(BOTH 'x' FROM text)`, `TRIM(LEADING FROM text)`. */
function parseTrim(parser: Parser): ExprAst {
  const start = take(parser)
  let name = "trim"
  const args = inBracket(parser, () => {
    name = TRIM_SIDES.get(take(parser).word) ?? name
    const isPlain = isWord(peek(parser), "from")
    const trimmed = isPlain ? [] : [parser.grammar.plainExpression(parser)]
    expectWord(parser, "from", "and the text in TRIM")
    const text = parser.grammar.plainExpression(parser)
    // Blanks are what is trimmed anyway.
    return [text, ...trimmed.filter((chars) => chars.kind !== "constant" || chars.value !== " ")]
  })
  return callOf(parser, start, { name, args })
}

/** As opposed to a column of the name `both`. */
function endsTrimSide(token: Token): boolean {
  return token.kind === "string" || isWord(token, "from") || isPlainName(token)
}

function callOf(
  parser: Parser,
  start: Token,
  { name, args }: { name: string; args: readonly ExprAst[] },
): ExprAst {
  const span = spanFrom(parser, start)
  return { kind: "call", name, nameSpan: spanOf(start), args, distinct: false, span }
}
