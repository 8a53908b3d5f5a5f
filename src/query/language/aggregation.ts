/** Rows taken together: what stands beside aggregates must be the same for all rows of a group. */
import { call } from "../build.ts"
import { rewriteExpr } from "../rewrite.ts"
import type { Expr } from "../tree.ts"
import { isAggregating, operandsOf } from "../walk.ts"
import type { Span } from "./ast.ts"
import { report, type Work } from "./resolving.ts"

/** Expressions of one SELECT are alike when they read alike: aliases and repeated text are the same tree. */
const keyOf = (expr: Expr): string => JSON.stringify(expr)

/** The check for one SELECT: answers the expression as it can be printed, or reports what is not grouped. */
export function groupedBy(groupBy: readonly Expr[], work: Work): (expr: Expr, span: Span) => Expr {
  const keys = new Set(groupBy.map(keyOf))
  return (expr, span) =>
    rewriteExpr(expr, (node) => {
      if (node.kind === "aggregate" || keys.has(keyOf(node))) return node
      if (!("table" in node)) return undefined
      return findOtherForm(node, keys) ?? reportUngrouped(node, span, work)
    })
}

/** A property grouped by its text can still be read as the number that the text spells. */
function findOtherForm(leaf: Expr, keys: ReadonlySet<string>): Expr | undefined {
  if (leaf.kind !== "property" || leaf.as !== "number") return undefined
  const asText: Expr = { ...leaf, as: "text" }
  return keys.has(keyOf(asText)) ? call("parseNumber", asText) : undefined
}

function reportUngrouped(leaf: Expr, span: Span, work: Work): Expr {
  const origin = work.origins.get(leaf)
  const name = origin?.name ?? describeLeaf(leaf)
  report(work, {
    code: "illegal_aggregation",
    message: `The field "${name}" is neither aggregated nor in GROUP BY.`,
    span: origin?.span ?? span,
    suggestion: `Add it to GROUP BY, or take one value of it: any(${name}).`,
  })
  return leaf
}

function describeLeaf(leaf: Expr): string {
  if (leaf.kind === "property") return `properties.${leaf.key}`
  return leaf.kind === "column" ? leaf.column : "properties"
}

/** Aggregates and windows see rows that WHERE, ON and GROUP BY have yet to choose. */
export function refuseAggregates(
  expr: Expr,
  { clause, span, work }: { readonly clause: string; readonly span: Span; readonly work: Work },
): void {
  const isWindow = hasWindow(expr)
  if (!isWindow && !isAggregating(expr)) return
  const what = isWindow ? "A window function" : "An aggregation"
  report(work, {
    code: "illegal_aggregation",
    message: `${what} cannot stand in ${clause}.`,
    span,
    suggestion: isWindow
      ? "Compute it in a query of its own in FROM."
      : clause === "WHERE"
        ? "Use HAVING for conditions on aggregations."
        : "Compute it in a query of its own in FROM.",
  })
}

function hasWindow(expr: Expr): boolean {
  return expr.kind === "window" || operandsOf(expr).some(hasWindow)
}
