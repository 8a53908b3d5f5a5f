/** What engines are asked for funnels, so that a review shows what changed. */
import { describe, expect, test } from "vitest"
import { StoredCatalogue } from "../../src/columnar/duckdb/catalogue.ts"
import { printSelect } from "../../src/columnar/duckdb/printer.ts"
import { funnelCorrelation } from "../../src/insights/funnel-correlation/funnel-correlation.ts"
import { funnels } from "../../src/insights/funnels/funnels.ts"
import type { InsightContext, Plan } from "../../src/insights/insight.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { parsePropertyFilters } from "../../src/query/filters/parse.ts"

const context: InsightContext = {
  project_id: 1,
  now: new Date("2026-03-02T10:00:00Z"),
  timezone: "America/New_York",
  weekStartsOn: 1,
  testAccountFilters: parsePropertyFilters([]),
  pathCleaning: [],
  personsByDistinctId: new Map(),
  cohortNames: new Map(),
  compileExpression: (text) => {
    throw new Error(`no language here to compile ${text}`)
  },
}

const catalogue = new StoredCatalogue([
  { key: "$browser", type: "text", column: "p_1", number: 1, isFilled: true },
])

/** The queries of a plan that finds one row of ones. */
function printed(plan: Plan<unknown>): string {
  const texts: string[] = []
  const row = { converted: 1, people: 2 }
  for (let step = plan.next(); step.done !== true; step = plan.next([row])) {
    const { sql, params } = printSelect(step.value, catalogue)
    const clauses = sql.replaceAll(
      / (?=(?:FROM|WHERE|GROUP BY|HAVING|LEFT JOIN|INNER JOIN|ASOF LEFT JOIN|ORDER BY)\b)/g,
      "\n",
    )
    texts.push(`${clauses}\n-- ${JSON.stringify(params)}\n`)
  }
  return texts.join("\n")
}

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

describe("DuckDB is asked", () => {
  test.each(Object.entries(QUESTIONS))("%s", async (name, asked) => {
    const text = printed(funnels.plan(funnels.schema.parse(asked), context))
    await expect(text).toMatchFileSnapshot(`funnels/${name}.duckdb.sql`)
  })

  test("correlation", async () => {
    const asked = { source: { series, ...RANGE } }
    const plan = funnelCorrelation.plan(funnelCorrelation.schema.parse(asked), context)
    await expect(printed(plan)).toMatchFileSnapshot("funnels/correlation.duckdb.sql")
  })
})
