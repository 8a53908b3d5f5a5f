/** The parts of a SELECT behind its columns, in the order in which they have to stand. */
import type { SelectAst } from "./ast.ts"
import { parseLimit } from "./parser-limits.ts"
import { bracketOne, commaList, isClosing } from "./parser-lists.ts"
import { checkAlias, parsePlainName } from "./parser-names.ts"
import { parseArrayJoin, parseFrom, startsArrayJoin } from "./parser-sources.ts"
import {
  expected,
  expectWord,
  isSign,
  isWord,
  type Parser,
  peek,
  recovering,
  report,
  Surrender,
  spanOf,
  stumble,
  take,
  takeWords,
} from "./parser-state.ts"
import { parseOrder, parseWindow } from "./parser-windows.ts"
import type { Token } from "./tokens.ts"

export type Draft = { -readonly [Key in keyof SelectAst]: SelectAst[Key] }

interface Clause {
  readonly name: string
  readonly starts: (parser: Parser) => boolean
  readonly read: (parser: Parser, draft: Draft) => void
}

const CLAUSES: readonly Clause[] = [
  clause("FROM", (parser, draft) => {
    draft.from = parseFrom(parser)
  }),
  {
    name: "ARRAY JOIN",
    starts: startsArrayJoin,
    read(parser, draft) {
      draft.arrayJoin = parseArrayJoin(parser)
    },
  },
  clause("PREWHERE", (parser, draft) => {
    draft.prewhere = parser.grammar.expression(parser)
  }),
  clause("WHERE", (parser, draft) => {
    draft.where = parser.grammar.expression(parser)
  }),
  clause("GROUP", (parser, draft) => {
    expectWord(parser, "by", "after GROUP")
    draft.groupBy = commaList(parser, parser.grammar.expression)
    refuseTotals(parser)
  }),
  clause("HAVING", (parser, draft) => {
    draft.having = parser.grammar.expression(parser)
  }),
  clause("WINDOW", (parser, draft) => {
    draft.windows = commaList(parser, parseNamedWindow)
  }),
  clause("ORDER", (parser, draft) => {
    expectWord(parser, "by", "after ORDER")
    draft.orderBy = commaList(parser, parseOrder)
  }),
  { name: "LIMIT", starts: (parser) => isWord(peek(parser), "limit"), read: readLimit },
  clause("OFFSET", (parser) => {
    const message = "OFFSET needs a LIMIT before it."
    stumble(parser, { message, suggestion: "Write LIMIT n OFFSET m." })
  }),
  clause("SETTINGS", (parser) => refuse(parser, "SETTINGS can not be given in a query.")),
  clause("FORMAT", (parser) => refuse(parser, "FORMAT can not be chosen in a query.")),
  clause("QUALIFY", (parser) => refuse(parser, "QUALIFY is not supported.")),
]

/** Reads to the end of the SELECT. A mistake in one part leaves the next ones readable. */
export function parseClauses(parser: Parser, draft: Draft): void {
  let latest = -1
  for (;;) {
    const position = CLAUSES.findIndex(({ starts }) => starts(parser))
    const found = CLAUSES[position]
    if (found !== undefined) {
      parser.isInDoubt = false
      checkOrder(parser, position, latest)
      latest = Math.max(latest, position)
      recovering(parser, () => found.read(parser, draft), isNoStop)
    } else if (endsSelect(peek(parser))) {
      return
    } else {
      recovering(parser, refuseRest, isNoStop)
    }
  }
}

function refuseRest(parser: Parser): never {
  if (!isWord(peek(parser), "select")) {
    stumble(parser, expected(parser, "the next part of the query or its end"))
  }
  const message = "Only one SELECT can be asked; another begins here."
  report(parser, { message, suggestion: "To have the rows of both, write UNION ALL between them." })
  // Its parts would be taken for second parts of the first.
  throw new Surrender(message)
}

function clause(name: string, read: Clause["read"]): Clause {
  const word = name.toLowerCase()
  return {
    name,
    starts: (parser) => isWord(peek(parser), word),
    read(parser, draft) {
      take(parser)
      read(parser, draft)
    },
  }
}

const FULL_NAMES = new Map([
  ["GROUP", "GROUP BY"],
  ["ORDER", "ORDER BY"],
])

function checkOrder(parser: Parser, position: number, latest: number): void {
  const [now, before] = [CLAUSES[position]?.name, CLAUSES[latest]?.name]
  if (position > latest || now === undefined) return
  if (now === "LIMIT" && before === "LIMIT") return
  const [text, behind] = [now, before ?? ""].map((name) => FULL_NAMES.get(name) ?? name)
  const message =
    now === before ? `${text} is given twice.` : `${text} has to stand before ${behind}.`
  report(parser, { message })
}

/** `LIMIT 1 BY a` may be followed by a LIMIT of the whole. */
function readLimit(parser: Parser, draft: Draft): void {
  const start = peek(parser)
  const { limit, limitBy } = parseLimit(parser)
  const isTwice =
    draft.limit !== undefined || (limitBy !== undefined && draft.limitBy !== undefined)
  if (isTwice)
    report(parser, { message: "The number of rows is limited twice.", span: spanOf(start) })
  if (limit !== undefined) draft.limit = limit
  if (limitBy !== undefined) draft.limitBy = limitBy
}

function parseNamedWindow(parser: Parser): SelectAst["windows"][number] {
  const start = peek(parser)
  const { name } = parsePlainName(parser, "the name of a window")
  checkAlias(parser, start)
  expectWord(parser, "as", "after the name of a window")
  if (!isSign(peek(parser), "(")) stumble(parser, expected(parser, "a window in parentheses"))
  return { name, window: bracketOne(parser, parseWindow) }
}

function refuseTotals(parser: Parser): void {
  const start = peek(parser)
  for (const kind of ["rollup", "cube", "totals"]) {
    if (!takeWords(parser, "with", kind)) continue
    const message = `GROUP BY … WITH ${kind.toUpperCase()} is not supported.`
    report(parser, { code: "unsupported", message, span: spanOf(start) })
  }
}

function refuse(parser: Parser, message: string): never {
  const before = parser.tokens[parser.index - 1] ?? peek(parser)
  return stumble(parser, { code: "unsupported", message, span: spanOf(before) })
}

function endsSelect(token: Token): boolean {
  if (token.kind === "end" || isClosing(token)) return true
  if (token.kind === "sign") return token.text === ";" || token.text === ","
  return token.kind === "name" && ["union", "intersect", "except"].includes(token.word)
}

function isNoStop(): boolean {
  return false
}
