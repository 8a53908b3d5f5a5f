/** The plan of one period: asks for the cells of all series, and for the rest where a sum would not be it. */
import type { JsonValue } from "../../lib/json.ts"
import { listBuckets } from "../../query/buckets.ts"
import { boolean, personOfEvent } from "../../query/build.ts"
import { compileCohortCondition } from "../../query/filters/cohort-conditions.ts"
import type { Expr } from "../../query/tree.ts"
import { type CohortValue, OTHER_VALUES } from "../breakdown.ts"
import { ask, type InsightContext, type Plan } from "../insight.ts"
import { isAskedFor } from "../series.ts"
import { hasOtherValues, readAxes } from "./axes.ts"
import type { Scope } from "./cells.ts"
import { parseMaths } from "./maths.ts"
import { readPlain, readRanked, runningSums, type SeriesNumbers } from "./numbers.ts"
import { listPasses, type Pass, type PlacedMember } from "./passes.ts"
import type { Period, Trends } from "./question.ts"
import { type Axis, rankCells } from "./ranking.ts"

/** One line of the answer: a series, or a part of it by a value. */
export interface Line {
  readonly seriesIndex: number
  readonly data: readonly number[]
  /** Undefined without a breakdown. */
  readonly breakdown: { readonly value: JsonValue; readonly label: string } | undefined
}

export function* readPeriod(
  trends: Trends,
  { range }: Period,
  context: InsightContext,
): Plan<readonly Line[]> {
  const members = listMembers(trends, context)
  const scope: Scope = {
    context,
    range,
    buckets: trends.shows === "total" ? undefined : listBuckets(range),
    values: [],
    where: [isAskedFor(trends.asked, context)],
  }
  const { breakdown } = trends
  if (breakdown === undefined) return yield* readLines(members, scope, trends)
  if (breakdown.kind === "values") return yield* readByValues(members, scope, trends)
  const lines: Line[] = []
  for (const cohort of breakdown.cohorts) {
    const where = [...scope.where, isInCohort(cohort, context)]
    const shown = { value: cohort, label: cohortLabel(cohort, context) }
    for (const line of yield* readLines(members, { ...scope, where }, trends)) {
      lines.push({ ...line, breakdown: shown })
    }
  }
  return lines
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

const cohortLabel = (cohort: CohortValue, { cohortNames }: InsightContext): string =>
  cohort === "all" ? "all users" : (cohortNames.get(cohort) ?? String(cohort))

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
    lines.push(...read.flatMap((each) => linesOf(each, { axes, isList, trends })))
  }
  return lines
}

interface ReadMember {
  readonly index: number
  readonly numbers: SeriesNumbers
}

function linesOf(
  { index, numbers }: ReadMember,
  { axes, isList, trends }: { axes: readonly Axis[]; isList: boolean; trends: Trends },
): readonly Line[] {
  const shown = numbers.shown.map(({ values, data }) => ({
    texts: axes.map((axis, place) => axis.show(values[place])),
    data,
  }))
  const other =
    numbers.rest === undefined || trends.hidesOther
      ? []
      : [{ texts: axes.map(() => OTHER_VALUES), data: numbers.rest }]
  return [...shown, ...other].map(({ texts, data }) => ({
    seriesIndex: index,
    data,
    breakdown: { value: isList ? texts : (texts[0] ?? ""), label: texts.join("::") },
  }))
}

interface Asking {
  readonly scope: Scope
  readonly axes: readonly Axis[]
  readonly trends: Trends
}

/** In the order of the series. */
function* readNumbers(
  members: readonly PlacedMember[],
  asking: Asking,
): Plan<readonly ReadMember[]> {
  const { scope, trends } = asking
  const read: ReadMember[] = []
  for (const pass of listPasses(members, scope, trends.shows)) {
    read.push(...(yield* readPass(pass, asking)))
  }
  return read.sort((a, b) => a.index - b.index)
}

function* readPass(pass: Pass, { scope, axes, trends }: Asking): Plan<readonly ReadMember[]> {
  const { valuesMax } = trends
  const ranking = { axes, metricCount: pass.members.length, valuesMax }
  const { weight } = pass
  const isPlain = axes.length === 0
  const query = isPlain
    ? pass.cells
    : rankCells(pass.cells, weight === undefined ? ranking : { ...ranking, weight })
  const rows = yield* ask(query)
  const size = scope.buckets?.startsMs.length ?? 1
  const read: ReadMember[] = []
  for (const [metricIndex, member] of pass.members.entries()) {
    const reading = { rows, size, metricIndex }
    const numbers = isPlain
      ? readPlain(reading)
      : readRanked(reading, { axisCount: axes.length, valuesMax })
    const summed = pass.isRunning ? running(numbers) : numbers
    const isWhole = member.maths.kind === "aggregate" && member.maths.isAdditive
    const needsRest = summed.rest !== undefined && !isWhole && !trends.hidesOther
    const rest = needsRest ? yield* readRest(member, summed, { scope, axes, trends }) : summed.rest
    read.push({ index: member.index, numbers: { ...summed, rest } })
  }
  return read
}

function running({ shown, rest }: SeriesNumbers): SeriesNumbers {
  return {
    shown: shown.map(({ values, data }) => ({ values, data: runningSums(data) })),
    rest: rest === undefined ? undefined : runningSums(rest),
  }
}

/** Persons of several values, means and the like do not add up: they are asked of all events of the rest. */
function* readRest(
  member: PlacedMember,
  { shown }: SeriesNumbers,
  { scope, axes, trends }: Asking,
): Plan<readonly number[] | undefined> {
  const isOther = hasOtherValues(
    axes,
    shown.map(({ values }) => values),
  )
  const rest = { ...scope, values: [], where: [...scope.where, isOther] }
  const [read] = yield* readNumbers([member], { scope: rest, axes: [], trends })
  return read?.numbers.shown[0]?.data
}
