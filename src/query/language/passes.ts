/** What happens to a parsed query before its names are resolved, in this order. */
import type { ExprAst, LimitAst, QueryAst, SelectAst } from "./ast.ts"
import { rewriteQueryAst } from "./ast-rewrite.ts"
import { AST_NODES_MAX, ROWS_DEFAULT, ROWS_MAX } from "./limits.ts"
import { fillQuery } from "./placeholders.ts"
import type { Problem } from "./problems.ts"
import { findCount } from "./resolve-limit.ts"
import type { LanguageContext } from "./resolving.ts"

interface Passed {
  readonly ast: QueryAst
  readonly problems: readonly Problem[]
}

type Pass = (ast: QueryAst, context: LanguageContext) => Passed

const PASSES: readonly Pass[] = [fillQuery, checkSize, limitRows]

/** Stops at the first pass that finds something: what follows would only repeat it. */
export function runPasses(ast: QueryAst, context: LanguageContext): Passed {
  let passed: Passed = { ast, problems: [] }
  for (const pass of PASSES) {
    passed = pass(passed.ast, context)
    if (passed.problems.length > 0) return passed
  }
  return passed
}

function checkSize(ast: QueryAst): Passed {
  let count = 0
  rewriteQueryAst(ast, () => {
    count += 1
    return undefined
  })
  if (count <= AST_NODES_MAX) return { ast, problems: [] }
  const message = `The text has ${count} parts; at most ${AST_NODES_MAX} are compiled.`
  return { ast, problems: [{ code: "too_complex", message, span: ast.span }] }
}

/** Answers are bounded: a query without LIMIT gets one, a larger one is cut. Of a union, every branch. */
function limitRows(ast: QueryAst, context: LanguageContext): Passed {
  return { ast: withLimit(ast, context), problems: [] }
}

function withLimit(ast: QueryAst, context: LanguageContext): QueryAst {
  if (ast.kind === "union") {
    return { ...ast, queries: ast.queries.map((query) => withLimit(query, context)) }
  }
  const { rowsDefault = ROWS_DEFAULT, rowsMax = ROWS_MAX } = context
  if (ast.limit === undefined) return { ...ast, limit: limitOf(rowsDefault, ast) }
  const count = findCount(ast.limit.count)
  if (count === undefined || count <= rowsMax) return ast
  return { ...ast, limit: { ...ast.limit, count: constantOf(rowsMax, ast) } }
}

function limitOf(count: number, { span }: SelectAst): LimitAst {
  return { count: constantOf(count, { span }), withTies: false, span }
}

function constantOf(value: number, { span }: Pick<SelectAst, "span">): ExprAst {
  return { kind: "constant", value, span }
}
