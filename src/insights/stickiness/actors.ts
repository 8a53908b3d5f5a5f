/** Those who were active in exactly so many intervals. */
import { invalid } from "../../lib/errors.ts"
import type { ActorSource, InsightContext, Plan } from "../insight.ts"
import { actorsOfDays } from "./days.ts"
import { countedOf, findRanges, type SelectedDays, type Stickiness } from "./question.ts"

export function* findActors(
  asked: Stickiness,
  selected: SelectedDays,
  context: InsightContext,
): Plan<ActorSource> {
  const place = selected.series ?? 0
  const series = asked.series[place]
  if (series === undefined) {
    throw invalid(`There is no series ${place}: the first is 0.`, "series")
  }
  const counted = countedOf(series, asked, context)
  if (counted.actor === undefined) {
    throw invalid("Values of an expression are no persons that could be listed.", "series")
  }
  const ranges = yield* findRanges(asked, context)
  const range = ranges.get(selected.compare ?? "current")
  if (range === undefined) {
    throw invalid("The question compares with no previous period.", "compare")
  }
  return {
    query: actorsOfDays({ asked, series: [series], counted, range }, selected.day, context),
    actor: counted.actor,
    extras: [],
    orderBy: [],
  }
}
