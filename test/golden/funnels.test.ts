/** What engines are asked for funnels, so that a review shows what changed. */
import { describe, test } from "vitest"
import { funnelCorrelation } from "../../src/insights/funnel-correlation/funnel-correlation.ts"
import { funnels } from "../../src/insights/funnels/funnels.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { expectPrinted, inNewYork, listAsked } from "./printed.ts"

const series = ["view", "cart", "buy"].map((event) => ({ kind: "EventsNode", event }))
const RANGE = { dateRange: { date_from: "2026-02-01", date_to: "2026-02-20" } }
const ofValues = { breakdownFilter: { breakdown: "$browser" } }

const QUESTIONS: Readonly<Record<string, JsonObject>> = {
  ordered: { series, ...RANGE },
  excluding: {
    series,
    ...RANGE,
    funnelsFilter: { exclusions: [{ event: "leave", funnelFromStep: 0, funnelToStep: 1 }] },
  },
  strict: { series, ...RANGE, funnelsFilter: { funnelOrderType: "strict" } },
  unordered: { series, ...RANGE, funnelsFilter: { funnelOrderType: "unordered" } },
  trends: { series, ...RANGE, interval: "week", funnelsFilter: { funnelVizType: "trends" } },
  "by-value": { series, ...RANGE, ...ofValues },
  "by-value-of-step": {
    series,
    ...RANGE,
    ...ofValues,
    funnelsFilter: { breakdownAttributionType: "step", breakdownAttributionValue: 1 },
  },
}

describe("what an engine is asked for funnels", () => {
  test.each(Object.entries(QUESTIONS))("%s", async (name, asked) => {
    const plan = funnels.plan(funnels.schema.parse(asked), inNewYork)
    await expectPrinted(`funnels/${name}`, listAsked(plan))
  })

  test("correlation", async () => {
    const asked = { source: { series, ...RANGE } }
    const plan = funnelCorrelation.plan(funnelCorrelation.schema.parse(asked), inNewYork)
    // Without anybody on either side nothing more would be asked.
    const rows = [{ converted: 1, people: 2 }]
    await expectPrinted("funnels/correlation", listAsked(plan, rows))
  })
})
