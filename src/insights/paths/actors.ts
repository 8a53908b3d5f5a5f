/** Those whose paths lead to a step, go on from it, or end there. */
import { z } from "zod"
import { invalid } from "../../lib/errors.ts"
import { and, column, eq, isNull, number, text } from "../../query/build.ts"
import type { Expr } from "../../query/tree.ts"
import { subquery } from "../funnels/funnel.ts"
import type { ActorSource, InsightContext, Plan } from "../insight.ts"
import { type PathsQuery, readPaths } from "./question.ts"
import { stepsWithNeighbours } from "./steps.ts"

/** Steps are named like "2_/pricing", by position and item. */
export const PathsSelection = z.object({
  pathStartKey: z.string().nullish(),
  pathEndKey: z.string().nullish(),
  pathDropoffKey: z.string().nullish(),
})
export type PathsSelection = z.output<typeof PathsSelection>

const STEPS = "x"

export function* findActors(
  asked: PathsQuery,
  selected: PathsSelection,
  context: InsightContext,
): Plan<ActorSource> {
  const paths = yield* readPaths(asked, context)
  const { aggregation_group_type_index: index } = asked
  return {
    query: {
      distinct: true,
      columns: [{ as: "actor_id", expr: column(STEPS, "actor_id") }],
      from: subquery(stepsWithNeighbours(paths), STEPS),
      where: isSelected({ ...asked.pathsFilter, ...given(selected) }),
    },
    actor: typeof index === "number" ? { kind: "group", index } : { kind: "person" },
    extras: [],
    orderBy: [],
  }
}

const given = (selected: PathsSelection): PathsSelection =>
  Object.fromEntries(Object.entries(selected).filter(([, key]) => typeof key === "string"))

function isSelected({ pathStartKey, pathEndKey, pathDropoffKey }: PathsSelection): Expr {
  if (isKey(pathDropoffKey)) {
    const key = parseKey(pathDropoffKey, "pathDropoffKey")
    return and(isAt(key), isNull(column(STEPS, "next_position")))
  }
  return and(
    ...(isKey(pathStartKey) ? [follows(parseKey(pathStartKey, "pathStartKey"))] : []),
    ...(isKey(pathEndKey) ? [isAt(parseKey(pathEndKey, "pathEndKey"))] : []),
  )
}

const isKey = (key: string | null | undefined): key is string =>
  typeof key === "string" && key !== ""

interface StepKey {
  readonly position: number
  readonly item: string
}

const isAt = ({ position, item }: StepKey): Expr =>
  and(eq(column(STEPS, "position"), number(position)), eq(column(STEPS, "item"), text(item)))

const follows = ({ position, item }: StepKey): Expr =>
  and(
    eq(column(STEPS, "position"), number(position + 1)),
    eq(column(STEPS, "previous_item"), text(item)),
  )

function parseKey(key: string, attr: string): StepKey {
  const [, position, item] = /^(\d{1,9})_(.*)$/s.exec(key) ?? []
  if (position === undefined || item === undefined) {
    throw invalid(
      `"${key}" names no step: write its position and what it shows, like "2_/pricing".`,
      attr,
    )
  }
  return { position: Number(position), item }
}
