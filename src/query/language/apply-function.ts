/** Functions of the language on values whose types are known. */
import { DomainError } from "../../lib/errors.ts"
import type { Expr } from "../tree.ts"
import type { Type } from "../types.ts"
import { operandsOf } from "../walk.ts"
import type { Span } from "./ast.ts"
import { asBoolean, asDay, asInteger, asMoment, asNumber, asUuid } from "./coerce.ts"
import { findLanguageFunction, type LanguageFunction } from "./functions/index.ts"
import { EXPR_NODES_MAX } from "./limits.ts"
import {
  BOOLEAN,
  INTEGER,
  isConstantNull,
  type LanguageContext,
  NULL,
  type Place,
  type Resolved,
  report,
  UNRESOLVED,
  withNullability,
} from "./resolving.ts"

interface Application {
  readonly span: Span
  readonly place: Place
  /** Of the arguments. */
  readonly spans?: readonly Span[]
  readonly params?: readonly number[]
  readonly distinct?: boolean
}

/** By name: what operators and other forms of the language mean. */
export function applyFunction(
  name: string,
  args: readonly Resolved[],
  application: Application,
): Resolved {
  const known = findLanguageFunction(name)
  if (known === undefined) throw new Error(`the language has no function ${name}`)
  return applyKnown(known, args, application)
}

export function applyKnown(
  known: LanguageFunction,
  args: readonly Resolved[],
  application: Application,
): Resolved {
  const { span, place, spans = [], params = [], distinct = false } = application
  const fitted = fit(known, args, place)
  if ("problem" in fitted) {
    if (args.some((arg) => arg === UNRESOLVED)) return UNRESOLVED
    const message = `Argument ${fitted.argument + 1} of '${known.name}' ${fitted.problem}.`
    return report(place.work, {
      code: "illegal_type_of_argument",
      message,
      span: spans[fitted.argument] ?? span,
    })
  }
  if (isOfNothing(known, fitted.args))
    return { expr: NULL, type: withNullability(fitted.type, true) }
  const types = fitted.args.map(({ type }) => type)
  const exprs = fitted.args.map(({ expr }) => expr)
  const lowered = lower(known, { args: exprs, types, params, distinct }, application)
  if (lowered === undefined) return UNRESOLVED
  return bounded({ expr: lowered, type: fitted.type }, application)
}

/** Whether null stands where only a moment, an array or the like fits: engines want to be told which. */
function isOfNothing(known: LanguageFunction, args: readonly Resolved[]): boolean {
  if (known.kind !== "scalar") return false
  return args.some((arg, at) => {
    if (!isConstantNull(arg)) return false
    const refuses = (type: Type) => {
      const verdict = known.check(args.map((_, index) => (index === at ? type : UNRESOLVED.type)))
      return "problem" in verdict && verdict.argument === at
    }
    return refuses(INTEGER) && refuses(BOOLEAN) && refuses({ kind: "text", isNullable: false })
  })
}

function lower(
  known: LanguageFunction,
  parts: Parameters<LanguageFunction["lower"]>[0],
  { span, place }: Application,
): Expr | undefined {
  try {
    return known.lower(parts, place.work.context)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    report(place.work, { code: "wrong_arguments", message: error.message, span })
    return undefined
  }
}

type Fitted =
  | { readonly args: readonly Resolved[]; readonly type: Type }
  | { readonly problem: string; readonly argument: number }

const COERCIONS = [asNumber, asMoment, asBoolean, asInteger, asDay, asUuid]

/** The arguments as they are, or with the fewest of them read as what the function wants. */
function fit(known: LanguageFunction, given: readonly Resolved[], place: Place): Fitted {
  const { context } = place.work
  let args = given
  // Each round mends one argument for good.
  for (let round = 0; round <= given.length; round++) {
    const verdict = known.check(args.map(({ type }) => type))
    if ("type" in verdict) return { args, type: verdict.type }
    const mended = mendArgument(known, args, { at: verdict.argument, context })
    if (mended === undefined) break
    args = mended
  }
  for (const coerce of COERCIONS) {
    const all = given.map((arg) => coerceArgument(arg, coerce, context) ?? arg)
    const verdict = known.check(all.map(({ type }) => type))
    if ("type" in verdict) return { args: all, type: verdict.type }
  }
  const verdict = known.check(given.map(({ type }) => type))
  return "type" in verdict ? { args: given, type: verdict.type } : verdict
}

function mendArgument(
  known: LanguageFunction,
  args: readonly Resolved[],
  { at, context }: { at: number; context: LanguageContext },
): readonly Resolved[] | undefined {
  const arg = args[at]
  if (arg === undefined) return undefined
  for (const coerce of COERCIONS) {
    const coerced = coerceArgument(arg, coerce, context)
    if (coerced === undefined) continue
    const tried = args.with(at, coerced)
    const verdict = known.check(tried.map(({ type }) => type))
    if ("type" in verdict || verdict.argument !== at) return tried
  }
  return undefined
}

/** Of a lambda, what it answers. */
function coerceArgument(
  arg: Resolved,
  coerce: (typeof COERCIONS)[number],
  context: LanguageContext,
): Resolved | undefined {
  const { expr } = arg
  if (expr.kind !== "lambda") return coerce(arg, context)
  const body = coerce({ ...arg, expr: expr.body }, context)
  return body === undefined ? undefined : { ...body, expr: { ...expr, body: body.expr } }
}

const sizes = new WeakMap<Expr, number>()

/** Lowering may use an argument more than once: nested often enough, a short text would become a huge tree. */
export function bounded(value: Resolved, { span, place }: { span: Span; place: Place }): Resolved {
  if (sizeOf(value.expr) <= EXPR_NODES_MAX) return value
  const message = `The expression has more than ${EXPR_NODES_MAX} parts once its names are resolved.`
  return report(place.work, { code: "too_complex", message, span })
}

function sizeOf(expr: Expr): number {
  const known = sizes.get(expr)
  if (known !== undefined) return known
  const size = operandsOf(expr).reduce((sum, operand) => sum + sizeOf(operand), 1)
  sizes.set(expr, size)
  return size
}
