/** `{name}`: values that the caller gives beside the text, put in its place before names are resolved. */
import { isJsonObject, type JsonValue } from "../../lib/json.ts"
import type { ExprAst, QueryAst, Span } from "./ast.ts"
import { rewriteExprAst, rewriteQueryAst } from "./ast-rewrite.ts"
import type { Problem } from "./problems.ts"
import { FILTERS, isFilters } from "./resolve-filters.ts"
import type { LanguageContext } from "./resolving.ts"

type PlaceholderAst = Extract<ExprAst, { kind: "placeholder" }>

interface Filling {
  readonly context: LanguageContext
  readonly missing: Map<string, Span>
  readonly problems: Problem[]
}

/** The same query without placeholders, other than `{filters}` where the caller filters. */
export function fillQuery(
  query: QueryAst,
  context: LanguageContext,
): { readonly ast: QueryAst; readonly problems: readonly Problem[] } {
  const filling = startFilling(context)
  const ast = rewriteQueryAst(query, (node) => fillNode(node, filling))
  return { ast, problems: endFilling(filling) }
}

export function fillExpr(
  expr: ExprAst,
  context: LanguageContext,
): { readonly ast: ExprAst; readonly problems: readonly Problem[] } {
  const filling = startFilling(context)
  const ast = rewriteExprAst(expr, (node) => fillNode(node, filling))
  return { ast, problems: endFilling(filling) }
}

const startFilling = (context: LanguageContext): Filling => ({
  context,
  missing: new Map(),
  problems: [],
})

function endFilling({ missing, problems, context }: Filling): readonly Problem[] {
  const [first] = missing.values()
  if (first === undefined) return problems
  const names = [...missing.keys()].join(", ")
  const why = context.values === undefined ? "but no values were given" : "without a value"
  const message = `The query contains placeholders, ${why}: ${names}.`
  return [...problems, { code: "missing_placeholder", message, span: first }]
}

function fillNode(node: ExprAst, filling: Filling): ExprAst | undefined {
  return node.kind === "placeholder" ? fillPlaceholder(node, filling) : undefined
}

function fillPlaceholder(placeholder: PlaceholderAst, filling: Filling): ExprAst {
  const { context, problems } = filling
  const { span } = placeholder
  if (isFilters(placeholder.expr)) {
    const isGiven = findValue([FILTERS], context) !== undefined
    if (isGiven && context.filters !== undefined) {
      const message =
        "The placeholder {filters} is given both as a value and by the filters of the query."
      problems.push({ code: "missing_placeholder", message, span })
    }
    // Checked where it stands, even when it asks for nothing.
    if (!isGiven) return placeholder
  }
  return rewriteExprAst(placeholder.expr, (node) => {
    if (node.kind === "placeholder") return fillPlaceholder(node, filling)
    return node.kind === "field" ? fillField(node, filling) : undefined
  })
}

function fillField(
  { chain, span }: Extract<ExprAst, { kind: "field" }>,
  filling: Filling,
): ExprAst {
  const value = findValue(chain, filling.context)
  const filled = value === undefined ? undefined : asAst(value, span)
  if (filled !== undefined) return filled
  const name = chain.join(".")
  if (value === undefined) {
    if (!filling.missing.has(name)) filling.missing.set(name, span)
  } else {
    const message = `The value of the placeholder "${name}" is an object; texts, numbers, booleans, null and lists can stand in a query.`
    filling.problems.push({ code: "missing_placeholder", message, span })
  }
  return { kind: "constant", value: null, span }
}

/** `{a.b}` is the value `b` inside the value `a`. */
function findValue(
  chain: readonly (string | number)[],
  { values }: LanguageContext,
): JsonValue | undefined {
  return chain.reduce<JsonValue | undefined>(
    (value, part) =>
      isJsonObject(value) && Object.hasOwn(value, String(part)) ? value[part] : undefined,
    values,
  )
}

function asAst(value: JsonValue, span: Span): ExprAst | undefined {
  if (typeof value !== "object" || value === null) return { kind: "constant", value, span }
  if (!Array.isArray(value)) return undefined
  const items = value.map((item: JsonValue) => asAst(item, span))
  const known = items.filter((item) => item !== undefined)
  return known.length === items.length ? { kind: "array", items: known, span } : undefined
}
