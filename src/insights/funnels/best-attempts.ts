/** The best attempt of each actor: the furthest, of these the one that got there first. */
import { type Buckets, bucketIndex, momentOf } from "../../query/buckets.ts"
import { aggregate, and, call, column, eq, gt, not, number } from "../../query/build.ts"
import type { Expr, Select, SelectColumn } from "../../query/tree.ts"
import { hasSpoilt, judged } from "./exclusions.ts"
import { type Funnel, given, stepName, subquery } from "./funnel.ts"
import { areTouched, type ShownValues, withShownValues, withTouchedValues } from "./labels.ts"
import { orderedAttempts } from "./ordered-attempts.ts"
import { columnsOf, namesOf, ownerColumns } from "./step-events.ts"
import { strictAttempts } from "./strict-attempts.ts"
import { unorderedAttempts } from "./unordered-attempts.ts"

interface BestAsked {
  /** Whether the moments of the steps are wanted. */
  readonly withMoments: boolean
  /** The best of each bucket, by the moment of the first step; its place is in a column `bucket`. */
  readonly buckets?: Buckets | undefined
  /** All other values are one, which `is_other`. */
  readonly shown?: ShownValues | undefined
}

const ATTEMPTS = "t"
const BEST = "b"

/**
 * A row for each actor (and value, and bucket): `actor_id`, `steps` (how many were taken), the values, and the
 * moments `step_0` and on.
 */
export function bestAttempts(funnel: Funnel, asked: BestAsked): Select {
  const onlyBest = asked.buckets === undefined && !hasSpoilt(funnel)
  const all = judged(attemptsOf(funnel, onlyBest), funnel)
  if (!areTouched(funnel)) return bestOf(shownOnly(all, funnel, asked.shown), funnel, asked)
  return shownOnly(withTouchedValues(bestOf(all, funnel, asked), funnel), funnel, asked.shown)
}

function attemptsOf(funnel: Funnel, onlyBest: boolean): Select {
  switch (funnel.order) {
    case "ordered":
      return orderedAttempts(funnel, { onlyBest })
    case "strict":
      return strictAttempts(funnel)
    case "unordered":
      return unorderedAttempts(funnel)
  }
}

function shownOnly(rows: Select, funnel: Funnel, shown: ShownValues | undefined): Select {
  return shown === undefined ? rows : withShownValues(rows, funnel, shown)
}

function bestOf(attempts: Select, funnel: Funnel, { withMoments, buckets }: BestAsked): Select {
  const names = namesOf(attempts)
  const steps = column(ATTEMPTS, "steps")
  const keys: readonly SelectColumn[] = [
    ...columnsOf(ATTEMPTS, ["actor_id", ...names.filter(isKey)]),
    ...(buckets === undefined
      ? []
      : [{ as: "bucket", expr: bucketIndex(column(ATTEMPTS, stepName(0)), buckets) }]),
  ]
  const grouped: Select = {
    columns: [
      ...keys,
      ...ownerColumns(funnel).map(({ as }) => ({
        as,
        expr: aggregate("argMin", column(ATTEMPTS, as), column(ATTEMPTS, stepName(0))),
      })),
      { as: "steps", expr: aggregate("max", steps) },
      ...(withMoments ? [{ as: "moments", expr: momentsOfBest(funnel) }] : []),
    ],
    from: subquery(attempts, ATTEMPTS),
    groupBy: keys.map(({ expr }) => expr),
    ...havingOf(isCounted(funnel)),
  }
  return withMoments ? withMomentColumns(grouped, funnel) : grouped
}

const havingOf = (conditions: readonly Expr[]): Pick<Select, "having"> =>
  conditions.length === 0 ? {} : { having: and(...conditions) }

const isKey = (name: string): boolean => name.startsWith("value_") || name === "is_other"

/**
 * Who has gone furthest in spoilt attempts only does not count at all; nor does, where the value of a step counts,
 * who never got there.
 */
function isCounted(funnel: Funnel): readonly Expr[] {
  const steps = column(ATTEMPTS, "steps")
  const clean = given(not(column(ATTEMPTS, "is_spoilt")), steps, number(0))
  const { breakdown } = funnel
  return [
    ...(hasSpoilt(funnel) ? [eq(aggregate("max", steps), aggregate("max", clean))] : []),
    ...(breakdown?.attribution === "step"
      ? [gt(aggregate("max", steps), number(breakdown.step))]
      : []),
  ]
}

/** Of equally good attempts the one that began last took the least time; without an order, the first one counts. */
function momentsOfBest(funnel: Funnel): Expr {
  const moments = funnel.steps.map((_, index) => column(ATTEMPTS, stepName(index)))
  const [first] = moments
  if (first === undefined) throw new Error("a funnel without steps has no attempts")
  const last = call("coalesce", ...[...moments].reverse())
  const untilEnd = (moment: Expr) => call("diffSeconds", moment, momentOf(funnel.range.toMs + 1))
  const key: readonly Expr[] = [
    column(ATTEMPTS, "steps"),
    ...(hasSpoilt(funnel) ? [given(column(ATTEMPTS, "is_spoilt"), number(0), number(1))] : []),
    untilEnd(last),
    funnel.order === "unordered" ? untilEnd(first) : first,
  ]
  return aggregate("argMax", { kind: "tuple", items: moments }, { kind: "tuple", items: key })
}

function withMomentColumns(grouped: Select, funnel: Funnel): Select {
  const names = namesOf(grouped).filter((name) => name !== "moments")
  return {
    columns: [
      ...columnsOf(BEST, names),
      ...funnel.steps.map(
        (_, index): SelectColumn => ({
          as: stepName(index),
          expr: { kind: "tupleItem", tuple: column(BEST, "moments"), index: index + 1 },
        }),
      ),
    ],
    from: subquery(grouped, BEST),
  }
}
