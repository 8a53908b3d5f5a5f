/** What engines are asked for paths, so that a review shows what changed. */
import { describe, expect, test } from "vitest"
import { StoredCatalogue } from "../../src/columnar/duckdb/catalogue.ts"
import { printSelect } from "../../src/columnar/duckdb/printer.ts"
import type { InsightContext } from "../../src/insights/insight.ts"
import { paths } from "../../src/insights/paths/paths.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { parsePropertyFilters } from "../../src/query/filters/parse.ts"
import type { Query } from "../../src/query/tree.ts"

const context: InsightContext = {
  project_id: 1,
  now: new Date("2026-03-02T10:00:00Z"),
  timezone: "America/New_York",
  weekStartsOn: 1,
  testAccountFilters: parsePropertyFilters([]),
  pathCleaning: [{ regex: "/users/\\d+", alias: "/users/:id" }],
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
  { key: "$current_url", type: "text", column: "p_1", number: 1, isFilled: true },
])

function printed(query: Query): string {
  const { sql, params } = printSelect(query, catalogue)
  const clauses = sql.replaceAll(
    / (?=(?:FROM|WHERE|GROUP BY|LEFT JOIN|INNER JOIN|ASOF LEFT JOIN|ORDER BY .* LIMIT)\b)/g,
    "\n",
  )
  return `${clauses}\n-- ${JSON.stringify(params)}\n`
}

const RANGE = { dateRange: { date_from: "2026-03-01", date_to: "2026-03-07" } }
const PAGES = { includeEventTypes: ["$pageview"] }

const QUESTIONS: Readonly<Record<string, JsonObject>> = {
  pages: { ...RANGE, pathsFilter: PAGES },
  "cleaned-and-grouped": {
    ...RANGE,
    pathsFilter: {
      includeEventTypes: ["$pageview", "custom_event"],
      pathReplacements: true,
      pathGroupings: ["/docs/*"],
      excludeEvents: ["/health"],
    },
  },
  "between-points": {
    ...RANGE,
    pathsFilter: { ...PAGES, startPoint: "/", endPoint: "/pricing", minEdgeWeight: 2 },
  },
  "after-a-step": {
    ...RANGE,
    funnelPathsFilter: {
      funnelPathType: "funnel_path_after_step",
      funnelStep: -2,
      funnelSource: { series: [{ event: "sign up" }, { event: "buy" }], ...RANGE },
    },
  },
}

describe("paths ask DuckDB", () => {
  test.each(Object.entries(QUESTIONS))("for %s", async (name, asked) => {
    const { value } = paths.plan(paths.schema.parse(asked), context).next()
    await expect(printed(value as Query)).toMatchFileSnapshot(`./paths/${name}.duckdb.sql`)
  })

  test("for persons who leave", async () => {
    const asked = paths.schema.parse({ ...RANGE, pathsFilter: PAGES })
    const { value } = paths.actors(asked, { pathDropoffKey: "2_/pricing" }, context).next()
    const { query } = value as { readonly query: Query }
    await expect(printed(query)).toMatchFileSnapshot("./paths/persons-who-leave.duckdb.sql")
  })
})
