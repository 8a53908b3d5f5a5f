/** `{filters}`: what the caller's filters mean for the events of this query. Other placeholders are values. */
import { boolean, EVENTS } from "../build.ts"
import type { ExprAst } from "./ast.ts"
import { BOOLEAN, type Place, type Resolved, report } from "./resolving.ts"

export const FILTERS = "filters"

export function isFilters(ast: ExprAst): boolean {
  return ast.kind === "field" && ast.chain.length === 1 && ast.chain[0] === FILTERS
}

export function resolvePlaceholder(
  ast: Extract<ExprAst, { kind: "placeholder" }>,
  { work, scope }: Place,
): Resolved {
  const { span } = ast
  if (!isFilters(ast.expr)) {
    const message = "This placeholder has no value."
    return report(work, { code: "missing_placeholder", message, span })
  }
  const isOfEvents = scope.sources.some(
    (source) =>
      source.kind === "table" &&
      source.table.name === "events" &&
      source.aliases(EVENTS) === EVENTS,
  )
  if (!isOfEvents) {
    const message =
      "The placeholder {filters} can only stand in a SELECT whose FROM begins with the table events."
    return report(work, { code: "unsupported", message, span })
  }
  return { expr: work.context.filters?.("events") ?? boolean(true), type: BOOLEAN }
}
