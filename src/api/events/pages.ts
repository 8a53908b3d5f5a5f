/**
 * Pages of events. First the keys (timestamp and uuid) of a page are found, which are small to sort; then whole
 * rows are read in parts between the keys, so that no more of them is held than a part.
 */
import type { Row } from "../../columnar/engine.ts"
import { parseExact } from "../../lib/exact-json.ts"
import type { JsonObject } from "../../lib/json.ts"
import { columnarTime as columnarTimeOf } from "../../persons/person.ts"
import {
  and,
  asc,
  column,
  desc,
  EVENTS,
  eq,
  eventsReading,
  eventsWithPersonIds,
  gt,
  gte,
  lt,
  lte,
  or,
  personOfEvent,
  properties,
  timestamp,
  uuid,
} from "../../query/build.ts"
import { columnarTime } from "../../query/dates.ts"
import type { Expr, Select } from "../../query/tree.ts"
import type { Db } from "../../relational/db.ts"
import type { EventPerson, EventSearch, StoredEvent } from "./rules.ts"
import type { Matching, Stores } from "./store.ts"

const ROWS_PER_PART = 2_000
const DAY_MS = 24 * 60 * 60 * 1_000

/** Where an event stands in a list. The timestamp is as the API sends it. */
export interface EventKey {
  readonly timestamp: string
  readonly uuid: string
}

const TIMESTAMP = column(EVENTS, "timestamp")
const UUID = column(EVENTS, "uuid")

/**
 * One more than the page has, where there are more. Most pages lie within a day of their beginning, so that day
 * alone is looked at first; the answer is the same.
 */
export async function listKeys(
  stores: Stores,
  matching: Matching,
  search: EventSearch,
): Promise<readonly EventKey[]> {
  const recent = recentStart(search)
  if (recent !== undefined) {
    const keys = await findKeys(stores, matching, { ...search, after: recent })
    if (keys.length > search.limit) return keys
  }
  return findKeys(stores, matching, search)
}

function recentStart({ isDescending, cursor, before, after }: EventSearch): string | undefined {
  if (!isDescending) return undefined
  const cursorTime = cursor === undefined ? before : columnarTimeOf(cursor.timestamp)
  const end = cursorTime < before ? cursorTime : before
  const start = columnarTime(Date.parse(`${end.replace(" ", "T")}Z`) - DAY_MS)
  return after === undefined || after < start ? start : undefined
}

async function findKeys({ columnar, limits }: Stores, matching: Matching, search: EventSearch) {
  const { from, joins } = matching
  const rows = await columnar.rows(
    {
      columns: [
        { as: "timestamp", expr: TIMESTAMP },
        { as: "uuid", expr: UUID },
      ],
      from,
      joins,
      where: and(matching.where, ...timeBounds(search)),
      orderBy: orderOf(search),
      limit: search.limit + 1,
      offset: search.offset,
    },
    limits,
  )
  return rows.map((row) => ({ timestamp: String(row.timestamp), uuid: String(row.uuid) }))
}

function timeBounds({ after, before, cursor, isDescending }: EventSearch): Expr[] {
  return [
    lt(TIMESTAMP, timestamp(before)),
    ...(after === undefined ? [] : [gt(TIMESTAMP, timestamp(after))]),
    ...(cursor === undefined ? [] : [isBehind(cursor, isDescending)]),
  ]
}

/** The bare bound on the time is said too: engines skip whole blocks by it. */
function isBehind(key: EventKey, isDescending: boolean): Expr {
  const moment = timestamp(columnarTimeOf(key.timestamp))
  const [beyond, notBefore] = isDescending ? [lt, lte] : [gt, gte]
  return and(
    notBefore(TIMESTAMP, moment),
    or(beyond(TIMESTAMP, moment), beyond(UUID, uuid(key.uuid))),
  )
}

function orderOf({ isDescending }: EventSearch) {
  return isDescending ? [desc(TIMESTAMP), desc(UUID)] : [asc(TIMESTAMP), asc(UUID)]
}

export interface EventRead {
  readonly event: StoredEvent
  readonly person: EventPerson | undefined
}

/** The rows of keys, in their order, in parts. */
export async function* readEvents(
  stores: Stores,
  { matching, search }: { matching: Matching; search: EventSearch },
  keys: readonly EventKey[],
): AsyncGenerator<readonly EventRead[]> {
  for (let start = 0; start < keys.length; start += ROWS_PER_PART) {
    const part = keys.slice(start, start + ROWS_PER_PART)
    const events = await readPart(stores, { matching, search }, part)
    const persons = await listEventPersons(stores.db, projectOf(matching), events)
    yield events.map((event) => ({ event, person: persons.get(event.person_id) }))
  }
}

/** What came in between the keys since they were found is left to whoever looks again. */
async function readPart(
  { columnar, limits }: Stores,
  { matching, search }: { matching: Matching; search: EventSearch },
  keys: readonly EventKey[],
): Promise<readonly StoredEvent[]> {
  const [first, last] = [keys[0], keys.at(-1)]
  if (first === undefined || last === undefined) return []
  const ends = search.isDescending ? [last, first] : [first, last]
  const rows = await columnar.rows(
    {
      columns: EVENT_COLUMNS,
      ...eventsReading(projectOf(matching), [personOfEvent, matching.where]),
      where: and(matching.where, isBetween(ends[0] ?? first, ends[1] ?? last)),
      orderBy: orderOf(search),
    },
    limits,
  )
  const wanted = new Set(keys.map((key) => key.uuid))
  return rows.map(storedEventOf).filter((event) => wanted.has(event.uuid))
}

const EVENT_COLUMNS: Select["columns"] = [
  ...["uuid", "event", "timestamp", "distinct_id", "elements_chain"].map((name) => ({
    as: name,
    expr: column(EVENTS, name),
  })),
  { as: "person_id", expr: personOfEvent },
  { as: "properties", expr: properties(EVENTS, "event") },
]

function storedEventOf(row: Row): StoredEvent {
  return row as unknown as StoredEvent
}

function projectOf({ from }: Matching): number {
  return from.project_id
}

function isBetween(earliest: EventKey, latest: EventKey): Expr {
  const from = timestamp(columnarTimeOf(earliest.timestamp))
  const to = timestamp(columnarTimeOf(latest.timestamp))
  return and(
    ...[gte(TIMESTAMP, from), lte(TIMESTAMP, to)],
    or(gt(TIMESTAMP, from), gte(UUID, uuid(earliest.uuid))),
    or(lt(TIMESTAMP, to), lte(UUID, uuid(latest.uuid))),
  )
}

export async function findEvent(
  { columnar, limits }: Stores,
  projectId: number,
  id: string,
): Promise<StoredEvent | undefined> {
  const source = eventsWithPersonIds(projectId)
  const where = eq(UUID, uuid(id))
  const [row] = await columnar.rows({ columns: EVENT_COLUMNS, ...source, where, limit: 1 }, limits)
  return row === undefined ? undefined : storedEventOf(row)
}

/** By uuid. PostgreSQL is the truth about persons, and finds a few by their ids faster than a column store. */
export async function listEventPersons(
  db: Db,
  projectId: number,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<string, EventPerson>> {
  const uuids = [...new Set(events.map(({ person_id }) => person_id))]
  const rows = await db<{ uuid: string; is_identified: boolean; properties: string }[]>`
    select uuid, is_identified, properties::text as properties from person
    where project_id = ${projectId} and uuid = any(${uuids}::uuid[])`
  return new Map(
    rows.map((row) => [row.uuid, { ...row, properties: parseExact(row.properties) as JsonObject }]),
  )
}
