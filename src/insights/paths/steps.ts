/**
 * Paths as rows of steps. An actor's events part into paths where nothing happens for a while; equal items in a row
 * are one step, at the moment of the last of them.
 */
import {
  aggregate,
  asc,
  call,
  column,
  compare,
  gte,
  isNull,
  lte,
  number,
  or,
} from "../../query/build.ts"
import type { Expr, OrderBy, Select, SelectColumn, WindowExpr } from "../../query/tree.ts"
import { given, subquery } from "../funnels/funnel.ts"
import { cutPaths } from "./cuts.ts"
import { pathItems } from "./items.ts"
import type { Paths } from "./question.ts"

const ITEMS = "i"
const RUNS = "n"
const PARTED = "s"
const STEPS = "t"

/**
 * A row for each kept step: `actor_id`, `path` (a number), `position` (from 1), `item`, `at`, and `previous_item` and
 * `previous_at`, which are null for the first.
 */
export function stepsWithPrevious(paths: Paths): Select {
  const { start, end, stepLimit } = paths
  const previous = (source: string, order: readonly OrderBy[]): readonly SelectColumn[] => [
    { as: "previous_item", expr: inPath("lag", column(source, "item"), { source, order }) },
    { as: "previous_at", expr: inPath("lag", column(source, "at"), { source, order }) },
  ]
  const numbered = numberedSteps(paths)
  if (start === undefined && end === undefined) {
    // What comes before a step is kept if the step is, so both are found in one go.
    const all = { ...numbered, columns: [...numbered.columns, ...previous(PARTED, IN_ORDER)] }
    return { ...copied(all, STEPS), where: lte(column(STEPS, "position"), number(stepLimit)) }
  }
  const kept = copied(cutPaths(numbered, paths), STEPS)
  const order = [asc(column(STEPS, "position"))]
  return { ...kept, columns: [...kept.columns, ...previous(STEPS, order)] }
}

/** The same rows, with `next_position`, which is null for the last. */
export function stepsWithNeighbours(paths: Paths): Select {
  const steps = copied(stepsWithPrevious(paths), PARTED)
  const position = column(PARTED, "position")
  const next = inPath("lead", position, { source: PARTED, order: [asc(position)] })
  return { ...steps, columns: [...steps.columns, { as: "next_position", expr: next }] }
}

function numberedSteps(paths: Paths): Select {
  const place = { source: PARTED, order: IN_ORDER }
  return {
    columns: [
      ...["actor_id", "path", "item", "at"].map((as) => ({ as, expr: column(PARTED, as) })),
      { as: "position", expr: inPath("row_number", undefined, place) },
    ],
    from: subquery(partedPaths(paths), PARTED),
  }
}

const inOrder = (source: string): readonly OrderBy[] => [asc(column(source, "place"))]
const IN_ORDER = inOrder(PARTED)

/** The last event of every run, with the number of the actor's path it is in. */
function partedPaths(paths: Paths): Select {
  const isEnd = or(
    isNull(column(RUNS, "next_at")),
    gte(
      call("diffSeconds", column(RUNS, "at"), column(RUNS, "next_at")),
      number(paths.pauseSeconds),
    ),
  )
  const changes = compare("!=", column(RUNS, "next_item"), column(RUNS, "item"))
  // The event at which a path ends is the last of its run: none is missing among those counted.
  const endsBefore: WindowExpr = {
    kind: "window",
    of: aggregate("sum", given(isEnd, number(1), number(0))),
    partitionBy: [column(RUNS, "actor_id")],
    orderBy: inOrder(RUNS),
    frame: {
      unit: "rows",
      start: { kind: "unboundedPreceding" },
      end: { kind: "preceding", count: 1 },
    },
  }
  return {
    columns: [
      ...["actor_id", "at", "place", "item"].map((as) => ({ as, expr: column(RUNS, as) })),
      { as: "path", expr: call("coalesce", endsBefore, number(0)) },
    ],
    from: subquery(itemsWithNext(paths), RUNS),
    where: or(isEnd, changes),
  }
}

/** With `place`, the number of the event among those of its actor, so that nothing later need break ties. */
function itemsWithNext(paths: Paths): Select {
  const ordered = (name: "lead" | "row_number", ...args: readonly Expr[]): WindowExpr => ({
    kind: "window",
    of: { kind: "windowCall", name, args },
    partitionBy: [column(ITEMS, "actor_id")],
    orderBy: [asc(column(ITEMS, "at")), asc(column(ITEMS, "uuid"))],
  })
  return {
    columns: [
      ...["actor_id", "at", "item"].map((as) => ({ as, expr: column(ITEMS, as) })),
      { as: "place", expr: ordered("row_number") },
      { as: "next_at", expr: ordered("lead", column(ITEMS, "at")) },
      { as: "next_item", expr: ordered("lead", column(ITEMS, "item")) },
    ],
    from: subquery(pathItems(paths), ITEMS),
  }
}

function inPath(
  name: "lag" | "lead" | "row_number",
  value: Expr | undefined,
  { source, order }: { readonly source: string; readonly order: readonly OrderBy[] },
): WindowExpr {
  return {
    kind: "window",
    of: { kind: "windowCall", name, args: value === undefined ? [] : [value] },
    partitionBy: [column(source, "actor_id"), column(source, "path")],
    orderBy: order,
  }
}

/** All columns of a query, as a query around it. */
function copied(query: Select, alias: string): Select {
  return {
    columns: query.columns.map(({ as }) => ({ as, expr: column(alias, as) })),
    from: subquery(query, alias),
  }
}
