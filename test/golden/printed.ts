/** What plans ask each engine for, as text that is compared with a file per dialect. */
import { expect } from "vitest"
import { printSelect as printClickhouse } from "../../src/columnar/clickhouse/printer.ts"
import { StoredCatalogue } from "../../src/columnar/duckdb/catalogue.ts"
import { printSelect as printDuckdb } from "../../src/columnar/duckdb/printer.ts"
import type { ActorSource, AnswerRow, InsightContext, Plan } from "../../src/insights/insight.ts"
import { parsePropertyFilters } from "../../src/query/filters/parse.ts"
import type { Query } from "../../src/query/tree.ts"

export const inUtc: InsightContext = {
  project_id: 1,
  now: new Date("2026-03-02T10:00:00Z"),
  timezone: "UTC",
  weekStartsOn: 1,
  testAccountFilters: parsePropertyFilters([]),
  pathCleaning: [{ regex: "/users/\\d+", alias: "/users/:id" }],
  personsByDistinctId: new Map(),
  cohortNames: new Map(),
  compileExpression: refuseLanguage,
  compileCondition: refuseLanguage,
}

export const inNewYork: InsightContext = { ...inUtc, timezone: "America/New_York" }

function refuseLanguage(text: string): never {
  throw new Error(`no language here to compile ${text}`)
}

/** Only DuckDB keeps columns of their own for some properties. */
const catalogue = new StoredCatalogue([
  { key: "$browser", type: "text", column: "p_1", number: 1, isFilled: true },
  { key: "amount", type: "number", column: "p_2", number: 2, isFilled: true },
  { key: "$current_url", type: "text", column: "p_3", number: 3, isFilled: true },
])

interface Printed {
  readonly sql: string
  readonly params: readonly unknown[]
}

const DIALECTS: Readonly<Record<string, (query: Query) => Printed>> = {
  duckdb: (query) => printDuckdb(query, catalogue),
  clickhouse: (query) => printClickhouse(query),
}

/** The queries of a plan that is given the same rows, by default none, for each of them. */
export function listAsked(plan: Plan<unknown>, rows: readonly AnswerRow[] = []): readonly Query[] {
  const queries: Query[] = []
  for (let step = plan.next(); step.done !== true; step = plan.next(rows)) queries.push(step.value)
  return queries
}

/** Of a plan that needs no rows to say who is meant. */
export function listActors(plan: Plan<ActorSource>): readonly Query[] {
  const step = plan.next()
  if (step.done !== true) throw new Error("the actors are not known without rows")
  return [step.value.query]
}

/** Compares with `<name>.<dialect>.sql` beside the test. */
export async function expectPrinted(name: string, queries: readonly Query[]): Promise<void> {
  for (const [dialect, print] of Object.entries(DIALECTS)) {
    const text = queries.map((query) => layOut(print(query))).join("\n")
    await expect(text).toMatchFileSnapshot(`${name}.${dialect}.sql`)
  }
}

const JOIN = "(?:ASOF )?(?:(?:LEFT|INNER|RIGHT|FULL|CROSS) )?(?:ARRAY )?JOIN"
/** Inside the words of a join no line ends. */
const INSIDE_JOIN = "(?<!\\b(?:ASOF|LEFT|INNER|RIGHT|FULL|CROSS|ARRAY))"
const CLAUSE = new RegExp(
  `${INSIDE_JOIN} (?=(?:FROM|WHERE|GROUP BY|HAVING|ORDER BY|${JOIN})\\b)`,
  "g",
)

/** A line per clause, so that a review shows which one changed. */
function layOut({ sql, params }: Printed): string {
  return `${sql.replaceAll(CLAUSE, "\n")}\n-- ${JSON.stringify(params)}\n`
}
