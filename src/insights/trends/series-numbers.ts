/** The numbers of series: asks for their cells, and for the rest of the values where a sum would not be it. */
import { ask, type Plan } from "../insight.ts"
import { hasOtherValues, readAxes } from "./axes.ts"
import type { Scope } from "./cells.ts"
import { readPlain, readRanked, runningSums, type SeriesNumbers } from "./numbers.ts"
import { listPasses, type Pass, type PlacedMember } from "./passes.ts"
import type { Trends } from "./question.ts"
import { type Axis, rankCells } from "./ranking.ts"

export interface ReadMember {
  readonly index: number
  readonly numbers: SeriesNumbers
}

interface Asking {
  readonly scope: Scope
  readonly axes: readonly Axis[]
  readonly trends: Trends
}

/** In the order of the series. */
export function* readNumbers(
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

/** The values of a breakdown that are shown for a series, which tells what all others are. */
export function* findShownValues(
  member: PlacedMember,
  scope: Scope,
  trends: Trends,
): Plan<{ readonly axes: readonly Axis[]; readonly values: readonly (readonly unknown[])[] }> {
  const parts = trends.breakdown?.kind === "values" ? trends.breakdown.parts : []
  const axes = yield* readAxes(parts, member, scope)
  const valued = { ...scope, values: axes.map(({ expr }) => expr) }
  const asking = { scope: valued, axes, trends: { ...trends, hidesOther: true } }
  const [read] = yield* readNumbers([member], asking)
  return { axes, values: (read?.numbers.shown ?? []).map(({ values }) => values) }
}
