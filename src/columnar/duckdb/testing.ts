/** A store in a folder of its own, and rows with what a test does not care about filled in. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { FixedClock } from "../../lib/clock.ts"
import { parseExact } from "../../lib/exact-json.ts"
import type { JsonObject } from "../../lib/json.ts"
import { openLogger } from "../../lib/logger.ts"
import type { Expr, Select } from "../../query/tree.ts"
import type { ColumnarBatch, ColumnarEngine, EventRow, PersonRow, SnapshotRow } from "../engine.ts"
import { openDuckDb } from "./engine.ts"

const MEMORY_BYTES = 512 * 1024 * 1024
export const LIMITS = { timeoutMs: 20_000 }

export async function openFolder(): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "hedgerow-duckdb-"))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

export async function openEngine(folder: string) {
  const engine = await openDuckDb({
    folder,
    memoryBytes: MEMORY_BYTES,
    threads: 2,
    logger: openLogger({ form: "json", level: "silent" }),
    clock: new FixedClock("2026-02-01T00:00:00Z"),
  })
  await engine.migrate()
  return engine
}

/** A short number as a UUID. */
export function uuidOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`
}

export function eventOf(number: number, more: Partial<EventRow> = {}): EventRow {
  return {
    project_id: 1,
    uuid: uuidOf(number),
    event: "view",
    timestamp: "2026-01-02 03:04:05.678901",
    distinct_id: "ana",
    person_id: uuidOf(901),
    snapshot_id: null,
    received_at: "2026-01-02 03:04:06",
    elements_chain: "",
    properties: {},
    ...more,
  }
}

export function personOf(number: number, more: Partial<PersonRow> = {}): PersonRow {
  return {
    project_id: 1,
    id: number,
    uuid: uuidOf(number),
    version: 1,
    snapshot_id: number,
    is_identified: false,
    created_at: "2026-01-01 00:00:00",
    properties: {},
    ...more,
  }
}

export function snapshotOf(number: number, more: Partial<SnapshotRow> = {}): SnapshotRow {
  return {
    project_id: 1,
    snapshot_id: number,
    person_id: uuidOf(901),
    properties: {},
    ...more,
  }
}

export async function append(
  engine: ColumnarEngine,
  position: number,
  rows: Partial<ColumnarBatch>,
): Promise<void> {
  await engine.append(await engine.prepare(batchOf(position, rows)))
}

export function batchOf(position: number, rows: Partial<ColumnarBatch>): ColumnarBatch {
  const empty = { events: [], persons: [], snapshots: [], groups: [], overrides: [], merged: [] }
  return { ...empty, mark: { log_id: "log", position }, ...rows }
}

export function columnOf(table: string, column: string): Expr {
  return { kind: "column", table, column }
}

const EVENTS = { kind: "table", table: "events", alias: "e", project_id: 1 } as const

export const ALL_EVENTS: Select = {
  columns: [
    { as: "uuid", expr: columnOf("e", "uuid") },
    { as: "properties", expr: { kind: "properties", table: "e", of: "event" } },
  ],
  from: EVENTS,
}

const eventsAs = (alias: string) =>
  ({ kind: "table", table: "events", alias, project_id: 1 }) as const

/** Takes long with a few thousand events. */
export const SLOW_QUERY: Select = {
  columns: [
    { as: "n", expr: { kind: "aggregate", name: "countDistinct", args: [columnOf("b", "uuid")] } },
  ],
  from: eventsAs("a"),
  joins: ["b", "c"].map((alias) => ({
    kind: "inner",
    source: eventsAs(alias),
    on: { kind: "not", operand: { kind: "isNull", operand: columnOf(alias, "uuid") } },
  })),
}

/** Properties of all events by uuid. */
export async function readProperties(engine: ColumnarEngine): Promise<Map<string, JsonObject>> {
  const rows = await engine.rows(ALL_EVENTS, LIMITS)
  return new Map(
    rows.map(({ uuid, properties }) => [
      String(uuid),
      parseExact(String(properties)) as JsonObject,
    ]),
  )
}

/** uuid of each event with its person, overrides followed. */
export async function readOwners(engine: ColumnarEngine): Promise<Record<string, unknown>> {
  const rows = await engine.rows(
    {
      columns: [
        { as: "uuid", expr: columnOf("e", "uuid") },
        {
          as: "person",
          expr: {
            kind: "call",
            name: "coalesce",
            args: [columnOf("o", "person_id"), columnOf("e", "person_id")],
          },
        },
      ],
      from: EVENTS,
      joins: [
        {
          kind: "left",
          source: { kind: "table", table: "overrides", alias: "o", project_id: 1 },
          on: {
            kind: "compare",
            operator: "=",
            left: columnOf("o", "old_person_id"),
            right: columnOf("e", "person_id"),
          },
        },
      ],
    },
    LIMITS,
  )
  return Object.fromEntries(rows.map(({ uuid, person }) => [String(uuid), person]))
}

/** All rows of a table with some of its columns. */
export function readTable(
  engine: ColumnarEngine,
  table: "persons" | "person_snapshots" | "groups" | "overrides",
  names: readonly string[],
) {
  const columns = names.map((name) => ({ as: name, expr: columnOf("t", name) }))
  const orderBy = columns.map(({ expr }) => ({ expr, direction: "asc", nulls: "last" }) as const)
  const from = { kind: "table", table, alias: "t", project_id: 1 } as const
  return engine.rows({ columns, from, orderBy }, LIMITS)
}
