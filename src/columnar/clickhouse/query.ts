/** Runs one query under its limits and hands its rows on in pages. */
import type { ClickHouseSettings } from "@clickhouse/client"
import { elapsedMs } from "../../lib/clock.ts"
import { invalid } from "../../lib/errors.ts"
import { newUuid } from "../../lib/ids.ts"
import type { QueryLimits, Row } from "../engine.ts"
import type { Connection } from "./connection.ts"
import type { PrintedQuery } from "./printer.ts"
import { explained, isPatternRefused, late } from "./query-errors.ts"
import { sqlText } from "./sql-text.ts"
import { type ReadValue, readerOf } from "./values.ts"

export interface Question {
  readonly connection: Connection
  readonly memoryBytes: number
  readonly printed: PrintedQuery
  /** Without the patterns that the engine refused. */
  readonly reprint?: (refused: ReadonlySet<string>) => PrintedQuery
}

/** A bound on memory; `stream` needs none. */
const ROWS_MAX = 1_000_000
const QUERY_BYTES_MAX = 16 * 1024 * 1024
/** Deep enough for the trees that the language lets through. */
const EXPRESSION_DEPTH_MAX = 10_000

export async function queryRows(question: Question, limits: QueryLimits): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const page of queryPages(question, limits)) {
    if (rows.length + page.length > ROWS_MAX) {
      throw invalid(`the query answers more than ${ROWS_MAX} rows`)
    }
    for (const row of page) rows.push(row)
  }
  return rows
}

/** A query that writes what it finds. */
export async function runQuery(question: Question, limits: QueryLimits): Promise<void> {
  const { connection, printed } = question
  const watch = watchLimits(limits)
  const { readonly: _, ...settings } = settingsOf(question, limits)
  try {
    watch.check()
    await connection.client.command({
      query: printed.sql,
      query_params: paramsOf(printed),
      abort_signal: watch.signal,
      clickhouse_settings: settings,
    })
  } catch (error) {
    watch.check()
    throw explained(error, limits)
  } finally {
    watch.stop()
  }
}

const paramsOf = ({ params }: PrintedQuery) =>
  Object.fromEntries(params.map((value, index) => [`p${index + 1}`, value]))

export async function* queryPages(
  question: Question,
  limits: QueryLimits,
): AsyncGenerator<readonly Row[]> {
  const { connection, printed } = question
  const queryId = newUuid()
  const watch = watchLimits(limits)
  let isOver = false
  try {
    watch.check()
    const result = await connection.client.query({
      query: printed.sql,
      query_params: paramsOf(printed),
      format: "JSONCompactEachRowWithNamesAndTypes",
      query_id: queryId,
      abort_signal: watch.signal,
      clickhouse_settings: settingsOf(question, limits),
    })
    const page = createPageReader(printed.columns.map(({ name }) => name))
    for await (const lines of result.stream()) {
      watch.check()
      const rows = page(lines.map((line) => line.json<unknown[]>()))
      if (rows.length > 0) yield rows
    }
    isOver = true
    watch.check()
  } catch (error) {
    watch.check()
    const again = await findOther(question, error)
    if (again === undefined) throw explained(error, limits)
    isOver = true
    yield* queryPages(again, limits)
  } finally {
    watch.stop()
    if (!isOver) await cancel(connection, queryId)
  }
}

/** A pattern is refused before any row comes. What is none makes null, so the others are asked about again. */
async function findOther(question: Question, error: unknown): Promise<Question | undefined> {
  const { connection, printed, reprint } = question
  if (reprint === undefined || !isPatternRefused(error)) return undefined
  const refused = new Set<string>()
  for (const pattern of printed.doubtful) {
    const asked = { query: "SELECT match('', {p1:String})", query_params: { p1: pattern } }
    await connection.client.query(asked).catch(() => refused.add(pattern))
  }
  const { reprint: _, ...once } = question
  return refused.size === 0 ? undefined : { ...once, printed: reprint(refused) }
}

/** The rules under which both engines answer the same, and the limits of one query. */
function settingsOf(
  { memoryBytes }: Pick<Question, "memoryBytes">,
  { timeoutMs }: QueryLimits,
): ClickHouseSettings {
  return {
    readonly: "2",
    max_execution_time: Math.max(1, Math.ceil(timeoutMs / 1_000)),
    max_memory_usage: String(memoryBytes),
    ...ANSWER_SETTINGS,
  }
}

const ANSWER_SETTINGS = {
  max_query_size: String(QUERY_BYTES_MAX),
  max_ast_depth: String(EXPRESSION_DEPTH_MAX),
  max_parser_depth: String(EXPRESSION_DEPTH_MAX),
  join_use_nulls: 1,
  transform_null_in: 0,
  aggregate_functions_null_for_empty: 0,
  enable_positional_arguments: 0,
  precise_float_parsing: 1,
  allow_simdjson: 0,
  enable_extended_results_for_datetime_functions: 1,
  enable_unaligned_array_join: 1,
  date_time_output_format: "simple",
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 1,
  output_format_json_escape_forward_slashes: 0,
  cancel_http_readonly_queries_on_client_close: 1,
} as const satisfies ClickHouseSettings

/** The first two lines are the columns' names and types. */
function createPageReader(names: readonly string[]): (lines: readonly unknown[][]) => Row[] {
  let lineCount = 0
  let readers: readonly ReadValue[] = []
  return (lines) => {
    const rows: Row[] = []
    for (const line of lines) {
      lineCount += 1
      if (lineCount === 2) readers = line.map((type) => readerOf(String(type)))
      if (lineCount <= 2) continue
      rows.push(
        Object.fromEntries(line.map((value, index) => [names[index], readers[index]?.(value)])),
      )
    }
    return rows
  }
}

/** Ends the request when its time is up or its caller has gone; `check` says why. */
function watchLimits({ timeoutMs, signal }: QueryLimits) {
  const startMs = elapsedMs()
  const stopping = new AbortController()
  const stopQuery = () => stopping.abort()
  const timer = setTimeout(stopQuery, timeoutMs)
  signal?.addEventListener("abort", stopQuery)
  return {
    signal: stopping.signal,
    check() {
      signal?.throwIfAborted()
      if (stopping.signal.aborted || elapsedMs() - startMs > timeoutMs) throw late(timeoutMs)
    },
    stop() {
      clearTimeout(timer)
      signal?.removeEventListener("abort", stopQuery)
    },
  }
}

/** The server notices a closed connection late; told by the query's id it stops at once. */
async function cancel(connection: Connection, queryId: string): Promise<void> {
  const sql = `KILL QUERY WHERE query_id = ${sqlText(queryId)} ASYNC`
  // Who cannot be told stops by its own limit of time.
  await connection.run(sql).catch(() => {})
}
