/** Edges: how often one step follows another at the same place of a path, and after how long. */
import {
  aggregate,
  and,
  asc,
  call,
  column,
  desc,
  gte,
  isNotNull,
  lte,
  number,
  text,
} from "../../query/build.ts"
import type { Expr, Select } from "../../query/tree.ts"
import { subquery } from "../funnels/funnel.ts"
import type { AnswerRow } from "../insight.ts"
import { EDGES_MAX, type Paths, type PathsFilter } from "./question.ts"
import { stepsWithPrevious } from "./steps.ts"

const EDGES_DEFAULT = 50
const SECOND_MICROSECONDS = 1_000_000
const MILLISECOND_MICROSECONDS = 1_000

const STEPS = "t"
const EDGES = "e"

/** Rows of `source`, `target`, `value` and `microseconds`, which all of them took together. */
export function selectEdges(paths: Paths, filter: PathsFilter): Select {
  const value = column(EDGES, "value")
  const position = column(EDGES, "position")
  const previous: Expr = { kind: "arithmetic", operator: "-", left: position, right: number(1) }
  const source = keyOf(previous, column(EDGES, "previous_item"))
  const target = keyOf(position, column(EDGES, "item"))
  return {
    columns: [
      { as: "source", expr: source },
      { as: "target", expr: target },
      { as: "value", expr: value },
      { as: "microseconds", expr: column(EDGES, "microseconds") },
    ],
    from: subquery(countEdges(paths, filter), EDGES),
    orderBy: [desc(value), asc(source), asc(target)],
    limit: edgeLimit(paths, filter),
  }
}

function edgeLimit({ start, end }: Paths, { edgeLimit: asked }: PathsFilter): number {
  const isBetween = start !== undefined && end !== undefined
  return asked ?? (isBetween ? EDGES_MAX : EDGES_DEFAULT)
}

function countEdges(paths: Paths, { minEdgeWeight, maxEdgeWeight }: PathsFilter): Select {
  const keys = ["position", "previous_item", "item"] as const
  const count = aggregate("count")
  const bounds = [
    ...(isWeight(minEdgeWeight) ? [gte(count, number(minEdgeWeight))] : []),
    ...(isWeight(maxEdgeWeight) ? [lte(count, number(maxEdgeWeight))] : []),
  ]
  const seconds = call("diffSeconds", column(STEPS, "previous_at"), column(STEPS, "at"))
  // Whole numbers add up to the same sum in any order.
  const microseconds: Expr = {
    kind: "arithmetic",
    operator: "*",
    left: seconds,
    right: number(SECOND_MICROSECONDS),
  }
  return {
    columns: [
      ...keys.map((as) => ({ as, expr: column(STEPS, as) })),
      { as: "value", expr: count },
      { as: "microseconds", expr: aggregate("sum", call("round", microseconds, number(0))) },
    ],
    from: subquery(stepsWithPrevious(paths), STEPS),
    where: isNotNull(column(STEPS, "previous_item")),
    groupBy: keys.map((name) => column(STEPS, name)),
    ...(bounds.length === 0 ? {} : { having: and(...bounds) }),
  }
}

function keyOf(position: Expr, item: Expr): Expr {
  const types = [{ kind: "integer", isNullable: false }] as const
  const place: Expr = { kind: "call", name: "numberText", args: [position], types }
  return call("concat", place, text("_"), item)
}

/** Nothing weighs nothing: such a bound is none. */
const isWeight = (weight: number | null | undefined): weight is number =>
  typeof weight === "number" && weight > 0

interface Edge {
  readonly source: string
  readonly target: string
  readonly value: number
  /** In milliseconds. */
  readonly average_conversion_time: number
}

export function showEdges(rows: readonly AnswerRow[], filter: PathsFilter): readonly Edge[] {
  const edges = rows.map(({ source, target, value, microseconds }) => ({
    source: String(source),
    target: String(target),
    value: Number(value),
    average_conversion_time: Number(microseconds) / Number(value) / MILLISECOND_MICROSECONDS,
  }))
  const isWeighed = isWeight(filter.minEdgeWeight) || isWeight(filter.maxEdgeWeight)
  return isWeighed ? edges : withoutOrphans(edges)
}

/** Without those that no other kept edge leads to from the beginning. Positions rise along a path. */
function withoutOrphans(edges: readonly Edge[]): readonly Edge[] {
  const reached = new Set<string>()
  for (const { source, target } of [...edges].sort((a, b) => placeOf(a) - placeOf(b))) {
    if (source.startsWith("1_") || reached.has(source)) reached.add(target)
  }
  return edges.filter(({ source }) => source.startsWith("1_") || reached.has(source))
}

const placeOf = ({ source }: Edge): number => Number.parseInt(source, 10)
