/** Those who are something in one bucket. */
import { bucketStartMs } from "../../query/date-range.ts"
import { parseDateInput } from "../../query/dates.ts"
import type { ActorSource, InsightContext, Plan } from "../insight.ts"
import { type Lifecycle, readQuestion, type SelectedStatus } from "./question.ts"
import { actorsOfStatus } from "./statuses.ts"

export function* findActors(
  asked: Lifecycle,
  { day, status }: SelectedStatus,
  context: InsightContext,
): Plan<ActorSource> {
  const question = yield* readQuestion(asked, context)
  const { time } = parseDateInput(day, { ...context, attr: "day" })
  const startMs = bucketStartMs(Date.parse(`${time.replace(" ", "T")}Z`), question.range)
  const index = question.buckets.startsMs.indexOf(startMs)
  // The first bucket is not one of those asked for.
  const selected = { wanted: status, index: index > 0 ? index : undefined }
  const { aggregation_group_type_index: group } = asked
  return {
    query: actorsOfStatus(question, selected, context),
    actor: typeof group === "number" ? { kind: "group", index: group } : { kind: "person" },
    extras: [],
    orderBy: [],
  }
}
