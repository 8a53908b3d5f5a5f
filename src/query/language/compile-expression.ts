/** Single expressions of the language, over the sources that `build.ts` names. */

import type { JsonObject } from "../../lib/json.ts"
import { orFalse, PERSONS } from "../build.ts"
import type { Expr } from "../tree.ts"
import type { Type } from "../types.ts"
import { isAggregating, listSourcesOf } from "../walk.ts"
import type { ExprAst } from "./ast.ts"
import { rewriteExprAst, rewriteQueryAst } from "./ast-rewrite.ts"
import { displayNameOf, parseExpression, parseOrderExpression, parseQuery } from "./parser.ts"
import { fillExpr } from "./placeholders.ts"
import { printLanguage } from "./print-language.ts"
import { languageError } from "./problems.ts"
import {
  BOOLEAN,
  EMPTY_SCOPE,
  isNullable,
  type LanguageContext,
  placeIn,
  type Resolved,
  report,
  type Scope,
  type Work,
} from "./resolving.ts"
import { findLanguageTable } from "./tables.ts"
import { createWork } from "./work.ts"

export type ExpressionTarget = "events" | "persons"

export interface CompiledExpression {
  readonly expr: Expr
  readonly type: Type
  readonly isAggregate: boolean
  /** In one way of writing it, with values for placeholders. */
  readonly text: string
  /** What stands behind `--`, or the expression as it was written. */
  readonly displayName: string
}

export interface CompiledOrder extends CompiledExpression {
  readonly direction: "asc" | "desc"
}

/** Over the aliases of `build.ts`: of events, `eventsReading` joins what it reads. */
export function compileExpression(
  text: string,
  target: ExpressionTarget,
  context: LanguageContext,
): CompiledExpression {
  const { ast, problems } = parseExpression(text)
  if (ast === undefined || problems.length > 0) throw languageError(text, problems)
  return compileAst(text, ast, { target, context, isCondition: false })
}

/** Likewise, where true or false is wanted: never unknown, and of other types a problem. */
export function compileCondition(
  text: string,
  target: ExpressionTarget,
  context: LanguageContext,
): CompiledExpression {
  const { ast, problems } = parseExpression(text)
  if (ast === undefined || problems.length > 0) throw languageError(text, problems)
  const compiled = compileAst(text, ast, { target, context, isCondition: true })
  const isSure = !isNullable(compiled.type)
  return { ...compiled, type: BOOLEAN, expr: isSure ? compiled.expr : orFalse(compiled.expr) }
}

/** `expr [ASC|DESC]`. */
export function compileOrder(
  text: string,
  target: ExpressionTarget,
  context: LanguageContext,
): CompiledOrder {
  const { ast, problems } = parseOrderExpression(text)
  if (ast === undefined || problems.length > 0) throw languageError(text, problems)
  const compiled = compileAst(text, ast.expr, { target, context, isCondition: false })
  return { ...compiled, direction: ast.direction }
}

interface Wanted {
  readonly target: ExpressionTarget
  readonly context: LanguageContext
  readonly isCondition: boolean
}

function compileAst(text: string, ast: ExprAst, wanted: Wanted): CompiledExpression {
  const { target, context, isCondition } = wanted
  const filled = fillExpr(ast, context)
  if (filled.problems.length > 0) throw languageError(text, filled.problems)
  const work = createWork(context)
  const place = { ...placeIn(scopeOf(target), work), isCondition }
  const value = work.resolveExpr(filled.ast, place)
  refuseLinksOfPersons(value, { target, ast, work })
  const problems = [...work.problems].sort((a, b) => a.span.start - b.span.start)
  if (problems.length > 0) throw languageError(text, problems)
  return {
    expr: value.expr,
    type: value.type,
    isAggregate: isAggregating(value.expr),
    text: printLanguage(filled.ast),
    displayName: displayNameOf(text),
  }
}

function scopeOf(target: ExpressionTarget): Scope {
  const table = findLanguageTable(target)
  if (table === undefined) throw new Error(`the language has no table ${target}`)
  const aliases = (alias: string) => alias
  return {
    ...EMPTY_SCOPE,
    sources: [{ kind: "table", name: target, table, aliases, isNullable: false }],
    depth: 1,
  }
}

/** Whoever lists persons joins nothing to them. */
function refuseLinksOfPersons(
  { expr }: Resolved,
  { target, ast, work }: { target: ExpressionTarget; ast: ExprAst; work: Work },
): void {
  const isPlain = [...listSourcesOf([expr])].every((alias) => alias === PERSONS)
  if (target === "events" || isPlain) return
  const message = "Here an expression over persons can only read the person's own fields."
  report(work, { code: "unsupported", message, span: ast.span })
}

/** Names of cohorts that a query or an expression speaks of: their ids must be known to compile it. */
export function listCohortNames(text: string, values?: JsonObject): readonly string[] {
  const names = new Set<string>()
  const collect = (node: ExprAst): undefined => {
    const isCohort = node.kind === "compare" && node.operator.endsWith("cohort")
    const name = isCohort ? nameOf(node.right, values) : undefined
    if (name !== undefined) names.add(name)
    return undefined
  }
  const query = parseQuery(text).ast
  if (query !== undefined) rewriteQueryAst(query, collect)
  else {
    const expr = parseExpression(text).ast ?? parseOrderExpression(text).ast?.expr
    if (expr !== undefined) rewriteExprAst(expr, collect)
  }
  return [...names]
}

function nameOf(ast: ExprAst, values: JsonObject = {}): string | undefined {
  if (ast.kind === "constant") return typeof ast.value === "string" ? ast.value : undefined
  if (ast.kind !== "placeholder" || ast.expr.kind !== "field") return undefined
  const key = ast.expr.chain.join(".")
  const value = Object.hasOwn(values, key) ? values[key] : undefined
  return typeof value === "string" ? value : undefined
}
