/** Where rows come from: tables, joins, samples and ARRAY JOIN. */
import type { ArrayJoinAst, ExprAst, FromAst, JoinAst, JoinKind, SourceAst } from "./ast.ts"
import { bracketList, bracketOne, commaList, inBracket } from "./parser-lists.ts"
import { isPlainName, type Name, parseAliased, parsePlainName, takeAlias } from "./parser-names.ts"
import {
  expected,
  expectWord,
  isSign,
  isWord,
  type Parser,
  peek,
  report,
  spanFrom,
  spanOf,
  stumble,
  take,
  takeSign,
  takeWords,
} from "./parser-state.ts"

const JOIN_KINDS: ReadonlySet<string> = new Set(["inner", "left", "right", "full", "cross"])
/** They change nothing here: all matches are joined. */
const IDLE_JOIN_WORDS = new Set(["outer", "all", "global"])
const REFUSED_JOIN_WORDS = new Set(["any", "asof", "semi", "anti"])
const JOIN_WORDS_MAX_COUNT = 4

/** What follows FROM. */
export function parseFrom(parser: Parser): FromAst {
  const start = peek(parser)
  const source = parseSource(parser)
  const joins: JoinAst[] = []
  for (;;) {
    const next = peek(parser)
    if (isSign(next, ",")) joins.push(parseCommaJoin(parser))
    else if (joinWordCount(parser) !== undefined) joins.push(parseJoin(parser))
    else return { source, joins, span: spanFrom(parser, start) }
  }
}

function parseSource(parser: Parser): SourceAst {
  const start = peek(parser)
  const from = parseOrigin(parser)
  const mayAlias = joinWordCount(parser) === undefined
  const alias = takeAlias(parser, mayAlias)
  const name = alias === undefined ? {} : { alias: alias.name }
  const final = takeWords(parser, "final")
  const sample = takeWords(parser, "sample") ? { sample: parseSample(parser) } : {}
  return { from, ...name, final, ...sample, span: spanFrom(parser, start) }
}

function parseOrigin(parser: Parser): SourceAst["from"] {
  const token = peek(parser)
  if (isSign(token, "(")) {
    return { kind: "query", query: inBracket(parser, parser.grammar.query) }
  }
  if (isSign(token, "{")) {
    return { kind: "placeholder", expr: bracketOne(parser, parser.grammar.expression) }
  }
  const { name } = parsePlainName(parser, "a table")
  if (isSign(peek(parser), "(")) {
    return { kind: "function", name, args: bracketList(parser, parser.grammar.expression) }
  }
  const chain = [name]
  while (takeSign(parser, ".")) {
    const part = peek(parser)
    if (part.kind !== "name" && part.kind !== "quoted") {
      stumble(parser, expected(parser, "a name after the point"))
    }
    chain.push(take(parser).text)
  }
  return { kind: "table", chain }
}

/** `0.1`, `1/10`, `0.1 OFFSET 0.5`. */
function parseSample(parser: Parser): { ratio: number; offset: number } {
  const ratio = parseRatio(parser)
  return { ratio, offset: takeWords(parser, "offset") ? parseRatio(parser) : 0 }
}

function parseRatio(parser: Parser): number {
  const start = peek(parser)
  const value = parseShare(parser)
  const ratio = takeSign(parser, "/") ? value / parseShare(parser) : value
  if (!(ratio >= 0 && ratio <= 1)) {
    const message = `SAMPLE takes a share of the rows from 0 to 1, not ${ratio}.`
    report(parser, { message, span: spanFrom(parser, start) })
  }
  return ratio
}

function parseShare(parser: Parser): number {
  if (peek(parser).kind !== "number") stumble(parser, expected(parser, "a number for SAMPLE"))
  return Number(take(parser).text)
}

/** `a, b` joins every row of one with every row of the other. */
function parseCommaJoin(parser: Parser): JoinAst {
  const start = take(parser)
  const source = parseSource(parser)
  return { kind: "cross", source, span: spanFrom(parser, start) }
}

