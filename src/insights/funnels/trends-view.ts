/** The rate of conversion by the time at which attempts begin. */
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import { type Buckets, bucketLabel, dayName, listBuckets } from "../../query/buckets.ts"
import { aggregate, aggregateIf, asc, column, desc, gt, number } from "../../query/build.ts"
import type { Select } from "../../query/tree.ts"
import { type AnswerRow, ask, type Plan } from "../insight.ts"
import { bestAttempts } from "./best-attempts.ts"
import { type Funnel, subquery } from "./funnel.ts"
import { valueNames } from "./step-events.ts"

const BEST = "q"
/** Of the values of a breakdown, each with all its buckets. */
const ROWS_MAX = 100_000

interface Line {
  readonly values: readonly string[]
  readonly started: number
  readonly rates: readonly number[]
}

/** One line, or one for each of the most frequent values. */
export function* readTrends(funnel: Funnel): Plan<readonly JsonValue[]> {
  const buckets = listBuckets(funnel.range)
  const rows = yield* ask(countByBucket(funnel, buckets))
  const lines = linesOf(rows, funnel, buckets)
  const { breakdown } = funnel
  if (breakdown === undefined) {
    return [shownLine(lines[0]?.rates ?? buckets.startsMs.map(() => 0), buckets)]
  }
  return lines.slice(0, breakdown.limit).map(({ values, rates }) => ({
    ...shownLine(rates, buckets),
    breakdown_value: values,
  }))
}

function countByBucket(funnel: Funnel, buckets: Buckets): Select {
  const reached = (step: number) =>
    aggregateIf(aggregate("count"), gt(column(BEST, "steps"), number(step)))
  const keys = [...valueNames(funnel), "bucket"].map((name) => ({
    as: name,
    expr: column(BEST, name),
  }))
  return {
    columns: [
      ...keys,
      { as: "reached_from", expr: reached(funnel.fromStep) },
      { as: "reached_to", expr: reached(funnel.toStep) },
    ],
    from: subquery(bestAttempts(funnel, { withMoments: false, buckets }), BEST),
    groupBy: keys.map(({ expr }) => expr),
    orderBy: [desc(reached(funnel.fromStep)), ...keys.map(({ expr }) => asc(expr))],
    limit: ROWS_MAX,
  }
}

function linesOf(
  rows: readonly AnswerRow[],
  funnel: Funnel,
  { startsMs }: Buckets,
): readonly Line[] {
  const byValue = new Map<string, { values: readonly string[]; rows: AnswerRow[] }>()
  for (const row of rows) {
    const values = valueNames(funnel).map((name) => String(row[name] ?? ""))
    const key = JSON.stringify(values)
    const known = byValue.get(key)
    if (known === undefined) byValue.set(key, { values, rows: [row] })
    else known.rows.push(row)
  }
  const lines = [...byValue].map(([key, { values, rows: own }]) => {
    const byBucket = new Map(own.map((row) => [Number(row.bucket), row]))
    return {
      key,
      values,
      started: own.reduce((sum, row) => sum + Number(row.reached_from), 0),
      rates: startsMs.map((_, index) => rateOf(byBucket.get(index))),
    }
  })
  return lines.sort((a, b) => b.started - a.started || (a.key < b.key ? -1 : 1))
}

/** In percent, with two digits. */
function rateOf(row: AnswerRow | undefined): number {
  const from = Number(row?.reached_from ?? 0)
  if (from === 0) return 0
  return Math.round((Number(row?.reached_to) / from) * 100 * 100) / 100
}

function shownLine(rates: readonly number[], buckets: Buckets): JsonObject {
  const { startsMs } = buckets
  return {
    count: startsMs.length,
    data: [...rates],
    days: startsMs.map((startMs) => dayName(startMs, buckets)),
    labels: startsMs.map((startMs) => bucketLabel(startMs, buckets)),
  }
}
