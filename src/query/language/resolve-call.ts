/** Calls: which function is meant, whether its arguments are as many as it takes, and its window. */
import { rewriteExpr } from "../rewrite.ts"
import type { Expr } from "../tree.ts"
import type { Type } from "../types.ts"
import { isAggregating, operandsOf } from "../walk.ts"
import { applyKnown } from "./apply-function.ts"
import type { ExprAst } from "./ast.ts"
import { findOperatorCall } from "./call-operators.ts"
import { findLanguageFunction, type LanguageFunction, suggestFunction } from "./functions/index.ts"
import { findInterval, shift } from "./resolve-arithmetic.ts"
import { type Over, windowOf } from "./resolve-window.ts"
import { asValue, type Place, type Resolved, report, UNRESOLVED } from "./resolving.ts"

type CallAst = Extract<ExprAst, { kind: "call" }>

export function resolveCall(ast: CallAst, place: Place): Resolved {
  const operator = findOperatorCall(ast)
  if (operator !== undefined) return place.work.resolveExpr(operator, place)
  const shifted = resolveShift(ast, place)
  if (shifted !== undefined) return shifted
  const known = findLanguageFunction(ast.name)
  if (known === undefined) {
    resolveAll(ast.args, place)
    return refuseUnknown(ast, place)
  }
  const counted = plainCount(ast)
  if (!checkCounts(known, counted, place) || !checkKind(known, ast, place)) {
    resolveAll(ast.args, place)
    return UNRESOLVED
  }
  return applyCall(known, counted, place)
}

/** For the problems inside. A lambda whose parameters have no types is left. */
function resolveAll(args: readonly ExprAst[], place: Place): void {
  for (const arg of args) {
    if (arg.kind !== "lambda" && arg.kind !== "star") place.work.resolveExpr(arg, asValue(place))
  }
}

/** `dateAdd(x, INTERVAL 1 DAY)`. */
function resolveShift(ast: CallAst, place: Place): Resolved | undefined {
  const isBack = /^(dateSub|timeStampSub)$/.test(ast.name)
  if (!(isBack || /^(dateAdd|timeStampAdd)$/.test(ast.name)) || ast.args.length !== 2) {
    return undefined
  }
  const [moment, amount] = ast.args
  const interval = amount === undefined ? undefined : findInterval(amount)
  if (interval === undefined || moment === undefined) return undefined
  const inner = asValue(place)
  const resolved = place.work.resolveExpr(moment, inner)
  return shift(resolved, { ...interval, isBack }, { span: ast.span, place: inner })
}

/** `count(*)` counts rows, as `count()` does; `count(DISTINCT a, b)` counts pairs. */
function plainCount(ast: CallAst): CallAst {
  if (ast.name !== "count") return ast
  const [only] = ast.args
  if (ast.args.length === 1 && only?.kind === "star") return { ...ast, args: [] }
  if (!ast.distinct || ast.args.length < 2) return ast
  return { ...ast, args: [{ kind: "tuple", items: ast.args, span: ast.span }] }
}

function refuseUnknown({ name, nameSpan }: CallAst, { work }: Place): Resolved {
  const meant = suggestFunction(name)
  const suggestion = meant === undefined ? {} : { suggestion: `Perhaps you meant '${meant}(...)'?` }
  const message = `Unsupported function call '${name}(...)'.`
  return report(work, { code: "unknown_function", message, span: nameSpan, ...suggestion })
}

function checkCounts(known: LanguageFunction, ast: CallAst, { work }: Place): boolean {
  const findings = [
    describeCount(known.args, ast.args.length, "argument"),
    describeCount(known.params, ast.params?.length ?? 0, "parameter"),
  ]
  const found = findings.find((finding) => finding !== undefined)
  if (found === undefined) return true
  const message = `${nounOf(known)} '${known.name}' ${found}`
  report(work, { code: "wrong_arguments", message, span: ast.span })
  return false
}

const nounOf = ({ kind }: LanguageFunction): string =>
  kind === "aggregate" ? "Aggregation" : "Function"

function describeCount(
  { min, max }: { readonly min: number; readonly max: number },
  found: number,
  noun: string,
): string | undefined {
  if (found >= min && found <= max) return undefined
  const wanted = found < min ? min : max
  const bound = min === max ? "" : found < min ? "at least " : "at most "
  return `expects ${bound}${wanted} ${noun}${wanted === 1 ? "" : "s"}, found ${found}`
}

function checkKind(known: LanguageFunction, ast: CallAst, { work }: Place): boolean {
  const { span } = ast
  if (known.kind === "window" && ast.over === undefined) {
    const message = `'${known.name}' needs a window.`
    const suggestion = `Write ${known.name}(...) OVER (PARTITION BY ... ORDER BY ...).`
    report(work, { code: "wrong_arguments", message, span, suggestion })
    return false
  }
  if (known.kind === "scalar" && ast.over !== undefined) {
    const message = `'${known.name}' is computed from one row and takes no window.`
    report(work, { code: "wrong_arguments", message, span })
    return false
  }
  if (known.kind !== "aggregate" && ast.distinct) {
    const message = `'${known.name}' is no aggregation, so DISTINCT means nothing in it.`
    report(work, { code: "wrong_arguments", message, span })
    return false
  }
  return true
}

