/** What engines are asked for lifecycles, so that a review shows what changed. */
import { test } from "vitest"
import type { InsightContext } from "../../src/insights/insight.ts"
import { lifecycle } from "../../src/insights/lifecycle/lifecycle.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { expectPrinted, inNewYork, inUtc, listActors, listAsked } from "./printed.ts"

const DAYS = {
  series: [{ event: "$pageview" }],
  dateRange: { date_from: "2026-02-01", date_to: "2026-02-08" },
}

test.each<[name: string, asked: JsonObject, context: InsightContext]>([
  ["days", DAYS, inUtc],
  ["groups-by-month", { ...DAYS, interval: "month", aggregation_group_type_index: 0 }, inUtc],
  ["weeks-in-new-york", { ...DAYS, interval: "week" }, inNewYork],
])("%s", async (name, asked, context) => {
  const plan = lifecycle.plan(lifecycle.schema.parse(asked), context)
  await expectPrinted(`lifecycle/${name}`, listAsked(plan))
})

test("actors", async () => {
  const selected = { day: "2026-02-03", status: "dormant" } as const
  const plan = lifecycle.actors(lifecycle.schema.parse(DAYS), selected, inUtc)
  await expectPrinted("lifecycle/actors", listActors(plan))
})
