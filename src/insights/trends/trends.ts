/** How often something happens over time: by series, by value, reckoned with, compared with earlier. */
import type { JsonObject } from "../../lib/json.ts"
import type { Insight, InsightAnswer, InsightContext, Plan } from "../insight.ts"
import { planActors, TrendsSelection } from "./actors.ts"
import { finishLines, showPeriod } from "./answer.ts"
import { parseLookup } from "./lookup.ts"
import { parseTrends, TrendsQuery } from "./question.ts"
import { readPeriod } from "./read.ts"

export const trends: Insight<TrendsQuery, TrendsSelection> = {
  kind: "TrendsQuery",
  schema: TrendsQuery,
  plan: planTrends,
  selection: TrendsSelection,
  actors: planActors,
  parseLookup,
}

function* planTrends(asked: TrendsQuery, context: InsightContext): Plan<InsightAnswer> {
  if (asked.series.length === 0) return { results: [], hasMore: false }
  const question = yield* parseTrends(asked, context)
  const results: JsonObject[] = []
  let hasMore = false
  for (const period of question.periods) {
    const lines = yield* readPeriod(question, period, context)
    const shown = lines.filter(({ breakdown }) => breakdown?.isOther !== true)
    hasMore ||= shown.length < lines.length
    const finished = finishLines(question.hidesOther ? shown : lines, question)
    results.push(...showPeriod(finished, period, question))
  }
  return { results, hasMore }
}
