/** What retention is asked of. */
import { z } from "zod"
import { invalid } from "../../lib/errors.ts"
import type { Buckets } from "../../query/buckets.ts"
import {
  type BucketPlace,
  bucketStartMs,
  nextBucketMs,
  previousBucketMs,
} from "../../query/date-range.ts"
import { parseDateInput } from "../../query/dates.ts"
import type { InsightContext } from "../insight.ts"
import { QUESTION_FIELDS, type Series, SeriesSchema } from "../series.ts"

const PERIODS = { Hour: "hour", Day: "day", Week: "week", Month: "month" } as const
type Period = keyof typeof PERIODS

const INTERVALS_DEFAULT = 11
/** The answer grows with the square of it. */
const INTERVALS_MAX = 500

/** What is done first and again, as the old entities say it. */
const EntitySchema = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  event: z.string().nullish(),
  type: z.string().nullish(),
  kind: z.string().nullish(),
  properties: z.unknown().optional(),
})
type Entity = z.output<typeof EntitySchema>

const isPeriod = (value: string): value is Period => Object.hasOwn(PERIODS, value)

export const RetentionSchema = z.object({
  ...QUESTION_FIELDS,
  retentionFilter: z
    .object({
      retentionType: z
        .enum(["retention_recurring", "retention_first_time", "recurring", "first_time"])
        .nullish(),
      period: z
        .string()
        .refine(isPeriod, {
          error: ({ input }) =>
            `Period ${input} is unsupported: take ${Object.keys(PERIODS).join(", ")}`,
        })
        .nullish(),
      totalIntervals: z.number().int().min(1).max(INTERVALS_MAX).nullish(),
      targetEntity: EntitySchema.nullish(),
      returningEntity: EntitySchema.nullish(),
    })
    .nullish(),
})
export type Retention = z.output<typeof RetentionSchema>

/** `interval`: the row, from 0. */
export const RetentionSelection = z.object({ interval: z.number().int().min(0).nullish() })
export type SelectedRow = z.output<typeof RetentionSelection>

/** The question with every default in its place. */
export interface RetentionQuestion {
  readonly asked: Retention
  readonly period: Period
  readonly isFirstTime: boolean
  readonly target: Series
  readonly returning: Series
  readonly buckets: Buckets
}

export function readQuestion(asked: Retention, context: InsightContext): RetentionQuestion {
  const { retentionFilter: filter, dateRange } = asked
  const period = filter?.period ?? "Day"
  const { timezone, weekStartsOn } = context
  const target = seriesOf(filter?.targetEntity ?? { id: "$pageview" }, "targetEntity")
  return {
    asked,
    period,
    isFirstTime: filter?.retentionType?.endsWith("first_time") ?? false,
    target,
    returning: filter?.returningEntity
      ? seriesOf(filter.returningEntity, "returningEntity")
      : target,
    buckets: listBucketsUntil(endMs(dateRange?.date_to, context), {
      place: { interval: PERIODS[period], timezone, weekStartsOn },
      count: filter?.totalIntervals ?? INTERVALS_DEFAULT,
    }),
  }
}

function endMs(date_to: string | null | undefined, context: InsightContext): number {
  if (date_to === undefined || date_to === null) return context.now.getTime()
  const { time } = parseDateInput(date_to, { ...context, attr: "date_to" })
  return Date.parse(`${time.replace(" ", "T")}Z`)
}

/** So many buckets, the last of which holds the moment. */
function listBucketsUntil(
  ms: number,
  { place, count }: { readonly place: BucketPlace; readonly count: number },
): Buckets {
  const startsMs = [bucketStartMs(ms, place)]
  for (let [startMs] = startsMs; startMs !== undefined && startsMs.length < count; ) {
    startMs = previousBucketMs(startMs, place)
    startsMs.push(startMs)
  }
  const endsMs = nextBucketMs(startsMs[0] ?? ms, place)
  return { ...place, startsMs: startsMs.reverse(), endMs: endsMs }
}

function seriesOf(entity: Entity, attr: string): Series {
  const { id, event, type, kind, properties } = entity
  if (type === "actions" || kind === "ActionsNode") {
    throw invalid(`There is no action ${id ?? ""}: name an event instead.`, attr)
  }
  const name = id ?? event
  const named = name === undefined || name === null ? null : String(name)
  return SeriesSchema.parse({ kind: "EventsNode", event: named, properties })
}
