/** One SELECT: its names, its sources, its clauses, and the tree of it all. */
import type { Expr, Join, Select } from "../tree.ts"
import { refuseAggregates } from "./aggregation.ts"
import { assembleFrom } from "./assemble-from.ts"
import type { SelectAst } from "./ast.ts"
import {
  type Clauses,
  checkGroups,
  listClauseExprs,
  rewriteClauses,
  showConditions,
} from "./clauses.ts"
import { liftArrayJoin } from "./lift-array-join.ts"
import { type ResolvedArrays, resolveArrayJoin } from "./resolve-array-join.ts"
import { resolveClauses } from "./resolve-clauses.ts"
import { listJoinConditions, NO_FROM, type ResolvedFrom, resolveFrom } from "./resolve-from.ts"
import { resolveLimits } from "./resolve-limit.ts"
import { collectAliases, resolveNames } from "./resolve-names.ts"
import { placeIn, type ResolvedQuery, type Scope, type Work } from "./resolving.ts"
import { treeNames } from "./select-columns.ts"

export function resolveSelect(written: SelectAst, outer: Scope, work: Work): ResolvedQuery {
  const select = liftArrayJoin(written, work)
  const { scope: named, ctes } = resolveNames(select, outer, work)
  const from = select.from === undefined ? NO_FROM : resolveFrom(select.from, named, work)
  checkJoins(from, select, work)
  const joined: Scope = { ...named, sources: from.sources, shared: from.shared }
  const aliases = collectAliases(select)
  const arrays = resolveArrayJoin(select, { ...joined, aliases }, work)
  const sources = arrays === undefined ? from.sources : [...from.sources, arrays.scoped]
  const scope: Scope = { ...joined, sources, aliases: collectAliases(select) }
  const grouped = checkGroups(resolveClauses(select, scope, work), select, work)
  const clauses = scope.depth > 1 ? grouped : showConditions(grouped)
  const limits = resolveLimits(select, placeIn(scope, work))
  const { tree, columns } = assemble(clauses, { from, arrays, work })
  const head = {
    ...(ctes.length === 0 ? {} : { ctes }),
    ...(select.distinct && { distinct: true }),
  }
  return { query: { ...head, ...tree, ...limits }, columns }
}

function checkJoins(from: ResolvedFrom, { from: ast }: SelectAst, work: Work): void {
  for (const [index, { join }] of from.entries.entries()) {
    const span = ast?.joins[index - 1]?.span
    if (join?.on !== undefined && span !== undefined) {
      refuseAggregates(join.on, { clause: "ON", span, work })
    }
  }
}

interface Parts {
  readonly from: ResolvedFrom
  readonly arrays: ResolvedArrays | undefined
  readonly work: Work
}

function assemble(clauses: Clauses, { from, arrays, work }: Parts) {
  const items = arrays?.join.items ?? []
  const read = [
    ...listClauseExprs(clauses),
    ...listJoinConditions(from),
    ...items.map(({ expr }) => expr),
  ]
  const assembled = assembleFrom(from.entries, read, work.context.project_id)
  const rewrite = assembled?.rewrite ?? ((expr: Expr) => expr)
  const rewritten = rewriteClauses(clauses, rewrite)
  const arrayJoins: readonly Join[] =
    arrays === undefined
      ? []
      : [{ ...arrays.join, items: items.map(({ as, expr }) => ({ as, expr: rewrite(expr) })) }]
  const names = treeNames(clauses.columns.map(({ name }) => name))
  const source =
    assembled === undefined
      ? {}
      : { from: assembled.from, joins: [...assembled.joins, ...arrayJoins] }
  const columns = clauses.columns.map(({ name, value }, index) => ({
    name,
    as: names[index] ?? "",
    type: value.type,
    isLoose: value.isLoose === true,
  }))
  return { tree: { ...treeOf(rewritten, names), ...source }, columns }
}

function treeOf(clauses: Clauses, names: readonly string[]): Select {
  const { where, having, groupBy, orderBy, limitBy } = clauses
  return {
    columns: clauses.columns.map(({ value }, index) => ({
      as: names[index] ?? "",
      expr: value.expr,
    })),
    ...(where === undefined ? {} : { where }),
    ...(groupBy.length === 0 ? {} : { groupBy }),
    ...(having === undefined ? {} : { having }),
    ...(orderBy.length === 0 ? {} : { orderBy }),
    ...(limitBy === undefined ? {} : { limitBy }),
  }
}
