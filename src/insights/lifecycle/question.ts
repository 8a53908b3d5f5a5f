/** What a lifecycle is asked of. */
import { z } from "zod"
import { invalid } from "../../lib/errors.ts"
import { type Buckets, listBuckets } from "../../query/buckets.ts"
import { type DateRange, INTERVALS, previousBucketMs } from "../../query/date-range.ts"
import { findRange } from "../asked-range.ts"
import type { InsightContext, Plan } from "../insight.ts"
import { QUESTION_FIELDS, type Series } from "../series.ts"
import { type LifecycleAsked, STATUSES } from "./statuses.ts"

export const LifecycleSchema = z.object({
  ...QUESTION_FIELDS,
  interval: z.enum(INTERVALS).nullish(),
  lifecycleFilter: z.object({ toggledLifecycles: z.array(z.enum(STATUSES)).nullish() }).nullish(),
})
export type Lifecycle = z.output<typeof LifecycleSchema>

/** `day`: any moment of the bucket. */
export const LifecycleSelection = z.object({ day: z.string(), status: z.enum(STATUSES) })
export type SelectedStatus = z.output<typeof LifecycleSelection>

/** The question with its one series, its range, and its buckets with one more before them. */
export function* readQuestion(
  asked: Lifecycle,
  context: InsightContext,
): Plan<LifecycleAsked & { readonly range: DateRange }> {
  const { dateRange, interval } = asked
  const series = onlySeriesOf(asked)
  const range = yield* findRange({ dateRange, interval: interval ?? "day" }, context)
  return { ...asked, series, range, buckets: bucketsOf(range) }
}

function onlySeriesOf({ series }: Lifecycle): Series {
  const [only, ...others] = series
  if (only === undefined) throw invalid("A lifecycle needs a series.", "series", "required")
  if (others.length > 0) {
    throw invalid(`A lifecycle is of one series, not of ${series.length}.`, "series")
  }
  return only
}

/** Who was active in the bucket before the first returns in the first. */
function bucketsOf(range: DateRange): Buckets {
  const buckets = listBuckets(range)
  const { startsMs } = buckets
  const before = startsMs.slice(0, 1).map((startMs) => previousBucketMs(startMs, range))
  return { ...buckets, startsMs: [...before, ...startsMs] }
}
