/** Runs one query under its limits and hands its rows on in pages. */
import type { DuckDBConnection } from "@duckdb/node-api"
import { elapsedMs } from "../../lib/clock.ts"
import { invalid, unavailable } from "../../lib/errors.ts"
import type { QueryLimits, Row } from "../engine.ts"
import type { PropertyCatalogue } from "./catalogue.ts"
import { isInvalidated } from "./instance.ts"
import type { Store } from "./store.ts"
import { boundValue, plainValue } from "./values.ts"

export interface Question {
  readonly store: Store
  readonly catalogue: () => PropertyCatalogue
  readonly print: (catalogue: PropertyCatalogue) => Printed
}

interface Printed {
  readonly sql: string
  readonly params: readonly unknown[]
}

/** A bound on memory; `stream` needs none. */
const ROWS_MAX = 1_000_000

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

export async function* queryPages(
  question: Question,
  limits: QueryLimits,
): AsyncGenerator<readonly Row[]> {
  const startMs = elapsedMs()
  const lease = await question.store.lease()
  const watch = watchLimits(lease.connection, limits, startMs)
  let outcome: unknown = new Error("not read to the end")
  try {
    watch.check()
    const result = await startQuery(lease.connection, question)
    const names = result.deduplicatedColumnNames()
    for await (const rows of result.yieldRows()) {
      watch.check()
      yield rows.map((row) =>
        Object.fromEntries(row.map((value, index) => [names[index] ?? "", plainValue(value)])),
      )
    }
    watch.check()
    outcome = undefined
  } catch (error) {
    outcome = error
    watch.check()
    throw explained(error)
  } finally {
    watch.stop()
    lease.release(outcome)
  }
}

/**
 * A column that appeared between printing and running may already hold what the printed text looks for in the
 * rest. Nothing is written into a column before the catalogue names it, so the same catalogue before and after
 * the start means that the query sees no such row.
 */
async function startQuery(connection: DuckDBConnection, { catalogue, print }: Question) {
  for (;;) {
    const printedFor = catalogue()
    const { sql, params } = print(printedFor)
    const result = await connection.stream(sql, params.map(boundValue))
    if (catalogue() === printedFor) return result
  }
}

const EXPLANATION_LENGTH_MAX = 300

/** Errors of the engine that the asker's own values and types bring about, with what is said of them. */
const CALLERS_FAULTS: readonly (readonly [kinds: RegExp, code: string, tellsReason: boolean])[] = [
  [/^(Out of Range|Conversion|Invalid Input|Syntax) Error: (.*)$/, "illegal_value", true],
  [
    /^(Binder|Parser|Catalog|Parameter Not Resolved|Not implemented|INTERNAL|Mismatch Type) Error: (.*)$/i,
    "illegal_type_of_argument",
    false,
  ],
]

/** What the values of a query bring about (an overflow, say) and what its size does are no faults of ours. */
function explained(error: unknown): unknown {
  if (!(error instanceof Error) || isInvalidated(error)) return error
  const [first = ""] = error.message.split("\n")
  const line = first.replace(/^Failed to [a-z ]+: /i, "")
  if (line.startsWith("Out of Memory Error")) {
    return unavailable("the query needs more memory than it may take: ask for less at once")
  }
  for (const [kinds, code, tellsReason] of CALLERS_FAULTS) {
    const reason = kinds.exec(line)?.[2]
    if (reason === undefined) continue
    const detail = tellsReason
      ? `The query cannot be answered: ${reason.slice(0, EXPLANATION_LENGTH_MAX)}`
      : "A part of the query got a value of a type that it does not take."
    return invalid(detail, "query", code)
  }
  return error
}

const INTERRUPT_EVERY_MS = 20

/**
 * Interrupts the query when its time is up or its caller has gone; `check` says why. Again and again: an interrupt
 * that comes between two steps of a query (parsing, starting, the next rows) is forgotten.
 */
function watchLimits(
  connection: DuckDBConnection,
  { timeoutMs, signal }: QueryLimits,
  startMs: number,
) {
  let isLate = false
  let interrupts: NodeJS.Timeout | undefined
  const stopQuery = () => {
    connection.interrupt()
    interrupts ??= setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS)
  }
  const onLate = () => {
    isLate = true
    stopQuery()
  }
  const timer = setTimeout(onLate, Math.max(0, timeoutMs - (elapsedMs() - startMs)))
  signal?.addEventListener("abort", stopQuery)
  return {
    check() {
      signal?.throwIfAborted()
      if (isLate) throw unavailable(`the query took longer than the ${timeoutMs} ms it may take`)
    },
    stop() {
      clearTimeout(timer)
      clearInterval(interrupts)
      signal?.removeEventListener("abort", stopQuery)
    },
  }
}
