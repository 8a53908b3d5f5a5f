/** Retention: of those who did something in an interval, how many did something in each interval after it. */
import type { JsonObject } from "../../lib/json.ts"
import { wallClockMs } from "../../query/time-zone.ts"
import { type AnswerRow, ask, type Insight } from "../insight.ts"
import { findActors } from "./actors.ts"
import { parseLookup } from "./lookup.ts"
import {
  type Retention,
  type RetentionQuestion,
  RetentionSchema,
  RetentionSelection,
  readQuestion,
  type SelectedRow,
} from "./question.ts"
import { countReturns } from "./returns.ts"

export const retention: Insight<Retention, SelectedRow> = {
  kind: "RetentionQuery",
  schema: RetentionSchema,
  *plan(asked, context) {
    const question = readQuestion(asked, context)
    const rows = yield* ask(countReturns(question, context))
    const counts = countsOf(rows, question)
    return { results: counts.map((values, row) => resultOf(values, row, question)) }
  },
  selection: RetentionSelection,
  actors: findActors,
  parseLookup,
}

/** Row i: how many did the target in bucket i, then how many of them returned in each bucket after it. */
function countsOf(rows: readonly AnswerRow[], { buckets }: RetentionQuestion): number[][] {
  const total = buckets.startsMs.length
  const counts = buckets.startsMs.map((_, row) => Array.from({ length: total - row }, () => 0))
  for (const { target, mark, actors } of rows) {
    const values = counts[Number(target)]
    const steps = Math.floor(Number(mark) / 2) - Number(target)
    const isReturn = Number(mark) % 2 === 1
    if (values?.[steps] === undefined || !(steps === 0 || isReturn)) continue
    values[steps] += Number(actors)
  }
  return counts
}

function resultOf(
  values: readonly number[],
  row: number,
  { period, buckets }: RetentionQuestion,
): JsonObject {
  return {
    values: values.map((count) => ({ count })),
    label: `${period} ${row}`,
    date: isoWithOffset(buckets.startsMs[row] ?? 0, buckets.timezone),
  }
}

const MINUTE_MS = 60_000

/** "2020-06-10T00:00:00Z", or with the zone's offset, "2020-06-10T00:00:00-04:00". */
function isoWithOffset(ms: number, timezone: string): string {
  const wallMs = wallClockMs(ms, timezone)
  const wall = new Date(wallMs).toISOString().slice(0, 19)
  const minutes = Math.round((wallMs - ms) / MINUTE_MS)
  if (minutes === 0) return `${wall}Z`
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const digits = (value: number) => String(value).padStart(2, "0")
  return `${wall}${minutes < 0 ? "-" : "+"}${digits(hours)}:${digits(rest)}`
}
