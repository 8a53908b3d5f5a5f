/** Stickiness: how many actors were active in one interval of the range, in two, in three. */
import { invalid } from "../../lib/errors.ts"
import type { JsonObject } from "../../lib/json.ts"
import { listBuckets } from "../../query/buckets.ts"
import type { DateRange } from "../../query/date-range.ts"
import { actionOf, eventLabel } from "../action.ts"
import { ask, type Insight, type InsightContext, type Plan } from "../insight.ts"
import type { Series } from "../series.ts"
import { findActors } from "./actors.ts"
import { countDays } from "./days.ts"
import { parseLookup } from "./lookup.ts"
import {
  type Counted,
  countedOf,
  findRanges,
  type Period,
  type SelectedDays,
  type Stickiness,
  StickinessSchema,
  StickinessSelection,
} from "./question.ts"

export const stickiness: Insight<Stickiness, SelectedDays> = {
  kind: "StickinessQuery",
  schema: StickinessSchema,
  *plan(asked, context) {
    if (asked.series.length === 0) {
      throw invalid("Stickiness needs a series.", "series", "required")
    }
    const ranges = [...(yield* findRanges(asked, context))]
    const found = new Map<Period, readonly (readonly number[])[]>()
    for (const [period, range] of ranges) {
      found.set(period, yield* findData(asked, range, context))
    }
    const results = asked.series.flatMap((series, order) =>
      ranges.map(([period, range]) => ({
        ...resultOf(series, order, found.get(period)?.[order] ?? []),
        labels: labelsOf(range),
        ...(ranges.length > 1 ? { compare: true, compare_label: period } : {}),
      })),
    )
    return { results }
  },
  selection: StickinessSelection,
  actors: findActors,
  parseLookup,
}

interface CountedAlike {
  readonly counted: Counted
  readonly places: readonly number[]
}

/** The data of each series. Those that count the same actors share one pass. */
function* findData(
  asked: Stickiness,
  range: DateRange,
  context: InsightContext,
): Plan<readonly (readonly number[])[]> {
  const total = listBuckets(range).startsMs.length
  const data = asked.series.map(() => Array.from({ length: total }, () => 0))
  for (const { counted, places } of countedAlike(asked, context)) {
    const series = places.flatMap((place) => asked.series[place] ?? [])
    const rows = yield* ask(countDays({ asked, series, counted, range }, context))
    for (const row of rows) {
      const own = data[places[Number(row.series)] ?? 0]
      if (own !== undefined) own[Number(row.days) - 1] = Number(row.actors)
    }
  }
  return data
}

function countedAlike(asked: Stickiness, context: InsightContext): Iterable<CountedAlike> {
  const kinds = new Map<string, CountedAlike>()
  for (const [place, series] of asked.series.entries()) {
    const counted = countedOf(series, asked, context)
    const id = JSON.stringify(counted)
    kinds.set(id, { counted, places: [...(kinds.get(id)?.places ?? []), place] })
  }
  return kinds.values()
}

function resultOf(series: Series, order: number, data: readonly number[]): JsonObject {
  return {
    action: actionOf(series, order),
    count: data.reduce((sum, actors) => sum + actors, 0),
    data: [...data],
    days: data.map((_, index) => index + 1),
    label: eventLabel(series),
  }
}

function labelsOf(range: DateRange): readonly string[] {
  return listBuckets(range).startsMs.map(
    (_, index) => `${index + 1} ${range.interval}${index === 0 ? "" : "s"}`,
  )
}
