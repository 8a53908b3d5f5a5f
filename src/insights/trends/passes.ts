/** Which queries answer the series of a trend: one for all that can share it, one each for the others. */
import { number } from "../../query/build.ts"
import { bucketStartMs, DAY_MS } from "../../query/date-range.ts"
import type { Expr, Select } from "../../query/tree.ts"
import { activeCells, isActiveIn } from "./active.ts"
import {
  expressionCells,
  firstSeenCells,
  firstTimeCells,
  type Member,
  type MemberOf,
  perActorCells,
  type Scope,
  sharedCells,
} from "./cells.ts"
import type { Trends } from "./question.ts"
import type { Ranking } from "./ranking.ts"

export interface PlacedMember extends Member {
  /** The place of the series in the question. */
  readonly index: number
}

export interface Pass {
  /** In the order of the metrics of the cells. */
  readonly members: readonly PlacedMember[]
  readonly cells: Select
  /** The numbers of cells are changes: the number of a bucket is the sum of all up to it. */
  readonly isRunning: boolean
  readonly weight?: Ranking["weight"]
}

export function listPasses(
  members: readonly PlacedMember[],
  scope: Scope,
  shows: Trends["shows"],
): readonly Pass[] {
  const isShared = (member: Member): member is MemberOf<"aggregate" | "unique"> =>
    member.maths.kind === "aggregate" || (member.maths.kind === "unique" && shows !== "cumulative")
  const shared = members.filter((member) => isShared(member))
  const alone = members.filter((member) => !isShared(member))
  return [
    ...(shared.length === 0
      ? []
      : [{ members: shared, cells: sharedCells(shared, scope), isRunning: false }]),
    ...alone.map((member) => ({ members: [member], ...passOf(member, scope) })),
  ]
}

type Alone = Omit<Pass, "members">

function passOf({ series, maths }: Member, scope: Scope): Alone {
  const plain = (cells: Select): Alone => ({ cells, isRunning: false })
  switch (maths.kind) {
    case "active":
      return activePass({ series, maths }, scope)
    case "perActor":
      return plain(perActorCells({ series, maths }, scope))
    case "expression":
      return plain(expressionCells({ series, maths }, scope))
    case "firstTime":
      return plain(firstTimeCells({ series, maths }, scope))
    case "unique":
      return plain(firstSeenCells({ series, maths }, scope))
    case "aggregate":
      return plain(sharedCells([{ series, maths }], scope))
  }
}

function activePass({ series, maths }: MemberOf<"active">, scope: Scope): Alone {
  const { buckets, range } = scope
  if (buckets !== undefined) {
    const size = buckets.startsMs.length
    return {
      cells: activeCells({ series, maths }, { ...scope, buckets }),
      isRunning: true,
      weight: (metric, bucket) => times(metric, minus(number(size), bucket)),
    }
  }
  // One number for the whole range is that of its last day.
  const startMs = bucketStartMs(range.toMs, { ...range, interval: "day" })
  const window = isActiveIn(range, { startMs, days: maths.days })
  const member = { series, maths: { kind: "unique", of: maths.actor } } as const
  const cells = sharedCells([member], {
    ...scope,
    range: { ...range, eventsFromMs: startMs - (maths.days + 1) * DAY_MS },
    where: [window, ...scope.where],
  })
  return { cells, isRunning: false }
}

const times = (left: Expr, right: Expr): Expr => ({
  kind: "arithmetic",
  operator: "*",
  left,
  right,
})
const minus = (left: Expr, right: Expr): Expr => ({
  kind: "arithmetic",
  operator: "-",
  left,
  right,
})
