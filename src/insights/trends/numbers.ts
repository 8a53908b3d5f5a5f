/** Rows of cells as the numbers of each series: one list for each value, in the order it is shown. */
import type { AnswerRow } from "../insight.ts"
import { BUCKET, countName, metricName, valueName } from "./cells.ts"
import { IS_REST, placeName } from "./ranking.ts"

interface ValueNumbers {
  /** As the engine told them; none without a breakdown. */
  readonly values: readonly unknown[]
  /** One for each bucket, or one in all. */
  readonly data: readonly number[]
}

export interface SeriesNumbers {
  readonly shown: readonly ValueNumbers[]
  /** The sums of all other values; undefined where there are none. */
  readonly rest: readonly number[] | undefined
}

interface Reading {
  readonly rows: readonly AnswerRow[]
  readonly size: number
  readonly metricIndex: number
}

/** Without a breakdown: one list, of zeros where nothing is. */
export function readPlain({ rows, size, metricIndex }: Reading): SeriesNumbers {
  const data = zeros(size)
  for (const row of rows) add(data, row, metricIndex)
  return { shown: [{ values: [], data }], rest: undefined }
}

export function readRanked(
  { rows, size, metricIndex }: Reading,
  { axisCount, valuesMax }: { readonly axisCount: number; readonly valuesMax: number },
): SeriesNumbers {
  const shown = new Map<number, { values: readonly unknown[]; data: number[] }>()
  const rest = zeros(size)
  let hasRest = false
  for (const row of rows) {
    if (numberOf(row[countName(metricIndex)]) === 0) continue
    const place = numberOf(row[placeName(metricIndex)])
    if (row[IS_REST] === true || place > valuesMax) {
      hasRest = true
      add(rest, row, metricIndex)
      continue
    }
    const values = Array.from({ length: axisCount }, (_, index) => row[valueName(index)])
    const held = shown.get(place) ?? { values, data: zeros(size) }
    shown.set(place, held)
    add(held.data, row, metricIndex)
  }
  const ordered = [...shown].sort(([a], [b]) => a - b).map(([, numbers]) => numbers)
  return { shown: ordered, rest: hasRest ? rest : undefined }
}

/** Each with all before it. */
export function runningSums(data: readonly number[]): readonly number[] {
  let sum = 0
  return data.map((value) => {
    sum += value
    return sum
  })
}

/** The mean, rounded down, of each with those right before it, so many in all. */
export function smoothed(data: readonly number[], intervals: number): readonly number[] {
  if (intervals <= 1) return data
  return data.map((_, index) => {
    const near = data.slice(Math.max(0, index - intervals + 1), index + 1)
    return Math.floor(total(near) / near.length)
  })
}

export const total = (data: readonly number[]): number =>
  data.reduce((sum, value) => sum + value, 0)

const zeros = (size: number): number[] => new Array<number>(size).fill(0)

function add(data: number[], row: AnswerRow, metricIndex: number): void {
  const bucket = numberOf(row[BUCKET])
  if (bucket < 0 || bucket >= data.length) return
  data[bucket] = (data[bucket] ?? 0) + numberOf(row[metricName(metricIndex)])
}

/** Engines may answer large whole numbers as text; nothing and what is no number is 0. */
function numberOf(value: unknown): number {
  const number = typeof value === "boolean" || value === null ? 0 : Number(value)
  return Number.isFinite(number) ? number : 0
}
