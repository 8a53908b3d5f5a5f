/**
 * The points of a timeline. Events name the person's state by a number; states that differ only in what does
 * not matter belong to the same point.
 */
import type { ColumnarEngine, ColumnarTime, QueryLimits } from "../../columnar/engine.ts"
import { invalid } from "../../lib/errors.ts"
import { parseExact } from "../../lib/exact-json.ts"
import type { JsonObject } from "../../lib/json.ts"
import { columnarTime } from "../../persons/person.ts"
import {
  aggregate,
  among,
  amongTexts,
  and,
  asc,
  column,
  EVENTS,
  gte,
  lte,
  properties,
  property,
  table,
  timestamp,
} from "../../query/build.ts"
import type { Expr, SelectColumn } from "../../query/tree.ts"
import type { TimeRange } from "./timeline-range.ts"
import type { TimelinePoint, TimelineQuery } from "./timeline-schema.ts"
import type { TimelineSubject } from "./timeline-subject.ts"

export interface TimelineParts {
  readonly columnar: Pick<ColumnarEngine, "rows" | "stream">
  readonly limits: QueryLimits
  readonly project_id: number
}

export interface TimelineWanted extends TimeRange, TimelineSubject {
  /** Which events are the person's. */
  readonly isOfPerson: Expr
}

/** Events in a row that saw the person in the same state. */
interface Run {
  readonly timestamp: string
  /** Null: no person was known then. */
  readonly snapshot_id: number | null
  event_count: number
}

const RUNS_MAX = 100_000
const SNAPSHOTS_PER_QUERY = 1_000
const SNAPSHOTS = "s"

export async function listPoints(
  parts: TimelineParts,
  wanted: TimelineWanted,
): Promise<TimelinePoint[]> {
  const runs = await listRuns(parts, wanted)
  const crucial = wanted.crucialKeys.map((key, index) => ({
    as: `k${index}`,
    expr: property({ table: SNAPSHOTS, of: "person", key }, "json"),
  }))
  const values = await readSnapshots(parts, { columns: crucial, runs }, (row) =>
    JSON.stringify(crucial.map(({ as }) => row[as] ?? null)),
  )
  const starts = joinRuns(runs, (id) => values.get(id ?? NO_SNAPSHOT))
  const whole = [{ as: "properties", expr: properties(SNAPSHOTS, "person") }]
  const states = await readSnapshots(parts, { columns: whole, runs: starts }, (row) =>
    String(row.properties),
  )
  return starts.map((run) => ({
    timestamp: run.timestamp,
    properties: parseExact(states.get(run.snapshot_id ?? NO_SNAPSHOT) ?? "{}") as JsonObject,
    relevant_event_count: run.event_count,
  }))
}

const NO_SNAPSHOT = -1

/** When the project's first event was, or now; undefined when another beginning was asked for. */
export async function findEarliest(
  { columnar, limits, project_id }: TimelineParts,
  { date_from }: Pick<TimelineQuery, "date_from">,
  now: Date,
): Promise<ColumnarTime | undefined> {
  if (date_from !== "all") return undefined
  const columns = [{ as: "earliest", expr: aggregate("min", column(EVENTS, "timestamp")) }]
  const from = table("events", EVENTS, project_id)
  const [row] = await columnar.rows({ columns, from }, limits)
  return columnarTime(typeof row?.earliest === "string" ? row.earliest : now.toISOString())
}

async function listRuns(parts: TimelineParts, wanted: TimelineWanted): Promise<Run[]> {
  const { columnar, limits, project_id } = parts
  const time = column(EVENTS, "timestamp")
  const { isOfPerson, eventNames } = wanted
  const names = eventNames === null ? [] : [amongTexts(column(EVENTS, "event"), eventNames)]
  const pages = columnar.stream(
    {
      columns: [
        { as: "timestamp", expr: time },
        { as: "snapshot_id", expr: column(EVENTS, "snapshot_id") },
      ],
      from: table("events", EVENTS, project_id),
      where: and(
        isOfPerson,
        ...[gte(time, timestamp(wanted.from)), lte(time, timestamp(wanted.to))],
        ...names,
      ),
      orderBy: [asc(time), asc(column(EVENTS, "uuid"))],
    },
    limits,
  )
  const runs: Run[] = []
  for await (const rows of pages) {
    for (const row of rows) {
      const snapshot_id = row.snapshot_id === null ? null : Number(row.snapshot_id)
      addToRuns(runs, { timestamp: String(row.timestamp), snapshot_id, event_count: 1 })
    }
  }
  return runs
}

function addToRuns(runs: Run[], event: Run): void {
  const last = runs.at(-1)
  if (last?.snapshot_id === event.snapshot_id) last.event_count += 1
  else if (runs.push(event) > RUNS_MAX) {
    throw invalid("The person changed too often for one timeline; ask for less time.", "date_from")
  }
}

/** Neighbours whose values are the same become one. */
function joinRuns(
  runs: readonly Run[],
  valuesOf: (id: number | null) => string | undefined,
): Run[] {
  const joined: Run[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    const isSame = last && valuesOf(last.snapshot_id) === valuesOf(run.snapshot_id)
    if (isSame) last.event_count += run.event_count
    else joined.push({ ...run })
  }
  return joined
}

/** What `shownAs` makes of each state that the runs name, by its number. */
async function readSnapshots(
  { columnar, limits, project_id }: TimelineParts,
  { columns, runs }: { columns: readonly SelectColumn[]; runs: readonly Run[] },
  shownAs: (row: Readonly<Record<string, unknown>>) => string,
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(runs.flatMap(({ snapshot_id }) => snapshot_id ?? []))]
  const id = column(SNAPSHOTS, "snapshot_id")
  const found = new Map<number, string>()
  for (let start = 0; start < ids.length; start += SNAPSHOTS_PER_QUERY) {
    const part = ids.slice(start, start + SNAPSHOTS_PER_QUERY)
    const rows = await columnar.rows(
      {
        columns: [{ as: "snapshot_id", expr: id }, ...columns],
        from: table("person_snapshots", SNAPSHOTS, project_id),
        where: among(
          id,
          part.map((value) => ({ type: "number", value })),
        ),
      },
      limits,
    )
    for (const row of rows) found.set(Number(row.snapshot_id), shownAs(row))
  }
  return found
}
