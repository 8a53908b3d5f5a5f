/** FROM and its joins: which sources a SELECT reads, under which names. */
import type { Expr } from "../tree.ts"
import type { FromAst, JoinAst, JoinKind } from "./ast.ts"
import { compareValues } from "./compare-values.ts"
import type { FromEntry, SourcePlace } from "./from-entry.ts"
import { JOINS_MAX } from "./limits.ts"
import { resolveField } from "./resolve-field.ts"
import { resolveSource } from "./resolve-source.ts"
import {
  placeIn,
  report,
  type Scope,
  type ScopeSource,
  UNRESOLVED,
  type Work,
} from "./resolving.ts"

export interface ResolvedFrom {
  readonly entries: readonly FromEntry[]
  readonly sources: readonly ScopeSource[]
  readonly shared: ReadonlySet<string>
}

export const NO_FROM: ResolvedFrom = { entries: [], sources: [], shared: new Set() }

export function resolveFrom(from: FromAst, scope: Scope, work: Work): ResolvedFrom {
  if (from.joins.length > JOINS_MAX) {
    const message = `The query joins ${from.joins.length} sources; at most ${JOINS_MAX} are joined.`
    report(work, { code: "too_complex", message, span: from.span })
    return NO_FROM
  }
  const first = resolveSource(from.source, { scope, work, index: 0 })
  const start: ResolvedFrom = { entries: [first], sources: [first.scoped], shared: new Set() }
  return from.joins.reduce(
    (known, join, index) => addJoin(known, join, { scope, work, index: index + 1 }),
    start,
  )
}

function addJoin(known: ResolvedFrom, join: JoinAst, place: SourcePlace): ResolvedFrom {
  const entry = resolveSource(join.source, place)
  checkName(known, entry, { join, place })
  const sources = [...known.sources, entry.scoped]
  const names = (join.using ?? []).map(({ name }) => name)
  const shared = new Set([...known.shared, ...names])
  const scope = { ...place.scope, sources, shared: known.shared }
  const on =
    join.using === undefined ? onOf(join, scope, place.work) : usingOf(join, known, entry, place)
  return {
    entries: [...known.entries, { ...entry, join: { kind: join.kind, on } }],
    sources: [
      ...known.sources.map((source) => markNullable(source, KEEPS_RIGHT.has(join.kind))),
      markNullable(entry.scoped, KEEPS_LEFT.has(join.kind)),
    ],
    shared,
  }
}

const KEEPS_LEFT: ReadonlySet<JoinKind> = new Set(["left", "full"])
const KEEPS_RIGHT: ReadonlySet<JoinKind> = new Set(["right", "full"])

const markNullable = (source: ScopeSource, isNullable: boolean): ScopeSource =>
  isNullable ? { ...source, isNullable: true } : source

function checkName(
  known: ResolvedFrom,
  { scoped }: FromEntry,
  { join, place }: { readonly join: JoinAst; readonly place: SourcePlace },
): void {
  if (scoped.name === undefined || known.sources.every(({ name }) => name !== scoped.name)) return
  const message = `Two sources are called "${scoped.name}".`
  const suggestion = "Give one of them another name with AS."
  const span = join.source.span
  report(place.work, { code: "unresolved_field", message, span, suggestion })
}

function onOf({ kind, on, span }: JoinAst, scope: Scope, work: Work): Expr | undefined {
  if (kind === "cross") return undefined
  if (on === undefined) {
    const message = "The join does not say which rows belong together."
    report(work, { code: "syntax_error", message, span, suggestion: "Add ON or USING." })
    return UNRESOLVED.expr
  }
  return work.resolveExpr(on, { ...placeIn(scope, work), isCondition: true, isJoin: true }).expr
}

/** The named fields are equal on both sides. */
function usingOf(
  { using = [], span }: JoinAst,
  known: ResolvedFrom,
  entry: FromEntry,
  { scope, work }: SourcePlace,
): Expr {
  const operands = using.map((name) => {
    const field = { kind: "field", chain: [name.name], span: name.span } as const
    const left = resolveField(field, placeIn({ ...scope, ...known, aliases: new Map() }, work))
    const only = { ...scope, sources: [entry.scoped], aliases: new Map() }
    const right = resolveField(field, placeIn(only, work))
    const place = { ...placeIn(scope, work), isCondition: true, isJoin: true }
    return compareValues("=", [left, right], { span, place }).expr
  })
  const [only] = operands
  return operands.length === 1 && only !== undefined ? only : { kind: "and", operands }
}

export function listJoinConditions({ entries }: ResolvedFrom): readonly Expr[] {
  return entries.flatMap(({ join }) => (join?.on === undefined ? [] : [join.on]))
}
