/** What engines are asked for trends, so that a review shows what changed. */
import { describe, test } from "vitest"
import { trends } from "../../src/insights/trends/trends.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { expectPrinted, inNewYork, listAsked } from "./printed.ts"

const view = { kind: "EventsNode", event: "view" }
const RANGE = { dateRange: { date_from: "2026-03-01", date_to: "2026-03-20" } }

const QUESTIONS: Readonly<Record<string, JsonObject>> = {
  totals: { series: [view], ...RANGE },
  "several-series": {
    series: [
      view,
      { event: "buy", math: "dau" },
      { event: "buy", math: "p90", math_property: "amount" },
    ],
    ...RANGE,
    interval: "week",
  },
  "by-value": { series: [view], ...RANGE, breakdownFilter: { breakdown: "$browser" } },
  active: { series: [{ ...view, math: "weekly_active" }], ...RANGE },
  "persons-cumulated": {
    ...{ series: [{ ...view, math: "dau" }], ...RANGE },
    trendsFilter: { display: "ActionsLineGraphCumulative" },
  },
  "counts-of-persons": {
    ...{ series: [{ ...view, math: "avg_count_per_actor" }], ...RANGE },
    trendsFilter: { display: "ActionsTable" },
  },
}

describe("what an engine is asked for trends", () => {
  test.each(Object.entries(QUESTIONS))("%s", async (name, asked) => {
    const plan = trends.plan(trends.schema.parse(asked), inNewYork)
    await expectPrinted(`trends/${name}`, listAsked(plan))
  })
})
