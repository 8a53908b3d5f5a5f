/** `arrayJoin(x)` in a column is an ARRAY JOIN of x: one row for each item. */
import type { ExprAst, SelectAst } from "./ast.ts"
import { rewriteExprAst } from "./ast-rewrite.ts"
import { printLanguage } from "./print-language.ts"
import { report, type Work } from "./resolving.ts"

/** No one can write it. */
const ITEM = "arrayJoin()"

/** The same SELECT without such calls. Several of the same array are one. */
export function liftArrayJoin(select: SelectAst, work: Work): SelectAst {
  const found = new Map<string, ExprAst>()
  const lift = (ast: ExprAst): ExprAst | undefined => {
    // A query inside has rows of its own.
    if (ast.kind === "query" || ast.kind === "lambda") return ast
    const [array] = ast.kind === "call" && ast.name === "arrayJoin" ? ast.args : []
    if (array === undefined) return undefined
    found.set(printLanguage(array), array)
    return { kind: "field", chain: [ITEM], span: ast.span }
  }
  const rewrite = (ast: ExprAst) => rewriteExprAst(ast, lift)
  const lifted: SelectAst = {
    ...select,
    columns: select.columns.map(rewrite),
    ...(select.where === undefined ? {} : { where: rewrite(select.where) }),
    groupBy: select.groupBy.map(rewrite),
    orderBy: select.orderBy.map((key) => ({ ...key, expr: rewrite(key.expr) })),
  }
  const [array, ...others] = found.values()
  if (array === undefined) return select
  const { span } = array
  if (others.length > 0 || select.arrayJoin !== undefined) {
    const message = "A SELECT can take only one array apart with arrayJoin."
    const suggestion = "Take the others apart in a query of their own in FROM."
    report(work, { code: "unsupported", message, span, suggestion })
  }
  const item: ExprAst = { kind: "alias", expr: array, name: ITEM, nameSpan: span, span }
  return { ...withFrom(lifted), arrayJoin: { isLeft: false, items: [item], span } }
}

/** Without FROM there is one row. */
function withFrom(select: SelectAst): SelectAst {
  if (select.from !== undefined) return select
  const { span } = select
  const one: ExprAst = { kind: "constant", value: 1, span }
  const from = { kind: "function", name: "numbers", args: [one] } as const
  return { ...select, from: { source: { from, final: false, span }, joins: [], span } }
}
