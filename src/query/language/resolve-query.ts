/** Queries: one SELECT, or a UNION ALL of several. */
import type { Query } from "../tree.ts"
import type { Type } from "../types.ts"
import type { QueryAst, UnionAst } from "./ast.ts"
import { joinTypes } from "./functions/check-types.ts"
import { QUERIES_MAX, SUBQUERY_DEPTH_MAX, UNION_BRANCHES_MAX } from "./limits.ts"
import { resolveSelect } from "./resolve-select.ts"
import {
  describeType,
  type QueryColumn,
  type ResolvedQuery,
  report,
  type Scope,
  type Work,
} from "./resolving.ts"

const NOTHING: ResolvedQuery = { query: { columns: [] }, columns: [] }

export function resolveQuery(ast: QueryAst, scope: Scope, work: Work): ResolvedQuery {
  work.queryCount += 1
  const tooMuch = findExcess(ast, scope, work)
  if (tooMuch !== undefined) {
    report(work, { code: "too_complex", message: tooMuch, span: ast.span })
    return NOTHING
  }
  return ast.kind === "select" ? resolveSelect(ast, scope, work) : resolveUnion(ast, scope, work)
}

function findExcess(ast: QueryAst, { depth }: Scope, { queryCount }: Work): string | undefined {
  if (depth >= SUBQUERY_DEPTH_MAX) {
    return `Queries are nested more than ${SUBQUERY_DEPTH_MAX} deep.`
  }
  if (queryCount > QUERIES_MAX) return `The text has more than ${QUERIES_MAX} queries.`
  return ast.kind === "union" && ast.queries.length > UNION_BRANCHES_MAX
    ? `UNION ALL takes at most ${UNION_BRANCHES_MAX} queries, not ${ast.queries.length}.`
    : undefined
}

/** WITH before the first query counts for all of them, as in SQL. */
function resolveUnion(ast: UnionAst, scope: Scope, work: Work): ResolvedQuery {
  const [first] = ast.queries
  const shared = first?.kind === "select" ? first.ctes : []
  const branches = ast.queries.map((query, index) => {
    const isLater = index > 0 && query.kind === "select"
    const own = isLater ? { ...query, ctes: [...shared, ...query.ctes] } : query
    return { ...resolveQuery(own, scope, work), span: query.span }
  })
  const [head = NOTHING, ...others] = branches
  const columns = others.reduce<readonly QueryColumn[]>((known, branch) => {
    if (branch.columns.length !== known.length) {
      const message = `The queries of a UNION ALL have ${known.length} and ${branch.columns.length} columns; they must have the same number.`
      report(work, { code: "wrong_arguments", message, span: branch.span })
      return known
    }
    return known.map((column, index) => {
      const other = branch.columns[index]
      const type = other === undefined ? column.type : joinTypes(column.type, other.type)
      if (type === undefined) reportTypes([column, other], branch.span, work)
      return {
        ...column,
        type: type ?? column.type,
        isLoose: column.isLoose && other?.isLoose === true,
      }
    })
  }, head.columns)
  const queries: readonly Query[] = branches.map(({ query }) => query)
  return { query: { kind: "union", queries }, columns }
}

function reportTypes(
  [column, other]: readonly [QueryColumn, QueryColumn | undefined],
  span: QueryAst["span"],
  work: Work,
): void {
  const UNKNOWN: Type = { kind: "unknown", isNullable: true }
  const [a, b] = [describeType(column.type), describeType(other?.type ?? UNKNOWN)]
  const message = `The column "${column.name}" is of type ${a} in one query of the UNION ALL and of type ${b} in another.`
  report(work, { code: "illegal_type_of_argument", message, span })
}
