/** ARRAY JOIN: one row for each item of an array. */
import type { ArraysJoin } from "../tree.ts"
import { refuseAggregates } from "./aggregation.ts"
import type { ExprAst, SelectAst } from "./ast.ts"
import {
  type ColumnsInScope,
  describeType,
  placeIn,
  type QueryColumn,
  report,
  type Scope,
  type Work,
  withNullability,
} from "./resolving.ts"

export interface ResolvedArrays {
  readonly scoped: ColumnsInScope
  readonly join: ArraysJoin
}

const ALIAS = "a"

export function resolveArrayJoin(
  { arrayJoin, from, span }: SelectAst,
  scope: Scope,
  work: Work,
): ResolvedArrays | undefined {
  if (arrayJoin === undefined) return undefined
  if (from === undefined) {
    report(work, { code: "unsupported", message: "ARRAY JOIN needs a FROM.", span })
    return undefined
  }
  const items = arrayJoin.items.map((ast, index) => {
    const { expr, type } = work.resolveExpr(ast, placeIn(scope, work))
    refuseAggregates(expr, { clause: "ARRAY JOIN", span: ast.span, work })
    const isKnown = type.kind === "array" || type.kind === "unknown"
    if (!isKnown) {
      const message = `ARRAY JOIN takes arrays, not a value of type ${describeType(type)}.`
      report(work, { code: "illegal_type_of_argument", message, span: ast.span })
    }
    const of = type.kind === "array" ? type.of : ({ kind: "unknown", isNullable: true } as const)
    const column: QueryColumn = {
      name: nameOf(ast, work),
      as: `item_${index + 1}`,
      type: withNullability(of, arrayJoin.isLeft),
      isLoose: false,
    }
    return { column, expr }
  })
  const join: ArraysJoin = {
    kind: arrayJoin.isLeft ? "leftArrays" : "arrays",
    alias: ALIAS,
    items: items.map(({ column, expr }) => ({ as: column.as, expr })),
  }
  const columns = items.map(({ column }) => column)
  const scoped = {
    kind: "columns",
    name: undefined,
    alias: ALIAS,
    columns,
    isNullable: false,
    isOfArrays: true,
  } as const
  return { scoped, join }
}

function nameOf(ast: ExprAst, work: Work): string {
  if (ast.kind === "alias") return ast.name
  if (ast.kind === "field") return String(ast.chain.at(-1))
  const message = "What ARRAY JOIN takes apart needs a name."
  const suggestion = "Write ARRAY JOIN ... AS item."
  report(work, { code: "unsupported", message, span: ast.span, suggestion })
  return ""
}
