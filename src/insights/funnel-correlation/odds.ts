/** Which traits go with converting, and which with not converting. */
import type { JsonObject } from "../../lib/json.ts"
import {
  aggregate,
  aggregateIf,
  asc,
  call,
  column,
  desc,
  gt,
  gte,
  isNotNull,
  not,
  number,
} from "../../query/build.ts"
import type { Expr, Select } from "../../query/tree.ts"
import { stepName, subquery } from "../funnels/funnel.ts"
import type { StepMoments } from "../funnels/step-moments.ts"
import type { AnswerRow } from "../insight.ts"

const SHOWN_MAX = 10
const PEOPLE_MIN = 25
const PEOPLE_SHARE_MIN = 0.02
const SKEW_MAX = 10
const ACTORS = "a"
const TRAITS = "t"

interface Totals {
  readonly converted: number
  readonly others: number
}

export function countAll({ query, funnel }: StepMoments): Select {
  const last = column(ACTORS, stepName(funnel.steps.length - 1))
  return {
    columns: [
      { as: "converted", expr: aggregateIf(aggregate("count"), isNotNull(last)) },
      { as: "people", expr: aggregate("count") },
    ],
    from: subquery(query, ACTORS),
  }
}

/** So many more of one kind than of the other that little can be said. */
export function isSkewed({ converted, others }: Totals): boolean {
  return converted > others * SKEW_MAX || others > converted * SKEW_MAX
}

/** The ten traits that go most with converting and the ten that go least, of those that enough actors have. */
export function rankTraits(
  traits: Select,
  totals: Totals,
  { isAboveTwo }: { readonly isAboveTwo: boolean },
): Select {
  const people = totals.converted + totals.others
  const enough = Math.min(PEOPLE_MIN, PEOPLE_SHARE_MIN * people)
  const counted: Select = {
    columns: [
      { as: "trait", expr: column(TRAITS, "trait") },
      { as: "converted", expr: countOf(column(TRAITS, "is_converted")) },
      { as: "others", expr: countOf(not(column(TRAITS, "is_converted"))) },
    ],
    from: subquery(traits, TRAITS),
    groupBy: [column(TRAITS, "trait")],
    having: gte(
      aggregate("countDistinct", column(TRAITS, "actor_id")),
      number(isAboveTwo ? Math.max(enough, 3) : enough),
    ),
  }
  const odds = oddsOf(totals)
  const isSuccess = gt(odds, number(1))
  const strength = call("greatest", odds, arithmetic("/", number(1), odds))
  return {
    columns: [
      ...["trait", "converted", "others"].map((as) => ({ as, expr: column(ACTORS, as) })),
      { as: "odds", expr: odds },
    ],
    from: subquery(counted, ACTORS),
    orderBy: [desc(strength), asc(column(ACTORS, "trait"))],
    limitBy: { count: SHOWN_MAX, by: [isSuccess] },
  }
}

const countOf = (filter: Expr): Expr =>
  aggregateIf(aggregate("countDistinct", column(TRAITS, "actor_id")), filter)

/** One is added everywhere, so that nothing is divided by nothing. */
function oddsOf({ converted, others }: Totals): Expr {
  const [s, f] = [column(ACTORS, "converted"), column(ACTORS, "others")]
  const plusOne = (expr: Expr) => arithmetic("+", expr, number(1))
  return arithmetic(
    "/",
    arithmetic("*", plusOne(s), arithmetic("-", number(others + 1), f)),
    arithmetic("*", arithmetic("-", number(converted + 1), s), plusOne(f)),
  )
}

function arithmetic(operator: "+" | "-" | "*" | "/", left: Expr, right: Expr): Expr {
  return { kind: "arithmetic", operator, left, right }
}

/** Those that go with converting first, the strongest of each kind first. */
export function shownTraits(rows: readonly AnswerRow[]): readonly JsonObject[] {
  const shown = rows.map((row) => ({
    event: { event: String(row.trait), properties: {}, elements: [] },
    success_count: Number(row.converted),
    failure_count: Number(row.others),
    odds_ratio: Number(row.odds),
    correlation_type: Number(row.odds) > 1 ? "success" : "failure",
  }))
  return [
    ...shown.filter(({ correlation_type }) => correlation_type === "success"),
    ...shown.filter(({ correlation_type }) => correlation_type === "failure"),
  ]
}
