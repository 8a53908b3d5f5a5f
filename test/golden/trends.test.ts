/** What engines are asked for trends, so that a review shows what changed. */
import { describe, expect, test } from "vitest"
import { StoredCatalogue } from "../../src/columnar/duckdb/catalogue.ts"
import { printSelect } from "../../src/columnar/duckdb/printer.ts"
import type { InsightContext } from "../../src/insights/insight.ts"
import { trends } from "../../src/insights/trends/trends.ts"
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
  compileCondition: (text) => {
    throw new Error(`no language here to compile ${text}`)
  },
}

const catalogue = new StoredCatalogue([
  { key: "$browser", type: "text", column: "p_1", number: 1, isFilled: true },
  { key: "amount", type: "number", column: "p_2", number: 2, isFilled: true },
])

/** The queries of a plan that finds no rows. */
function printed(asked: JsonObject): string {
  const plan = trends.plan(trends.schema.parse(asked), context)
  const texts: string[] = []
  for (let step = plan.next(); step.done !== true; step = plan.next([])) {
    const { sql, params } = printSelect(step.value, catalogue)
    const clauses = sql.replaceAll(
      / (?=(?:FROM|WHERE|GROUP BY|LEFT JOIN|CROSS JOIN|ORDER BY)\b)/g,
      "\n",
    )
    texts.push(`${clauses}\n-- ${JSON.stringify(params)}\n`)
  }
  return texts.join("\n")
}

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
    await expect(printed(asked)).toMatchFileSnapshot(`trends/${name}.duckdb.sql`)
  })
})
