/** What engines are asked for lifecycles, so that a review shows what changed. */
import { expect, test } from "vitest"
import { lifecycle } from "../../src/insights/lifecycle/lifecycle.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { context, printedActors, printedPlan } from "./active-printed.ts"

const DAYS = {
  series: [{ event: "$pageview" }],
  dateRange: { date_from: "2026-02-01", date_to: "2026-02-08" },
}

test.each<[name: string, asked: JsonObject, timezone: string]>([
  ["days", DAYS, "UTC"],
  ["groups-by-month", { ...DAYS, interval: "month", aggregation_group_type_index: 0 }, "UTC"],
  ["weeks-in-new-york", { ...DAYS, interval: "week" }, "America/New_York"],
])("%s", async (name, asked, timezone) => {
  const plan = lifecycle.plan(lifecycle.schema.parse(asked), { ...context, timezone })
  await expect(printedPlan(plan)).toMatchFileSnapshot(`lifecycle/${name}.duckdb.sql`)
})

test("actors", async () => {
  const selected = { day: "2026-02-03", status: "dormant" } as const
  const plan = lifecycle.actors(lifecycle.schema.parse(DAYS), selected, context)
  await expect(printedActors(plan)).toMatchFileSnapshot("lifecycle/actors.duckdb.sql")
})
