/** Lines of numbers as the answer shows them: names, days, labels, formulas. */
import type { JsonObject } from "../../lib/json.ts"
import { bucketLabel, dayName, listBuckets } from "../../query/buckets.ts"
import { columnarTime } from "../../query/dates.ts"
import { actionOf } from "../action.ts"
import { NO_VALUE } from "../breakdown.ts"
import { evaluate } from "./formula.ts"
import { runningSums, smoothed, total } from "./numbers.ts"
import type { NamedFormula, Period, Trends } from "./question.ts"
import type { Line } from "./read.ts"

/** The lines of one period as they are: cumulated and smoothed where that is asked. */
export function finishLines(lines: readonly Line[], trends: Trends): readonly Line[] {
  if (trends.shows === "total") return lines
  const isCumulative = trends.shows === "cumulative"
  return lines.map((line) => {
    const data = isCumulative ? runningSums(line.data) : line.data
    return { ...line, data: smoothed(data, trends.smoothingIntervals) }
  })
}

/** One object for each line, or for each formula and value. */
export function showPeriod(
  lines: readonly Line[],
  period: Period,
  trends: Trends,
): readonly JsonObject[] {
  if (trends.formulas.length === 0) return lines.map((line) => showLine(line, period, trends))
  return trends.formulas.flatMap((formula, order) =>
    reckonFormula(formula, lines, trends.series.length).map((line) => ({
      ...showNumbers(line.data, period, trends),
      label: formula.label,
      action: null,
      filter: showFilter(period, trends),
      ...(trends.formulas.length > 1 ? { order } : {}),
      ...showBreakdown(line),
      ...showComparison(period),
    })),
  )
}

function showLine(line: Line, period: Period, trends: Trends): JsonObject {
  const series = trends.series[line.seriesIndex]
  return {
    ...showNumbers(line.data, period, trends),
    label: labelOf(line, trends),
    action: series === undefined ? null : actionOf(series, line.seriesIndex),
    filter: showFilter(period, trends),
    ...showBreakdown(line),
    ...showComparison(period),
  }
}

function labelOf({ seriesIndex, breakdown }: Line, { series }: Trends): string {
  const name = series[seriesIndex]?.event ?? "All events"
  if (breakdown === undefined) return name
  return series.length > 1 ? `${name} - ${breakdown.label}` : breakdown.label
}

function showNumbers(data: readonly number[], { range, label }: Period, trends: Trends) {
  if (trends.shows === "total") {
    return { data: [], days: [], labels: [], count: 0, aggregated_value: data[0] ?? 0 }
  }
  const buckets = listBuckets(range)
  const labels = buckets.startsMs.map((startMs, index) =>
    label === undefined ? bucketLabel(startMs, buckets) : `${range.interval} ${index}`,
  )
  return {
    data,
    days: buckets.startsMs.map((startMs) => dayName(startMs, buckets)),
    labels,
    count: trends.shows === "cumulative" ? (data.at(-1) ?? 0) : total(data),
  }
}

function showFilter({ range }: Period, { asked }: Trends): JsonObject {
  const { trendsFilter, breakdownFilter } = asked
  const shown = {
    insight: "TRENDS",
    date_from: isoTime(range.fromMs),
    date_to: isoTime(range.toMs),
    interval: range.interval,
    filter_test_accounts: asked.filterTestAccounts,
    display: trendsFilter?.display,
    formula: trendsFilter?.formula,
    breakdown: breakdownFilter?.breakdown,
    breakdown_type: breakdownFilter?.breakdown_type,
  }
  return Object.fromEntries(
    Object.entries(shown).filter(([, value]) => value !== undefined && value !== null),
  ) as JsonObject
}

const isoTime = (ms: number): string => `${columnarTime(ms).replace(" ", "T").slice(0, 23)}Z`

const showBreakdown = ({ breakdown }: Line): JsonObject =>
  breakdown === undefined ? {} : { breakdown_value: breakdown.value }

const showComparison = ({ label }: Period): JsonObject =>
  label === undefined ? {} : { compare: true, compare_label: label }

/** One line for each value that any series has; a series without it counts as zeros. */
function reckonFormula(
  { formula }: NamedFormula,
  lines: readonly Line[],
  seriesCount: number,
): readonly Line[] {
  const size = lines[0]?.data.length ?? 0
  const reckoned = groupByValue(lines).map((group): Line => {
    const bySeries = new Map(group.map((line) => [line.seriesIndex, line.data]))
    const data = Array.from({ length: size }, (_, bucket) =>
      evaluate(
        formula,
        Array.from({ length: seriesCount }, (_, index) => bySeries.get(index)?.[bucket] ?? 0),
      ),
    )
    return { seriesIndex: 0, data, breakdown: group[0]?.breakdown }
  })
  return reckoned.sort(
    (a, b) => rankOf(a) - rankOf(b) || total(b.data) - total(a.data) || compareLabels(a, b),
  )
}

function groupByValue(lines: readonly Line[]): readonly (readonly Line[])[] {
  const groups = new Map<string, Line[]>()
  for (const line of lines) {
    const key = JSON.stringify(line.breakdown?.value ?? null)
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  return [...groups.values()]
}

/** No value comes after all values, and what is taken together last. */
function rankOf({ breakdown }: Line): number {
  if (breakdown?.isOther === true) return 2
  return [breakdown?.value].flat().includes(NO_VALUE) ? 1 : 0
}

function compareLabels({ breakdown: a }: Line, { breakdown: b }: Line): number {
  const [one, other] = [a?.label ?? "", b?.label ?? ""]
  return one < other ? -1 : one > other ? 1 : 0
}
