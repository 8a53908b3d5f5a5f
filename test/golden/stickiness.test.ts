/** What engines are asked for stickiness, so that a review shows what changed. */
import { test } from "vitest"
import { stickiness } from "../../src/insights/stickiness/stickiness.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { expectPrinted, inUtc, listActors, listAsked } from "./printed.ts"

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
  const plan = stickiness.plan(stickiness.schema.parse(asked), inUtc)
  await expectPrinted(`stickiness/${name}`, listAsked(plan))
})

test("actors", async () => {
  const plan = stickiness.actors(stickiness.schema.parse(DAYS), { day: 3 }, inUtc)
  await expectPrinted("stickiness/actors", listActors(plan))
})
