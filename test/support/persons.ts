/** Persons and events put into both stores at once, as ingestion leaves them. */
import type { EventRow } from "../../src/columnar/engine.ts"
import { stringifyExact } from "../../src/lib/exact-json.ts"
import { newUuid } from "../../src/lib/ids.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { firstUuid } from "../../src/persons/ingest-store.ts"
import { columnarTime, type Person, stateOf } from "../../src/persons/person.ts"
import { findPerson } from "../../src/persons/store.ts"
import {
  asc,
  column,
  EVENTS,
  eventsWithPersonIds,
  personOfEvent,
  properties,
} from "../../src/query/build.ts"
import type { TestApp } from "./app.ts"

const QUERY_LIMITS = { timeoutMs: 10_000 }

export interface PersonDraft {
  readonly distinct_ids: readonly string[]
  readonly properties?: JsonObject
  readonly created_at?: string
  readonly is_identified?: boolean
}

export async function addPerson(
  app: TestApp,
  projectId: number,
  draft: PersonDraft,
): Promise<Person> {
  const { database, columnarChanges } = app.app.services
  const [first = ""] = draft.distinct_ids
  const person = await database.transaction(async (db) => {
    const uuid = firstUuid(projectId, first)
    const [row] = await db<{ id: number }[]>`
      insert into person (project_id, uuid, properties, is_identified, created_at, snapshot_id)
      values (${projectId}, ${uuid}, ${stringifyExact(draft.properties ?? {})}::text::json,
              ${draft.is_identified ?? false}, ${draft.created_at ?? app.clock.now()},
              nextval('person_snapshot'))
      returning id`
    await db`
      insert into person_distinct_id (project_id, distinct_id, person_id)
      select ${projectId}, w.distinct_id, ${row?.id ?? 0}
      from unnest(${[...draft.distinct_ids]}::text[]) with ordinality w (distinct_id, place)
      order by w.place`
    const made = await findPerson(db, projectId, { uuid })
    if (made === undefined) throw new Error("the person was not made")
    await columnarChanges.record(db, stateOf(made))
    return made
  })
  await columnarChanges.flush()
  return person
}

/** One event for each distinct id, in the person's present state. */
export async function addEvents(
  app: TestApp,
  person: Person,
  distinctIds: readonly string[],
): Promise<void> {
  const { database, columnarChanges } = app.app.services
  const timestamp = columnarTime(app.clock.now().toISOString())
  const events = distinctIds.map(
    (distinct_id): EventRow => ({
      ...{ project_id: person.project_id, uuid: newUuid(), event: "seen", timestamp, distinct_id },
      ...{ person_id: person.uuid, snapshot_id: person.snapshot_id, received_at: timestamp },
      ...{ elements_chain: "", properties: {} },
    }),
  )
  await columnarChanges.record(database.db, { events })
  await columnarChanges.flush()
}

export interface SeenEvent {
  readonly event: string
  readonly distinct_id: string
  /** Whom it belongs to now. */
  readonly person: string
  readonly properties: unknown
}

export async function listEvents(app: TestApp, projectId: number): Promise<SeenEvent[]> {
  const rows = await app.app.services.columnar.rows(
    {
      ...eventsWithPersonIds(projectId),
      columns: [
        { as: "event", expr: column(EVENTS, "event") },
        { as: "distinct_id", expr: column(EVENTS, "distinct_id") },
        { as: "person", expr: personOfEvent },
        { as: "properties", expr: properties(EVENTS, "event") },
      ],
      orderBy: [asc(column(EVENTS, "timestamp")), asc(column(EVENTS, "distinct_id"))],
    },
    QUERY_LIMITS,
  )
  return rows.map((row) => ({
    event: String(row.event),
    distinct_id: String(row.distinct_id),
    person: String(row.person),
    properties: JSON.parse(String(row.properties)) as unknown,
  }))
}
