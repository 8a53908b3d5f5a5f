/** Correlation: what those who convert in a funnel did or are, and those who do not. */

import { findStepMoments } from "../funnels/step-moments.ts"
import { ask, type Insight } from "../insight.ts"
import { findActors } from "./actors.ts"
import { parseLookup } from "./lookup.ts"
import { countAll, isSkewed, rankTraits, shownTraits } from "./odds.ts"
import { CorrelationQuery, CorrelationSelection, parseComparison } from "./question.ts"
import { selectTraits } from "./traits.ts"

export const funnelCorrelation: Insight<CorrelationQuery, CorrelationSelection> = {
  kind: "FunnelCorrelationQuery",
  schema: CorrelationQuery,
  *plan(asked, context) {
    const comparison = parseComparison(asked)
    if (asked.source.series.length === 0) return { results: { events: [], skewed: true } }
    const moments = yield* findStepMoments(asked.source, context)
    const [row] = yield* ask(countAll(moments))
    const converted = Number(row?.converted ?? 0)
    const totals = { converted, others: Number(row?.people ?? 0) - converted }
    if (totals.converted === 0 || totals.others === 0) {
      return { results: { events: [], skewed: true } }
    }
    const isAboveTwo = comparison.kind === "event_with_properties"
    const rows = yield* ask(rankTraits(selectTraits(moments, comparison), totals, { isAboveTwo }))
    return { results: { events: shownTraits(rows), skewed: isSkewed(totals) } }
  },
  selection: CorrelationSelection,
  actors: findActors,
  parseLookup,
}
