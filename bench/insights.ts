/** Insights and texts of the query language beside SQL written by hand, on the same file, turn by turn. */
import { availableParallelism } from "node:os"
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api"
import { languageContext } from "../src/analysis/desk.ts"
import { findInsight } from "../src/analysis/kinds/insight-kinds.ts"
import type { PropertyCatalogue } from "../src/columnar/duckdb/catalogue.ts"
import { printSelect } from "../src/columnar/duckdb/printer.ts"
import { findStoreFile } from "../src/columnar/duckdb/store-files.ts"
import { boundValue, plainValue } from "../src/columnar/duckdb/values.ts"
import type { AnswerRow, InsightContext, Plan } from "../src/insights/insight.ts"
import { parsePropertyFilters } from "../src/query/filters/parse.ts"
import { compileExpression, compileQuery } from "../src/query/language/compile.ts"
import type { Query } from "../src/query/tree.ts"
import type { Benchmark, Cell, Progress } from "./benchmark.ts"
import { END, fillStore, MEMORY_BYTES, PROJECT_ID } from "./insight-data.ts"
import {
  type BenchQuestion,
  type ColumnOf,
  INSIGHT_QUESTIONS,
  LANGUAGE_QUESTIONS,
} from "./insight-questions.ts"
import { makeFolder } from "./platform.ts"
import { quantile } from "./quantile.ts"

const TIMES = 5
const RATIO_MAX = 1.3
const GROWTH_MAX = 10

export const insights: Benchmark = {
  name: "insights",
  about:
    `Each question beside the best SQL by hand on the same DuckDB file, ${TIMES} times in turns, median, within ` +
    `${MEMORY_BYTES / 1024 / 1024} MB (target: ≤ ${RATIO_MAX} ×; ten times the events ≤ ${GROWTH_MAX} × the time). ` +
    "`--sizes 1000000,10000000` for other sizes.",

  async run(progress, { sizes }) {
    const measured = []
    for (const size of sizes) measured.push(await measureSize(size, progress))
    const [head = [], ...rows] = tableOf(sizes, measured)
    return [head, ...rows]
  },
}

interface Measured {
  readonly what: string
  readonly oursMs: number
  readonly byHandMs: number
}

async function measureSize(size: number, progress: Progress): Promise<readonly Measured[]> {
  const { folder, remove } = await makeFolder()
  try {
    const catalogue = await fillStore(folder, size, progress)
    const file = await findStoreFile(folder)
    if (file === undefined) throw new Error("the store has no file")
    const instance = await DuckDBInstance.create(file, {
      threads: String(availableParallelism()),
      memory_limit: `${MEMORY_BYTES / 1024 / 1024}MB`,
      temp_directory: `${folder}/temporary`,
      access_mode: "READ_ONLY",
    })
    const connection = await instance.connect()
    await connection.run("SET GLOBAL TimeZone = 'UTC'")
    const measured: Measured[] = []
    for (const question of [...INSIGHT_QUESTIONS, ...LANGUAGE_QUESTIONS]) {
      progress(`${size}: ${question.what}`)
      measured.push(await measure(connection, catalogue, question))
    }
    connection.closeSync()
    instance.closeSync()
    return measured
  } finally {
    await remove()
  }
}

async function measure(
  connection: DuckDBConnection,
  catalogue: PropertyCatalogue,
  { what, asked, byHand }: BenchQuestion,
): Promise<Measured> {
  const sql = byHand(columnIn(catalogue))
  const ours: number[] = []
  const hand: number[] = []
  // The first turn warms the file up for both.
  for (let time = 0; time <= TIMES; time++) {
    const startMs = performance.now()
    await runPlan(planOf(asked), (query) => ask(connection, catalogue, query))
    const middleMs = performance.now()
    await (await connection.runAndReadAll(sql)).getRows()
    if (time === 0) continue
    ours.push(middleMs - startMs)
    hand.push(performance.now() - middleMs)
  }
  return { what, oursMs: quantile(ours, 0.5), byHandMs: quantile(hand, 0.5) }
}

async function runPlan<T>(plan: Plan<T>, answer: (query: Query) => Promise<readonly AnswerRow[]>) {
  let step = plan.next()
  while (step.done !== true) step = plan.next(await answer(step.value))
}

async function ask(
  connection: DuckDBConnection,
  catalogue: PropertyCatalogue,
  query: Query,
): Promise<readonly AnswerRow[]> {
  const { sql, params } = printSelect(query, catalogue)
  const reader = await connection.runAndReadAll(sql, params.map(boundValue))
  const names = reader.deduplicatedColumnNames()
  return reader
    .getRows()
    .map((row) =>
      Object.fromEntries(row.map((value, index) => [names[index] ?? "", plainValue(value)])),
    )
}

function* planOf(asked: BenchQuestion["asked"]): Plan<unknown> {
  if (asked.kind === "HogQLQuery") {
    return yield compileQuery(String(asked.query), LANGUAGE_CONTEXT).query
  }
  const insight = findInsight(asked.kind)
  if (insight === undefined) throw new Error(`there is no insight ${asked.kind}`)
  return yield* insight.plan(insight.schema.parse(asked), CONTEXT)
}

const SETTINGS = { timezone: "UTC", weekStartsOn: 0, now: END } as const

const LANGUAGE_CONTEXT = languageContext({
  project: {
    ...{ id: PROJECT_ID, timezone: "UTC", week_start_day: 0, cohorts: [] },
    ...{ test_account_filters: [], path_cleaning_filters: null },
  },
  now: END,
})

const CONTEXT: InsightContext = {
  ...SETTINGS,
  project_id: PROJECT_ID,
  testAccountFilters: parsePropertyFilters([]),
  pathCleaning: [],
  personsByDistinctId: new Map(),
  cohortNames: new Map(),
  compileExpression: (text) => compileExpression(text, "events", LANGUAGE_CONTEXT),
  compileCondition: (text) => compileExpression(text, "events", LANGUAGE_CONTEXT).expr,
}

function columnIn(catalogue: PropertyCatalogue): ColumnOf {
  return (key) => {
    const [column] = catalogue.find(key)
    if (column === undefined) throw new Error(`${key} has no column of its own`)
    return `e.${column.column}`
  }
}

function tableOf(sizes: readonly number[], measured: readonly (readonly Measured[])[]) {
  const head = [
    "question",
    ...sizes.flatMap((size) => [`${size / 1e6} M: ours ms`, "by hand ms", "ratio"]),
    "growth",
  ]
  const rows = (measured[0] ?? []).map(({ what }, index): readonly Cell[] => {
    const all = measured.map((each) => each[index])
    const cells = all.flatMap((each) => [
      (each?.oursMs ?? 0).toFixed(1),
      (each?.byHandMs ?? 0).toFixed(1),
      ((each?.oursMs ?? 0) / (each?.byHandMs ?? 1)).toFixed(2),
    ])
    const growth = (all.at(-1)?.oursMs ?? 0) / (all[0]?.oursMs ?? 1)
    return [what, ...cells, growth.toFixed(1)]
  })
  return [head, ...rows]
}
