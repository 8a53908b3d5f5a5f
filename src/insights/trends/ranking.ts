/**
 * Which values a breakdown shows. For each series the values with the largest totals come first, equals in the
 * order of their values, those without a value last; all past the limit are taken together. The engine ranks
 * them, so that never more than the shown ones and one sum of the rest are answered, however many there are.
 */
import {
  aggregate,
  call,
  column,
  eq,
  gt,
  isNull,
  lte,
  not,
  number,
  or,
  text,
} from "../../query/build.ts"
import type { Expr, OrderBy, Select, SelectColumn } from "../../query/tree.ts"
import { BUCKET, countName, metricName, valueName } from "./cells.ts"

export interface Ranking {
  /** The values that cells carry, in their columns. */
  readonly axes: readonly Axis[]
  readonly metricCount: number
  readonly valuesMax: number
  /** What a cell adds to the total of its value, if it is not its own number. */
  readonly weight?: (metric: Expr, bucket: Expr) => Expr
}

/** One of the values that a breakdown consists of. */
export interface Axis {
  readonly expr: Expr
  readonly type: "text" | "number"
  /** As the answer shows it. */
  readonly show: (value: unknown) => string
}

export const placeName = (index: number): string => `p${index}`
export const IS_REST = "is_rest"

/** Whether a value is none. */
const isNone = (value: Expr, { type }: Axis): Expr =>
  type === "text" ? eq(value, text("")) : isNull(value)

export function rankCells(cells: Select, ranking: Ranking): Select {
  return keepFirst(placed(totalled(cells, ranking), ranking), ranking)
}

const totalName = (index: number): string => `t${index}`
const presenceName = (index: number): string => `h${index}`

/**
 * One row for each value: its cells as arrays, and its totals by series. To find the totals by windows over the
 * cells would sort all of them, and to join them would ask for the cells twice on some engines.
 */
function totalled(cells: Select, ranking: Ranking): Select {
  const from = "c"
  const { axes, metricCount, weight } = ranking
  const values = axes.map((_, index) => column(from, valueName(index)))
  const bucket = column(from, BUCKET)
  // Arrays leave nulls out, and then would no longer go together.
  const metric = (index: number): Expr =>
    call("coalesce", column(from, metricName(index)), number(0))
  const indexes = Array.from({ length: metricCount }, (_, index) => index)
  return {
    columns: [
      ...values.map((expr, index) => ({ as: valueName(index), expr })),
      { as: BUCKET, expr: aggregate("groupArray", bucket) },
      ...indexes.flatMap((index) => [
        { as: metricName(index), expr: aggregate("groupArray", metric(index)) },
        {
          as: countName(index),
          expr: aggregate("groupArray", column(from, countName(index))),
        },
        {
          as: totalName(index),
          expr: aggregate("sum", weight?.(metric(index), bucket) ?? metric(index)),
        },
        { as: presenceName(index), expr: aggregate("sum", column(from, countName(index))) },
      ]),
    ],
    from: { kind: "subquery", query: cells, alias: from },
    groupBy: values,
  }
}

/** What a cell consists of, besides its values. */
function cellNames({ metricCount }: Ranking): readonly string[] {
  const indexes = Array.from({ length: metricCount }, (_, index) => index)
  return [BUCKET, ...indexes.map(metricName), ...indexes.map(countName)]
}

/** Each value with its place among all, by series. */
function placed(totals: Select, ranking: Ranking): Select {
  const from = "t"
  const { axes, metricCount } = ranking
  const values = axes.map((axis, index) => ({ axis, value: column(from, valueName(index)) }))
  const isIncomplete = or(...values.map(({ axis, value }) => isNone(value, axis)))
  const orderOf = (index: number): readonly OrderBy[] => [
    down(gt(column(from, presenceName(index)), number(0))),
    up(isIncomplete),
    down(column(from, totalName(index))),
    ...values.map(({ value }) => up(value)),
  ]
  return {
    columns: [
      ...[...axes.map((_, index) => valueName(index)), ...cellNames(ranking)].map((as) => ({
        as,
        expr: column(from, as),
      })),
      ...each(metricCount, (index) => ({
        as: placeName(index),
        expr: {
          kind: "window",
          of: { kind: "windowCall", name: "row_number", args: [] },
          partitionBy: [],
          orderBy: orderOf(index),
        },
      })),
    ],
    from: { kind: "subquery", query: totals, alias: from },
  }
}

/** The cells again: of the first values each, of all others their sums. */
function keepFirst(places: Select, ranking: Ranking): Select {
  const [from, cell] = ["p", "x"]
  const { axes, metricCount, valuesMax } = ranking
  const place = (index: number) => column(from, placeName(index))
  const isKept = or(
    ...Array.from({ length: metricCount }, (_, index) => lte(place(index), number(valuesMax))),
  )
  const keptOnly = (expr: Expr): Expr => ({
    kind: "case",
    branches: [{ when: isKept, result: expr }],
    otherwise: { kind: "value", value: { type: "null" } },
  })
  const keys = [
    { as: BUCKET, expr: column(cell, BUCKET) },
    { as: IS_REST, expr: not(isKept) },
    ...axes.map((_, index) => ({
      as: valueName(index),
      expr: keptOnly(column(from, valueName(index))),
    })),
  ]
  const sums = (name: (index: number) => string) =>
    each(metricCount, (index) => ({
      as: name(index),
      expr: aggregate("sum", column(cell, name(index))),
    }))
  return {
    columns: [
      ...keys,
      ...sums(metricName),
      ...sums(countName),
      ...each(metricCount, (index) => ({
        as: placeName(index),
        expr: aggregate("min", place(index)),
      })),
    ],
    from: { kind: "subquery", query: places, alias: from },
    joins: [
      {
        kind: "arrays",
        alias: cell,
        items: cellNames(ranking).map((as) => ({ as, expr: column(from, as) })),
      },
    ],
    groupBy: keys.map(({ expr }) => expr),
  }
}

function each(count: number, columnOf: (index: number) => SelectColumn): readonly SelectColumn[] {
  return Array.from({ length: count }, (_, index) => columnOf(index))
}

const up = (expr: Expr): OrderBy => ({ expr, direction: "asc", nulls: "last" })
const down = (expr: Expr): OrderBy => ({ expr, direction: "desc", nulls: "last" })
