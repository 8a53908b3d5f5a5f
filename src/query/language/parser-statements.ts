/** Whole queries: WITH, SELECT, UNION ALL. */
import type { CteAst, QueryAst, SelectAst } from "./ast.ts"
import { type Draft, parseClauses } from "./parser-clauses.ts"
import { parseTop, startsTop } from "./parser-limits.ts"
import { commaList, inBracket, isComma } from "./parser-lists.ts"
import { checkAlias, parseAliased } from "./parser-names.ts"
import { findMisspelt } from "./parser-spelling.ts"
import {
  describe,
  expected,
  isSign,
  isWord,
  nested,
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
import type { Token } from "./tokens.ts"

const OTHER_STATEMENTS: ReadonlySet<string> = new Set(
  (
    "alter analyze attach begin call checkpoint commit copy create delete desc describe detach drop " +
    "exchange execute explain export grant import insert install kill load merge optimize pragma " +
    "prepare rename replace reset revoke rollback set show system table truncate update use vacuum values"
  ).split(" "),
)

/** One query and nothing behind it but a semicolon. */
export function parseStatement(parser: Parser): QueryAst {
  const first = peek(parser)
  if (first.kind === "name" && OTHER_STATEMENTS.has(first.word)) {
    const message = `Only one SELECT can be asked; ${first.word.toUpperCase()} is not allowed.`
    stumble(parser, { code: "unsupported", message })
  }
  const query = parseQueryRule(parser)
  while (takeSign(parser, ";")) {
    const next = peek(parser)
    if (next.kind === "end" || isSign(next, ";")) continue
    stumble(parser, { message: "Only one SELECT can be asked; a second statement begins here." })
  }
  return query
}

/** `query UNION ALL query`. */
export function parseQueryRule(parser: Parser): QueryAst {
  return nested(parser, () => {
    const start = peek(parser)
    const first = parseQueryOperand(parser)
    const queries = [first]
    while (takeSetOperator(parser)) queries.push(parseQueryOperand(parser))
    return queries.length === 1 ? first : { kind: "union", queries, span: spanFrom(parser, start) }
  })
}

function takeSetOperator(parser: Parser): boolean {
  const start = peek(parser)
  if (takeWords(parser, "union", "all")) return true
  const isOther = isWord(start, "intersect") || isWord(start, "except")
  if (!isOther && !isWord(start, "union")) return false
  take(parser)
  if (!takeWords(parser, "distinct")) takeWords(parser, "all")
  const span = spanFrom(parser, start)
  const message = `${start.word.toUpperCase()} is only supported as UNION ALL.`
  const suggestion = isOther
    ? undefined
    : "Write UNION ALL, with SELECT DISTINCT around it if needed."
  report(parser, { code: "unsupported", message, span, suggestion })
  return true
}

function parseQueryOperand(parser: Parser): QueryAst {
  return isSign(peek(parser), "(") ? inBracket(parser, parser.grammar.query) : parseSelect(parser)
}

function parseSelect(parser: Parser): SelectAst {
  const start = peek(parser)
  const ctes = takeWords(parser, "with") ? parseCtes(parser) : []
  takeSelect(parser)
  const distinct = takeWords(parser, "distinct")
  refuseDistinctOn(parser, distinct)
  const top = startsTop(parser) ? { limit: parseTop(parser) } : {}
  const columns = commaList(parser, () => parseAliased(parser, true))
  const draft: Draft = {
    kind: "select",
    ctes,
    distinct,
    columns,
    groupBy: [],
    windows: [],
    orderBy: [],
    ...top,
    span: spanOf(start),
  }
  parseClauses(parser, draft)
  if (draft.arrayJoin !== undefined && draft.from === undefined) {
    const message = "ARRAY JOIN needs a FROM before it."
    report(parser, { message, span: draft.arrayJoin.span })
  }
  return { ...draft, span: spanFrom(parser, start) }
}

function takeSelect(parser: Parser): void {
  if (takeWords(parser, "select")) return
  const finding = expected(parser, "SELECT")
  if (findMisspelt(peek(parser))?.keyword !== "SELECT") stumble(parser, finding)
  parser.isBroken = true
  report(parser, finding)
  take(parser)
}

function refuseDistinctOn(parser: Parser, isDistinct: boolean): void {
  if (!isDistinct || !isWord(peek(parser), "on") || !isSign(peek(parser, 1), "(")) return
  const message = "DISTINCT ON is not supported."
  report(parser, { code: "unsupported", message, suggestion: "Write LIMIT 1 BY the columns." })
  parser.isBroken = true
  take(parser)
  inBracket(parser, () => commaList(parser, parser.grammar.expression))
}

function parseCtes(parser: Parser): CteAst[] {
  if (isWord(peek(parser), "recursive") && !isWord(peek(parser, 1), "as")) {
    report(parser, { code: "unsupported", message: "WITH RECURSIVE is not supported." })
    take(parser)
  }
  return commaList(parser, parseCte, (token) => isComma(token) || isWord(token, "select"))
}

/** `name AS (query)` or `expr AS name`. */
function parseCte(parser: Parser): CteAst {
  const start = peek(parser)
  if (namesQuery(parser, start)) {
    const { name } = checkAlias(parser, take(parser))
    take(parser)
    const query = inBracket(parser, parser.grammar.query)
    return { kind: "query", name, query, span: spanFrom(parser, start) }
  }
  const named = parseAliased(parser, false)
  if (named.kind !== "alias") {
    const what = describe(parser, peek(parser))
    const message = `What WITH defines needs a name: AS and the name are missing before ${what}.`
    stumble(parser, { message, suggestion: "Write name AS (SELECT …), or expression AS name." })
  }
  return { kind: "expr", name: named.name, expr: named.expr, span: named.span }
}

function namesQuery(parser: Parser, token: Token): boolean {
  if (token.kind !== "name" && token.kind !== "quoted") return false
  return isWord(peek(parser, 1), "as") && isSign(peek(parser, 2), "(")
}