/** How many words stand before JOIN; undefined when no join follows. */
function joinWordCount(parser: Parser): number | undefined {
  for (let count = 0; count <= JOIN_WORDS_MAX_COUNT; count++) {
    const token = peek(parser, count)
    if (isWord(token, "join")) return count
    const { word } = token
    const isJoinWord = JOIN_KINDS.has(word) || IDLE_JOIN_WORDS.has(word)
    if (token.kind !== "name" || !(isJoinWord || REFUSED_JOIN_WORDS.has(word))) return undefined
  }
  return undefined
}

function parseJoin(parser: Parser): JoinAst {
  const start = peek(parser)
  const kind = parseJoinKind(parser)
  const source = parseSource(parser)
  const on = takeWords(parser, "on") ? { on: parseConditions(parser) } : {}
  const using = takeWords(parser, "using") ? { using: parseUsing(parser) } : {}
  const span = spanFrom(parser, start)
  const hasCondition = "on" in on || "using" in using
  if (kind === "cross" && hasCondition) {
    report(parser, { message: "CROSS JOIN joins all rows and takes no ON or USING.", span })
  }
  if (kind !== "cross" && !hasCondition) {
    const message = `${kind.toUpperCase()} JOIN needs ON with a condition, or USING.`
    report(parser, { message, span, suggestion: "To join all rows with all, write CROSS JOIN." })
  }
  return { kind, source, ...on, ...using, span }
}

function parseJoinKind(parser: Parser): JoinKind {
  const start = peek(parser)
  let kind: JoinKind | undefined
  for (let token = take(parser); !isWord(token, "join"); token = take(parser)) {
    if (JOIN_KINDS.has(token.word)) kind = token.word as JoinKind
    if (!REFUSED_JOIN_WORDS.has(token.word)) continue
    const message = `${token.word.toUpperCase()} JOIN is not supported.`
    report(parser, { code: "unsupported", message, span: spanOf(start) })
  }
  return kind ?? "inner"
}

/** `ON a = b, c = d` asks for both. */
function parseConditions(parser: Parser): ExprAst {
  const start = peek(parser)
  const first = parser.grammar.plainExpression(parser)
  const operands = [first]
  while (isSign(peek(parser), ",") && !isTableBehindComma(parser)) {
    take(parser)
    operands.push(parser.grammar.plainExpression(parser))
  }
  return operands.length === 1 ? first : { kind: "and", operands, span: spanFrom(parser, start) }
}

/** Behind the conditions of a join, `, name` is a table unless an operator follows the name. */
function isTableBehindComma(parser: Parser): boolean {
  let ahead = 1
  if (isSign(peek(parser, ahead), "(")) return isWord(peek(parser, ahead + 1), "select")
  if (!isPlainName(peek(parser, ahead))) return false
  while (isSign(peek(parser, ahead + 1), ".")) ahead += 2
  const behind = peek(parser, ahead + 1)
  if (behind.kind === "sign") return ",);".includes(behind.text)
  const isOperator = ["and", "or", "not", "in", "is", "like", "ilike", "between"]
  return behind.kind !== "name" || !isOperator.includes(behind.word)
}

function parseUsing(parser: Parser): Name[] {
  const name = () => parsePlainName(parser, "the name of a column that both tables have")
  return isSign(peek(parser), "(") ? bracketList(parser, name) : commaList(parser, name)
}

export function startsArrayJoin(parser: Parser): boolean {
  const isSided = isWord(peek(parser), "left") || isWord(peek(parser), "inner")
  const ahead = isSided ? 1 : 0
  return isWord(peek(parser, ahead), "array") && isWord(peek(parser, ahead + 1), "join")
}

/** `[LEFT] ARRAY JOIN expr AS name, …`. */
export function parseArrayJoin(parser: Parser): ArrayJoinAst {
  const start = peek(parser)
  const isLeft = takeWords(parser, "left")
  takeWords(parser, "inner")
  takeWords(parser, "array")
  expectWord(parser, "join", "after ARRAY")
  const items = commaList(parser, () => {
    const item = parseAliased(parser, true)
    if (item.kind !== "alias") {
      const message = "What ARRAY JOIN unfolds needs a name."
      report(parser, { message, span: item.span, suggestion: "Write ARRAY JOIN list AS item." })
    }
    return item
  })
  return { isLeft, items, span: spanFrom(parser, start) }
}
