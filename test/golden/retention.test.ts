/** What engines are asked for retention, so that a review shows what changed. */
import { test } from "vitest"
import { retention } from "../../src/insights/retention/retention.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { expectPrinted, inUtc, listActors, listAsked } from "./printed.ts"

const DAYS = { dateRange: { date_to: "2026-02-08" } }
const OTHER = { targetEntity: { id: "signed up" }, returningEntity: { id: "$pageview" } }

test.each<[name: string, asked: JsonObject]>([
  ["days", DAYS],
  ["something-else-by-week", { ...DAYS, retentionFilter: { ...OTHER, period: "Week" } }],
  ["first-time", { ...DAYS, retentionFilter: { ...OTHER, retentionType: "first_time" } }],
  [
    "groups-by-month",
    { ...DAYS, aggregation_group_type_index: 0, retentionFilter: { period: "Month" } },
  ],
])("%s", async (name, asked) => {
  const plan = retention.plan(retention.schema.parse(asked), inUtc)
  await expectPrinted(`retention/${name}`, listAsked(plan))
})

test("actors", async () => {
  const asked = { ...DAYS, retentionFilter: { ...OTHER, totalIntervals: 3 } }
  const plan = retention.actors(retention.schema.parse(asked), { interval: 1 }, inUtc)
  await expectPrinted("retention/actors", listActors(plan))
})
