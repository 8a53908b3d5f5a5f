/** Paths cut to what lies between two points, and shortened where they are still too long. */
import {
  aggregate,
  aggregateIf,
  and,
  call,
  column,
  eq,
  gt,
  gte,
  isNotNull,
  lte,
  number,
  or,
  text,
} from "../../query/build.ts"
import type { Expr, Select, WindowExpr } from "../../query/tree.ts"
import { given, subquery } from "../funnels/funnel.ts"
import type { Paths } from "./question.ts"

/** Stands for the steps in the middle that are not shown. */
const GAP = "..."

const NAMES = ["actor_id", "path", "item", "at"] as const
const ALL = "a"
const STARTED = "b"
const ENDED = "d"

/** Rows of `actor_id`, `path`, `position`, `item` and `at`; the positions count from 1 again. */
export function cutPaths(steps: Select, { start, end, stepLimit }: Paths): Select {
  const started = start === undefined ? steps : fromStart(steps, start)
  const position = column(ENDED, "position")
  if (end === undefined) {
    return {
      columns: cutColumns(position, column(ENDED, "item")),
      from: subquery(started, ENDED),
      where: lte(position, number(stepLimit)),
    }
  }
  const ended = untilEnd(started, end)
  return start === undefined ? lastSteps(ended, stepLimit) : bothEnds(ended, stepLimit)
}

/** From the first step at the point on; paths without one are none. */
function fromStart(steps: Select, point: string): Select {
  const start = column(STARTED, "point")
  const position = column(STARTED, "position")
  return {
    columns: [
      ...NAMES.map((as) => ({ as, expr: column(STARTED, as) })),
      { as: "position", expr: plus(minus(position, start), number(1)) },
    ],
    from: subquery(withPoint(steps, point), STARTED),
    where: gte(position, start),
  }
}

/** Up to the first step at the point, whose position is the path's `length`. */
function untilEnd(steps: Select, point: string): Select {
  const [end, position] = [column(STARTED, "point"), column(STARTED, "position")]
  return {
    columns: [
      ...[...NAMES, "position"].map((as) => ({ as, expr: column(STARTED, as) })),
      { as: "length", expr: end },
    ],
    from: subquery(withPoint(steps, point), STARTED),
    where: and(isNotNull(end), lte(position, end)),
  }
}

/** With `point`: the first position at which the path shows the item. */
function withPoint(steps: Select, item: string): Select {
  const first = aggregateIf(
    aggregate("min", column(ALL, "position")),
    eq(column(ALL, "item"), text(item)),
  )
  const point: WindowExpr = {
    kind: "window",
    of: first,
    partitionBy: [column(ALL, "actor_id"), column(ALL, "path")],
    orderBy: [],
  }
  return {
    columns: [
      ...[...NAMES, "position"].map((as) => ({ as, expr: column(ALL, as) })),
      { as: "point", expr: point },
    ],
    from: subquery(steps, ALL),
  }
}

function lastSteps(steps: Select, limit: number): Select {
  const dropped = call("greatest", minus(column(ENDED, "length"), number(limit)), number(0))
  const position = minus(column(ENDED, "position"), dropped)
  return {
    columns: cutColumns(position, column(ENDED, "item")),
    from: subquery(steps, ENDED),
    where: gte(position, number(1)),
  }
}

/** Of longer paths half of the steps from each end, and between them the first of the others as a gap. */
function bothEnds(steps: Select, limit: number): Select {
  const half = Math.floor(limit / 2)
  const [position, length] = [column(ENDED, "position"), column(ENDED, "length")]
  const isLong = gt(length, number(limit))
  const isOfEnd = gt(position, minus(length, number(half)))
  const fromEnd = plus(minus(position, length), number(2 * half + 1))
  const isGap = and(isLong, eq(position, number(half + 1)))
  return {
    columns: cutColumns(
      given(and(isLong, isOfEnd), fromEnd, position),
      given(isGap, text(GAP), column(ENDED, "item")),
    ),
    from: subquery(steps, ENDED),
    where: or(lte(length, number(limit)), lte(position, number(half + 1)), isOfEnd),
  }
}

const cutColumns = (position: Expr, item: Expr) => [
  { as: "actor_id", expr: column(ENDED, "actor_id") },
  { as: "path", expr: column(ENDED, "path") },
  { as: "position", expr: position },
  { as: "item", expr: item },
  { as: "at", expr: column(ENDED, "at") },
]

const plus = (left: Expr, right: Expr): Expr => arithmetic("+", left, right)
const minus = (left: Expr, right: Expr): Expr => arithmetic("-", left, right)
const arithmetic = (operator: "+" | "-", left: Expr, right: Expr): Expr => ({
  kind: "arithmetic",
  operator,
  left,
  right,
})
