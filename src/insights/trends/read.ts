/** The plan of one period: the lines of all series, by value or cohort where that is asked. */
import { invalid } from "../../lib/errors.ts"
import type { JsonValue } from "../../lib/json.ts"
import { listBuckets } from "../../query/buckets.ts"
import { boolean, personOfEvent } from "../../query/build.ts"
import type { DateRange } from "../../query/date-range.ts"
import { compileCohortCondition } from "../../query/filters/cohort-conditions.ts"
import type { Expr } from "../../query/tree.ts"
import { type CohortValue, OTHER_VALUES } from "../breakdown.ts"
import type { InsightContext, Plan } from "../insight.ts"
import { isAskedFor } from "../series.ts"
import { readAxes } from "./axes.ts"
import type { Scope } from "./cells.ts"
import { parseMaths } from "./maths.ts"
import type { PlacedMember } from "./passes.ts"
import type { Period, Trends } from "./question.ts"
import type { Axis } from "./ranking.ts"
import { type ReadMember, readNumbers } from "./series-numbers.ts"

/** One line of the answer: a series, or a part of it by a value. */
export interface Line {
  readonly seriesIndex: number
  readonly data: readonly number[]
  /** Undefined without a breakdown. */
  readonly breakdown: ShownValue | undefined
}

interface ShownValue {
  readonly value: JsonValue
  readonly label: string
  /** All values past the limit, taken together. */
  readonly isOther: boolean
}

export function* readPeriod(
  trends: Trends,
  { range }: Period,
  context: InsightContext,
): Plan<readonly Line[]> {
  const members = listMembers(trends, context)
  const scope = scopeOf(trends, range, context)
  const { breakdown } = trends
  if (breakdown === undefined) return yield* readLines(members, scope, trends)
  if (breakdown.kind === "values") return yield* readByValues(members, scope, trends)
  const lines: Line[] = []
  for (const cohort of breakdown.cohorts) {
    const where = [...scope.where, isInCohort(cohort, context)]
    const shown = { value: cohort, label: getCohortLabel(cohort, context), isOther: false }
    for (const line of yield* readLines(members, { ...scope, where }, trends)) {
      lines.push({ ...line, breakdown: shown })
    }
  }
  return lines
}

/** All events of the range that the question is about. */
export function scopeOf(trends: Trends, range: DateRange, context: InsightContext): Scope {
  return {
    context,
    range,
    buckets: trends.shows === "total" ? undefined : listBuckets(range),
    values: [],
    where: [isAskedFor(trends.asked, context)],
  }
}

export function listMembers(
  { series, asked }: Pick<Trends, "series" | "asked">,
  context: InsightContext,
): readonly PlacedMember[] {
  const { aggregation_group_type_index } = asked
  return series.map((each, index) => ({
    index,
    series: each,
    maths: parseMaths({ series: each, aggregation_group_type_index }, context),
  }))
}

export function isInCohort(cohort: CohortValue, { project_id }: InsightContext): Expr {
  if (cohort === "all") return boolean(true)
  return compileCohortCondition({
    person: personOfEvent,
    project_id,
    cohort_id: cohort,
    isNegated: false,
  })
}

function getCohortLabel(cohort: CohortValue, { cohortNames }: InsightContext): string {
  const name = cohort === "all" ? "all users" : cohortNames.get(cohort)
  if (name === undefined) throw invalid(`There is no cohort ${cohort}.`, "breakdown")
  return name
}

function* readLines(
  members: readonly PlacedMember[],
  scope: Scope,
  trends: Trends,
): Plan<readonly Line[]> {
  const read = yield* readNumbers(members, { scope, axes: [], trends })
  return read.flatMap(({ index, numbers }) =>
    numbers.shown.map(({ data }) => ({ seriesIndex: index, data, breakdown: undefined })),
  )
}

function* readByValues(
  members: readonly PlacedMember[],
  scope: Scope,
  trends: Trends,
): Plan<readonly Line[]> {
  const breakdown = trends.breakdown?.kind === "values" ? trends.breakdown : undefined
  const { parts = [], isList = false } = breakdown ?? {}
  // Bins differ by series, so that then no two can share a pass.
  const hasBins = parts.some(({ binCount }) => binCount !== undefined)
  const groups = hasBins ? members.map((member) => [member]) : [members]
  const lines: Line[] = []
  for (const group of groups) {
    const [first] = group
    if (first === undefined) continue
    const axes = yield* readAxes(parts, first, scope)
    const values = axes.map(({ expr }) => expr)
    const read = yield* readNumbers(group, { scope: { ...scope, values }, axes, trends })
    lines.push(...read.flatMap((each) => linesOf(each, { axes, isList })))
  }
  return lines
}

function linesOf(
  { index, numbers }: ReadMember,
  { axes, isList }: { axes: readonly Axis[]; isList: boolean },
): readonly Line[] {
  const shown = numbers.shown.map(({ values, data }) => ({
    texts: axes.map((axis, place) => axis.show(values[place])),
    data,
    isOther: false,
  }))
  const { rest } = numbers
  const other =
    rest === undefined ? [] : [{ texts: axes.map(() => OTHER_VALUES), data: rest, isOther: true }]
  return [...shown, ...other].map(({ texts, data, isOther }) => ({
    seriesIndex: index,
    data,
    breakdown: { value: isList ? texts : (texts[0] ?? ""), label: texts.join("::"), isOther },
  }))
}
