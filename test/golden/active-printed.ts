/** The queries of plans over an empty store, printed. */
import { StoredCatalogue } from "../../src/columnar/duckdb/catalogue.ts"
import { printSelect } from "../../src/columnar/duckdb/printer.ts"
import type {
  ActorSource,
  InsightAnswer,
  InsightContext,
  Plan,
} from "../../src/insights/insight.ts"
import { parsePropertyFilters } from "../../src/query/filters/parse.ts"
import type { Query } from "../../src/query/tree.ts"

export const context: InsightContext = {
  project_id: 1,
  now: new Date("2026-03-02T10:00:00Z"),
  timezone: "UTC",
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

const catalogue = new StoredCatalogue([])

export function printedPlan(plan: Plan<InsightAnswer>): string {
  const texts: string[] = []
  for (let step = plan.next(); step.done !== true; step = plan.next([])) {
    texts.push(printed(step.value))
  }
  return texts.join("\n")
}

/** Of a plan that needs no rows to say who is meant. */
export function printedActors(plan: Plan<ActorSource>): string {
  const step = plan.next()
  if (step.done !== true) throw new Error("the actors are not known without rows")
  return printed(step.value.query)
}

function printed(query: Query): string {
  const { sql, params } = printSelect(query, catalogue)
  const clauses = sql.replaceAll(
    / (?=(?:FROM|WHERE|GROUP BY|HAVING|LEFT JOIN|CROSS JOIN|ORDER BY)\b)/g,
    "\n",
  )
  return `${clauses}\n-- ${JSON.stringify(params)}\n`
}
