/** Lifecycle: of those who are active, who is new, who returns, who comes back, and who has stopped. */
import type { JsonObject } from "../../lib/json.ts"
import { type Buckets, bucketLabel, dayName } from "../../query/buckets.ts"
import { actionOf, eventLabel } from "../action.ts"
import { type AnswerRow, ask, type Insight } from "../insight.ts"
import type { Series } from "../series.ts"
import { findActors } from "./actors.ts"
import { parseLookup } from "./lookup.ts"
import {
  type Lifecycle,
  LifecycleSchema,
  LifecycleSelection,
  readQuestion,
  type SelectedStatus,
} from "./question.ts"
import { countStatuses, STATUSES, type Status } from "./statuses.ts"

export const lifecycle: Insight<Lifecycle, SelectedStatus> = {
  kind: "LifecycleQuery",
  schema: LifecycleSchema,
  *plan(asked, context) {
    const question = yield* readQuestion(asked, context)
    const rows = yield* ask(countStatuses(question, context))
    const { series, buckets } = question
    const shown = asked.lifecycleFilter?.toggledLifecycles ?? STATUSES
    const results = STATUSES.filter((status) => shown.includes(status)).map((status) =>
      resultOf(series, buckets, { status, data: dataOf(status, rows, buckets) }),
    )
    return { results }
  },
  selection: LifecycleSelection,
  actors: findActors,
  parseLookup,
}

/** Dormant actors count below nothing. */
function dataOf(
  status: Status,
  rows: readonly AnswerRow[],
  { startsMs }: Buckets,
): readonly number[] {
  const data = startsMs.map(() => 0)
  const add = (bucket: number, actors: number) => {
    if (bucket < data.length) data[bucket] = (data[bucket] ?? 0) + actors
  }
  for (const row of rows) {
    const [bucket, actors] = [Number(row.bucket), Number(row.actors)]
    if (row.status === status) add(bucket, actors)
    if (status === "dormant" && !isTrue(row.is_followed)) add(bucket + 1, -actors)
  }
  return data.slice(1)
}

/** Engines without truths answer 1 and 0. */
const isTrue = (value: unknown): boolean => value === true || value === 1

function resultOf(
  series: Series,
  buckets: Buckets,
  { status, data }: { readonly status: Status; readonly data: readonly number[] },
): JsonObject {
  const startsMs = buckets.startsMs.slice(1)
  return {
    action: actionOf(series, 0),
    count: data.reduce((sum, value) => sum + value, 0),
    data: [...data],
    days: startsMs.map((startMs) => dayName(startMs, buckets)),
    label: `${eventLabel(series)} - ${status}`,
    labels: startsMs.map((startMs) => bucketLabel(startMs, buckets)),
    status,
  }
}
