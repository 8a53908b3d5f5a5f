/** The query language: text to tree, with every mistake that was found on the way. */
import type { Query } from "../tree.ts"
import type { Type } from "../types.ts"
import type { QueryAst } from "./ast.ts"
import { rewriteQueryAst } from "./ast-rewrite.ts"
import { ROWS_DEFAULT, ROWS_MAX } from "./limits.ts"
import { parseQuery } from "./parser.ts"
import { runPasses } from "./passes.ts"
import { printLanguage } from "./print-language.ts"
import { languageError, type Problem } from "./problems.ts"
import { isFilters } from "./resolve-filters.ts"
import { findCount } from "./resolve-limit.ts"
import { resolveQuery } from "./resolve-query.ts"
import { EMPTY_SCOPE, type LanguageContext, type ResolvedQuery } from "./resolving.ts"
import { createWork } from "./work.ts"

export {
  type CompiledExpression,
  compileCondition,
  compileExpression,
  compileOrder,
  listCohortNames,
} from "./compile-expression.ts"
export type { LanguageContext } from "./resolving.ts"
export { typeName } from "./type-name.ts"

interface CompiledColumn {
  readonly name: string
  readonly type: Type
  /** Under which rows carry it: names may be the same, keys are not. */
  readonly key: string
}

export interface CompiledQuery {
  readonly query: Query
  readonly columns: readonly CompiledColumn[]
  /** The text in one way of writing it, with values for placeholders and its LIMIT. */
  readonly text: string
  /**
   * As the text names it. Undefined where it names none: then `query` asks for one row more than are shown, so
   * that it is known whether there are more. Of a union: what all branches give at most.
   */
  readonly limit?: number
  readonly offset?: number
}

/** Throws one error with all problems. */
export function compileQuery(text: string, context: LanguageContext): CompiledQuery {
  const { problems, compiled } = checkQuery(text, context)
  if (compiled === undefined || problems.length > 0) throw languageError(text, problems)
  return compiled
}

export function checkQuery(
  text: string,
  context: LanguageContext,
): { readonly problems: readonly Problem[]; readonly compiled?: CompiledQuery } {
  const parsed = parseQuery(text)
  if (parsed.ast === undefined) return { problems: parsed.problems }
  const passed = runPasses(parsed.ast, context)
  if (passed.problems.length > 0) return { problems: [...parsed.problems, ...passed.problems] }
  const work = createWork(context)
  const resolved = resolveQuery(passed.ast, EMPTY_SCOPE, work)
  const problems = inOrder([...parsed.problems, ...elsewhere(work.problems, parsed.problems)])
  if (problems.length > 0) return { problems }
  return { problems, compiled: finish(resolved, { written: parsed.ast, ast: passed.ast, context }) }
}

const inOrder = (problems: readonly Problem[]): readonly Problem[] =>
  problems.toSorted((a, b) => a.span.start - b.span.start)

/** What the parser stumbled over is not told again. */
function elsewhere(problems: readonly Problem[], told: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ span }) =>
    told.every((known) => known.span.end <= span.start || known.span.start >= span.end),
  )
}

interface Asts {
  readonly written: QueryAst
  readonly ast: QueryAst
  readonly context: LanguageContext
}

function finish({ query, columns }: ResolvedQuery, { written, ast, context }: Asts): CompiledQuery {
  const { rowsDefault = ROWS_DEFAULT, rowsMax = ROWS_MAX } = context
  const shared = {
    columns: columns.map(({ name, type, as }) => ({ name, type, key: as })),
    text: printLanguage(withoutFilters(ast, context)),
  }
  if (query.kind === "union" || ast.kind === "union") {
    const limit = sumLimits(ast)
    return {
      ...shared,
      query: limit <= rowsMax ? query : firstRows(query, columns, rowsMax),
      limit,
    }
  }
  const isLimited = written.kind === "select" && written.limit !== undefined
  if (!isLimited) return { ...shared, query: { ...query, limit: rowsDefault + 1 } }
  const { limit, offset } = query
  return {
    ...shared,
    query,
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
  }
}

/** `{filters}` without filters asks for nothing. */
function withoutFilters(ast: QueryAst, { filters }: LanguageContext): QueryAst {
  if (filters !== undefined) return ast
  return rewriteQueryAst(ast, (node) =>
    node.kind === "placeholder" && isFilters(node.expr)
      ? { kind: "constant", value: true, span: node.span }
      : undefined,
  )
}

function sumLimits(ast: QueryAst): number {
  if (ast.kind === "union") return ast.queries.reduce((sum, query) => sum + sumLimits(query), 0)
  return ast.limit === undefined ? 0 : (findCount(ast.limit.count) ?? 0)
}

function firstRows(query: Query, columns: ResolvedQuery["columns"], limit: number): Query {
  const alias = "t"
  return {
    columns: columns.map(({ as }) => ({ as, expr: { kind: "column", table: alias, column: as } })),
    from: { kind: "subquery", query, alias },
    limit,
  }
}
