/**
 * FROM of the tree, once it is known what is read. The links of the first source are joined right behind it. Any
 * other source whose links are read becomes a query of its own, so that ON can use what they lead to.
 */
import { rewriteExpr } from "../rewrite.ts"
import type { Expr, Join, Source } from "../tree.ts"
import { listSourcesOf, operandsOf } from "../walk.ts"
import type { FromEntry } from "./from-entry.ts"
import type { TableInScope } from "./resolving.ts"

export interface AssembledFrom {
  readonly from: Source
  readonly joins: readonly Join[]
  /** Expressions must go through it: what a source of its own carries has other names. */
  readonly rewrite: (expr: Expr) => Expr
}

export function assembleFrom(
  entries: readonly FromEntry[],
  exprs: readonly Expr[],
  project_id: number,
): AssembledFrom | undefined {
  const [first, ...others] = entries
  if (first === undefined) return undefined
  const wrapped = others.map((entry) => wrapLinks(entry, exprs, project_id))
  const names = new Map(wrapped.flatMap(({ renamed }) => [...renamed]))
  const rewrite = (expr: Expr): Expr =>
    names.size === 0
      ? expr
      : rewriteExpr(expr, (node) => (isLeaf(node) ? names.get(keyOf(node)) : undefined))
  const links = first.scoped.kind === "table" ? first.scoped.table.joins(project_id, exprs) : []
  return {
    from: first.source,
    joins: [...links, ...wrapped.map(({ entry }) => joinOf(entry, rewrite))],
    rewrite,
  }
}

function joinOf({ source, join }: FromEntry, rewrite: (expr: Expr) => Expr): Join {
  if (join === undefined || join.kind === "cross" || join.on === undefined) {
    return { kind: "cross", source }
  }
  return { kind: join.kind, source, on: rewrite(join.on) }
}

interface Wrapped {
  readonly entry: FromEntry
  /** From leaves, as `keyOf` writes them, to the columns that carry them. */
  readonly renamed: ReadonlyMap<string, Expr>
}

function wrapLinks(entry: FromEntry, exprs: readonly Expr[], project_id: number): Wrapped {
  const { scoped, source } = entry
  const own = source.alias
  if (scoped.kind !== "table") return { entry, renamed: new Map() }
  const isLinked = [...listSourcesOf(exprs)].some((alias) => alias.startsWith(`${own}.`))
  if (!isLinked) return { entry, renamed: new Map() }
  const leaves = new Map<string, Leaf>()
  for (const expr of exprs) collectLeaves(expr, own, leaves)
  const columns = [...leaves].map(([key, leaf], index) => ({
    key,
    as: `c${index}`,
    expr: canonical(leaf, own, scoped),
  }))
  const query = {
    columns: columns.map(({ as, expr }) => ({ as, expr })),
    from: scoped.table.from(project_id),
    joins: scoped.table.joins(
      project_id,
      columns.map(({ expr }) => expr),
    ),
  }
  return {
    entry: { ...entry, source: { kind: "subquery", query, alias: own } },
    renamed: new Map(
      columns.map(({ key, as }) => [key, { kind: "column", table: own, column: as }]),
    ),
  }
}

type Leaf = Extract<Expr, { table: string }>

const isLeaf = (expr: Expr): expr is Leaf => "table" in expr

const keyOf = (leaf: Leaf): string => JSON.stringify(leaf)

function collectLeaves(expr: Expr, own: string, leaves: Map<string, Leaf>): void {
  if (isLeaf(expr) && (expr.table === own || expr.table.startsWith(`${own}.`))) {
    leaves.set(keyOf(expr), expr)
  }
  for (const operand of operandsOf(expr)) collectLeaves(operand, own, leaves)
}

/** Under the aliases that the table's own joins have. */
function canonical(leaf: Leaf, own: string, { table }: TableInScope): Expr {
  const alias = leaf.table === own ? table.alias : leaf.table.slice(own.length + 1)
  return { ...leaf, table: alias }
}
