/** What engines are asked for stickiness, so that a review shows what changed. */
import { expect, test } from "vitest"
import { stickiness } from "../../src/insights/stickiness/stickiness.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { context, printedActors, printedPlan } from "./active-printed.ts"

const DAYS = {
  series: [{ event: "$pageview" }],
  dateRange: { date_from: "2026-02-01", date_to: "2026-02-08" },
}
const SEVERAL = [
  { event: "$pageview" },
  { event: "bought", properties: [{ key: "plan", value: "paid" }] },
  { event: "bought", math: "unique_group", math_group_type_index: 0 },
]

test.each<[name: string, asked: JsonObject]>([
  ["days", DAYS],
  ["several-series", { ...DAYS, series: SEVERAL }],
  ["compared-weeks", { ...DAYS, interval: "week", stickinessFilter: { compare: true } }],
])("%s", async (name, asked) => {
  const plan = stickiness.plan(stickiness.schema.parse(asked), context)
  await expect(printedPlan(plan)).toMatchFileSnapshot(`stickiness/${name}.duckdb.sql`)
})

test("actors", async () => {
  const plan = stickiness.actors(stickiness.schema.parse(DAYS), { day: 3 }, context)
  await expect(printedActors(plan)).toMatchFileSnapshot("stickiness/actors.duckdb.sql")
})