function applyCall(known: LanguageFunction, ast: CallAst, place: Place): Resolved {
  if (place.parameters.size > 0 && !checkInsideLambda(known, ast, place)) return UNRESOLVED
  const isAggregate = known.kind === "aggregate"
  const inner = { ...asValue(place), prefersFields: place.prefersFields || isAggregate }
  const args = resolveArguments(known, ast, inner)
  const params = resolveParams(known, ast, inner)
  if (args === undefined || params === undefined) return UNRESOLVED
  if (isAggregate && ast.over === undefined && !checkNesting(known, args, { ast, place })) {
    return UNRESOLVED
  }
  const value = applyKnown(known, args, {
    span: ast.span,
    place: inner,
    spans: ast.args.map(({ span }) => span),
    params,
    distinct: ast.distinct,
  })
  return ast.over === undefined
    ? value
    : overWindow(value, { over: ast.over, span: ast.span }, inner)
}

/** Functions whose answer is as long as they are told. */
const MAKERS = /^(range|repeat|arrayResize|(left|right)Pad(UTF8)?)$/

/**
 * Lengths multiply inside a lambda, beyond what the engine's limits can stop: nothing long is made there, and
 * another lambda only walks what is written out or handed in.
 */
function checkInsideLambda(known: LanguageFunction, ast: CallAst, place: Place): boolean {
  const isWalkable = (arg: ExprAst) =>
    arg.kind === "lambda" || arg.kind === "array" || isParameter(arg, place)
  const isBounded = known.lambda === undefined || ast.args.every(isWalkable)
  if (isBounded && !MAKERS.test(known.name)) return true
  const message = `'${known.name}' cannot be used inside a lambda here: its answer could grow without bound.`
  const suggestion = "Inside a lambda, walk its own parameters or an array that is written out."
  report(place.work, { code: "too_complex", message, span: ast.span, suggestion })
  return false
}

function isParameter(arg: ExprAst, { parameters }: Place): boolean {
  return arg.kind === "field" && parameters.has(String(arg.chain[0]))
}

function resolveArguments(
  known: LanguageFunction,
  ast: CallAst,
  place: Place,
): readonly Resolved[] | undefined {
  const lambdaAt = known.lambda?.index
  const plain = ast.args.map((arg, index) => {
    if (index === lambdaAt && arg.kind === "lambda") return undefined
    // Rows for which the condition is unknown are left out like those for which it is false.
    const isFilter = isConditional(known) && index === ast.args.length - 1
    return place.work.resolveExpr(arg, isFilter ? { ...place, isCondition: true } : place)
  })
  if (known.lambda === undefined) return plain.filter((arg) => arg !== undefined)
  const types = plain.map((arg) => arg?.type)
  return ast.args.map((arg, index) => {
    const resolved = plain[index]
    if (resolved !== undefined) return resolved
    return resolveLambda(arg, known.lambda?.parameterTypes(types) ?? [], place)
  })
}

const isConditional = ({ kind, name }: LanguageFunction): boolean =>
  kind === "aggregate" && name.endsWith("If")

function resolveLambda(ast: ExprAst, types: readonly Type[], place: Place): Resolved {
  if (ast.kind !== "lambda") return UNRESOLVED
  if (ast.params.length > types.length) {
    const message = `The lambda has ${ast.params.length} parameters, but is given ${types.length}.`
    return report(place.work, { code: "wrong_arguments", message, span: ast.span })
  }
  // The same for the same text, so that a key of GROUP BY is found again.
  const names = types.map((_, index) => `x${place.parameters.size + index}`)
  const own = ast.params.map((name, index): [string, Resolved] => {
    const type = types[index] ?? UNRESOLVED.type
    return [name, { expr: { kind: "parameter", name: names[index] ?? "" }, type }]
  })
  const parameters = new Map([...place.parameters, ...own])
  const body = place.work.resolveExpr(ast.body, { ...place, parameters })
  return {
    ...body,
    expr: { kind: "lambda", parameters: names.slice(0, ast.params.length), body: body.expr },
  }
}

function resolveParams(
  known: LanguageFunction,
  ast: CallAst,
  place: Place,
): readonly number[] | undefined {
  const params: number[] = []
  for (const param of ast.params ?? []) {
    const { expr } = place.work.resolveExpr(param, place)
    if (expr.kind !== "value" || expr.value.type !== "number") {
      const message = `The parameters of '${known.name}' must be numbers.`
      report(place.work, { code: "wrong_arguments", message, span: param.span })
      return undefined
    }
    params.push(expr.value.value)
  }
  return params
}

function checkNesting(
  known: LanguageFunction,
  args: readonly Resolved[],
  { ast, place }: { readonly ast: CallAst; readonly place: Place },
): boolean {
  const at = args.findIndex(({ expr }) => isAggregating(expr))
  const within = ast.args[at]
  if (within === undefined) return true
  const inner = findAggregateName(args[at]?.expr) ?? "another"
  const message = `Aggregation '${innerName(within) ?? inner}' cannot be nested inside another aggregation '${known.name}'.`
  const suggestion = "Compute the inner one in a query of its own in FROM."
  report(place.work, { code: "illegal_aggregation", message, span: within.span, suggestion })
  return false
}

function innerName(ast: ExprAst): string | undefined {
  return ast.kind === "call" ? ast.name : undefined
}

function findAggregateName(expr: Expr | undefined): string | undefined {
  if (expr === undefined) return undefined
  if (expr.kind === "aggregate") return expr.name
  for (const operand of operandsOf(expr)) {
    const name = findAggregateName(operand)
    if (name !== undefined) return name
  }
  return undefined
}

/** Aggregates take the window each; what is computed from them stays around. */
function overWindow(value: Resolved, over: Over, place: Place): Resolved {
  const window = windowOf(over, place)
  const expr = rewriteExpr(value.expr, (node) => {
    if (node.kind === "aggregate") return { kind: "window", of: node, ...window }
    return node.kind === "window" ? { ...node, ...window } : undefined
  })
  return { ...value, expr }
}
