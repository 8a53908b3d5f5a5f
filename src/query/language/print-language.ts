/** Trees back to the text of the language, in one way of writing it: what answers show as the query. */
import type {
  CteAst,
  ExprAst,
  FromAst,
  JoinAst,
  LimitAst,
  QueryAst,
  SelectAst,
  SourceAst,
} from "./ast.ts"
import { PRECEDENCE } from "./parser-precedence.ts"
import { ANY, createExprPrinter, printOrders, printWindow } from "./print-language-exprs.ts"
import { printChain, printConstant, printName } from "./print-language-names.ts"

const PLAIN = PRECEDENCE.lambda
const print = createExprPrinter(printQuery)

/** Parsing the text gives the tree again, other spans aside. */
export function printLanguage(ast: QueryAst | ExprAst): string {
  return ast.kind === "select" || ast.kind === "union" ? printQuery(ast) : print.one(ast, ANY)
}

function printQuery(query: QueryAst): string {
  if (query.kind === "select") return printSelect(query)
  const texts = query.queries.map((inner) => {
    const text = printQuery(inner)
    return inner.kind === "union" ? `(${text})` : text
  })
  return texts.join(" UNION ALL ")
}

function printSelect(select: SelectAst): string {
  const { ctes, windows, orderBy, limitBy, limit } = select
  const windowTexts = windows.map((each) => {
    return `${printName(each.name)} AS (${printWindow(print, each.window)})`
  })
  const parts = [
    part("WITH", ctes.map(printCte).join(", ")),
    part(select.distinct ? "SELECT DISTINCT" : "SELECT", print.list(select.columns)),
    part("FROM", select.from && printFrom(select.from)),
    printArrayJoin(select),
    part("PREWHERE", select.prewhere && print.one(select.prewhere, ANY)),
    part("WHERE", select.where && print.one(select.where, ANY)),
    part("GROUP BY", print.list(select.groupBy)),
    part("HAVING", select.having && print.one(select.having, ANY)),
    part("WINDOW", windowTexts.join(", ")),
    part("ORDER BY", printOrders(print, orderBy)),
    part("LIMIT", limitBy && `${printLimit(limitBy.limit)} BY ${printPlain(limitBy.by)}`),
    part("LIMIT", limit && printLimit(limit)),
  ]
  return parts.filter((text) => text !== "").join(" ")
}

function part(keyword: string, text: string | undefined): string {
  return text === undefined || text === "" ? "" : `${keyword} ${text}`
}

function printPlain(exprs: readonly ExprAst[]): string {
  return exprs.map((expr) => print.one(expr, PLAIN)).join(", ")
}

function printCte(cte: CteAst): string {
  if (cte.kind === "query") return `${printName(cte.name)} AS (${printQuery(cte.query)})`
  return `${print.one(cte.expr, PLAIN)} AS ${printName(cte.name)}`
}

function printArrayJoin({ arrayJoin }: SelectAst): string {
  if (arrayJoin === undefined) return ""
  return `${arrayJoin.isLeft ? "LEFT " : ""}ARRAY JOIN ${print.list(arrayJoin.items)}`
}

function printFrom({ source, joins }: FromAst): string {
  return [printSource(source), ...joins.map(printJoin)].join(" ")
}

function printSource({ from, alias, final, sample }: SourceAst): string {
  const offset = sample?.offset ? ` OFFSET ${printConstant(sample.offset)}` : ""
  return [
    printOrigin(from),
    part("AS", alias === undefined ? "" : printName(alias)),
    final ? "FINAL" : "",
    part("SAMPLE", sample && `${printConstant(sample.ratio)}${offset}`),
  ]
    .filter((text) => text !== "")
    .join(" ")
}

function printOrigin(from: SourceAst["from"]): string {
  switch (from.kind) {
    case "table":
      return printChain(from.chain)
    case "function":
      return `${printName(from.name)}(${print.list(from.args)})`
    case "query":
      return `(${printQuery(from.query)})`
    case "placeholder":
      return `{${print.one(from.expr, ANY)}}`
    default:
      return from satisfies never
  }
}

function printJoin({ kind, source, on, using }: JoinAst): string {
  const names = using?.map(({ name }) => printName(name)).join(", ")
  return [
    `${kind.toUpperCase()} JOIN ${printSource(source)}`,
    part("ON", on && print.one(on, PLAIN)),
    part("USING", names && `(${names})`),
  ]
    .filter((text) => text !== "")
    .join(" ")
}

function printLimit({ count, offset, withTies }: LimitAst): string {
  const start = offset === undefined ? "" : ` OFFSET ${print.one(offset, PLAIN)}`
  return `${print.one(count, PLAIN)}${start}${withTies ? " WITH TIES" : ""}`
}
