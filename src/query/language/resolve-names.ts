/** Names that a SELECT gives: queries and expressions in WITH, aliases, windows. */
import type { Query } from "../tree.ts"
import type { ExprAst, SelectAst } from "./ast.ts"
import { operandsOfAst } from "./ast-walk.ts"
import { type Alias, freshName, type NamedQuery, type Scope, type Work } from "./resolving.ts"

export interface Names {
  readonly scope: Scope
  readonly ctes: readonly { readonly name: string; readonly query: Query }[]
}

/** Each named query sees those before it, and those of the queries around. */
export function resolveNames(select: SelectAst, outer: Scope, work: Work): Names {
  let scope: Scope = {
    ...outer,
    sources: [],
    shared: new Set(),
    aliases: new Map(),
    windows: new Map(select.windows.map(({ name, window }) => [name, window])),
    depth: outer.depth + 1,
  }
  const ctes: { name: string; query: Query }[] = []
  for (const cte of select.ctes) {
    if (cte.kind === "expr") {
      scope = { ...scope, namedExprs: new Map([...scope.namedExprs, [cte.name, cte.expr]]) }
      continue
    }
    const resolved = work.resolveQuery(cte.query, scope, work)
    const named: NamedQuery = { ...resolved, treeName: freshName(work, "q") }
    scope = { ...scope, namedQueries: new Map([...scope.namedQueries, [cte.name, named]]) }
    ctes.push({ name: named.treeName, query: resolved.query })
  }
  return { scope, ctes }
}

/** Of the columns, also inside of them, but not inside lambdas and queries; the first of a name counts. */
export function collectAliases({ columns }: SelectAst): ReadonlyMap<string, Alias> {
  const aliases = new Map<string, Alias>()
  const pending: ExprAst[] = columns.toReversed()
  for (let ast = pending.pop(); ast !== undefined; ast = pending.pop()) {
    if (ast.kind === "alias" && !aliases.has(ast.name)) {
      aliases.set(ast.name, { ast: ast.expr, isOpen: false })
    }
    if (ast.kind !== "lambda") pending.push(...operandsOfAst(ast))
  }
  return aliases
}
