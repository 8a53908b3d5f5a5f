/** Sample events put straight into a columnar store, with the persons they are of. */
import { availableParallelism } from "node:os"
import { DuckDBInstance } from "@duckdb/node-api"
import type { PropertyCatalogue } from "../src/columnar/duckdb/catalogue.ts"
import { openDuckDb } from "../src/columnar/duckdb/engine.ts"
import { findStoreFile } from "../src/columnar/duckdb/store-files.ts"
import type { ColumnarEngine, EventRow, OverrideRow } from "../src/columnar/engine.ts"
import type { DemoEvent } from "../src/demo/event.ts"
import { demoEvents } from "../src/demo/events.ts"
import { systemClock } from "../src/lib/clock.ts"
import { uuidV5 } from "../src/lib/ids.ts"
import { openLogger } from "../src/lib/logger.ts"
import type { Progress } from "./benchmark.ts"

const BATCH_SIZE = 25_000
const DAYS = 90
const NAMESPACE = "6a1f3f62-6d0b-4a4e-9f0e-0f6d0c1f2b3a"
export const PROJECT_ID = 1
export const END = new Date("2026-10-31T12:00:00Z")
/** Of the store while it is filled, and of every query later. */
export const MEMORY_BYTES = 512 * 1024 * 1024

/** So many are made and stored as ingestion does it; more are copies of them under other names. */
const MADE_MAX = 1_000_000

export async function fillStore(
  folder: string,
  count: number,
  progress: Progress,
): Promise<PropertyCatalogue> {
  const made = Math.min(count, MADE_MAX)
  const catalogue = await storeMade(folder, made, progress)
  if (count > made) await multiply(folder, Math.round(count / made), progress)
  return catalogue
}

async function storeMade(
  folder: string,
  count: number,
  progress: Progress,
): Promise<PropertyCatalogue> {
  const engine = await openDuckDb({
    folder,
    memoryBytes: 4 * MEMORY_BYTES,
    threads: availableParallelism(),
    logger: openLogger({ form: "json", level: "silent" }),
    clock: systemClock,
  })
  await engine.migrate()
  const people = new People()
  let position = 0
  for (const batch of batchesOf(count)) {
    position += batch.length
    await appendBatch(engine, people, { batch, position })
    if (position % (BATCH_SIZE * 40) === 0) progress(`${position} of ${count} events stored`)
  }
  progress("squashing, promoting, compacting")
  await engine.squashOverrides()
  await engine.promoteProperties()
  await engine.compact()
  const { catalogue } = engine
  await engine.close()
  return catalogue
}

/** Each event again for other persons at the same time, day by day, so that the order of time is kept. */
async function multiply(folder: string, copies: number, progress: Progress): Promise<void> {
  const file = await findStoreFile(folder)
  if (file === undefined) throw new Error("the store has no file")
  const instance = await DuckDBInstance.create(file, { preserve_insertion_order: "true" })
  const connection = await instance.connect()
  const other = (name: string) =>
    `CASE WHEN k = 0 THEN ${name} ELSE CAST(md5(CAST(${name} AS VARCHAR) || k) AS UUID) END AS ${name}`
  const names = `${other("uuid")}, ${other("person_id")}, distinct_id || '-' || k AS distinct_id`
  await connection.run("CREATE TABLE made AS FROM events ORDER BY timestamp; TRUNCATE events")
  const first = END.getTime() - (DAYS + 1) * DAY_MS
  for (let day = 0; day <= DAYS + 1; day++) {
    if (day % 30 === 0) progress(`copying day ${day} of ${DAYS} ${copies} times`)
    const [from, to] = [first + day * DAY_MS, first + (day + 1) * DAY_MS]
    await connection.run(
      `INSERT INTO events BY NAME SELECT made.* REPLACE (${names}) FROM made, range(${copies}) AS r (k)
        WHERE timestamp >= epoch_ms(${from}) AND timestamp < epoch_ms(${to}) ORDER BY timestamp`,
    )
  }
  await connection.run("DROP TABLE made")
  await connection.run(
    `INSERT INTO persons BY NAME SELECT persons.* REPLACE (id + k * 100000000 AS id, ${other("uuid")})
      FROM persons, range(1, ${copies}) AS r (k)`,
  )
  await connection.run("CHECKPOINT")
  connection.closeSync()
  instance.closeSync()
}

const DAY_MS = 24 * 60 * 60 * 1_000

function* batchesOf(count: number): Generator<readonly DemoEvent[]> {
  let batch: DemoEvent[] = []
  for (const event of demoEvents({ count, seed: "bench", end: END, days: DAYS })) {
    batch.push(event)
    if (batch.length < BATCH_SIZE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Who is who: an id is a person until it is identified as another. */
class People {
  readonly #known = new Map<string, string>()

  personOf(distinctId: string): { readonly uuid: string; readonly isNew: boolean } {
    const known = this.#known.get(distinctId)
    if (known !== undefined) return { uuid: known, isNew: false }
    const uuid = uuidV5(NAMESPACE, distinctId)
    this.#known.set(distinctId, uuid)
    return { uuid, isNew: true }
  }

  /** The person that has gone, if the two were not one. */
  merge(distinctId: string, anonymousId: string): OverrideRow | undefined {
    const person = this.personOf(distinctId).uuid
    const old = this.personOf(anonymousId).uuid
    if (old === person) return undefined
    this.#known.set(anonymousId, person)
    return { project_id: PROJECT_ID, old_person_id: old, person_id: person }
  }
}

async function appendBatch(
  engine: ColumnarEngine,
  people: People,
  { batch, position }: { batch: readonly DemoEvent[]; position: number },
): Promise<void> {
  const overrides: OverrideRow[] = []
  const persons = new Map<string, string>()
  const events = batch.map((event): EventRow => {
    const anonymousId = event.properties.$anon_distinct_id
    if (event.event === "$identify" && typeof anonymousId === "string") {
      const override = people.merge(event.distinct_id, anonymousId)
      if (override !== undefined) overrides.push(override)
    }
    const { uuid, isNew } = people.personOf(event.distinct_id)
    const timestamp = event.timestamp.replace("T", " ").replace("Z", "000")
    if (isNew) persons.set(uuid, timestamp)
    return {
      project_id: PROJECT_ID,
      uuid: event.uuid,
      event: event.event,
      timestamp,
      distinct_id: event.distinct_id,
      person_id: uuid,
      snapshot_id: null,
      received_at: timestamp,
      elements_chain: "",
      properties: event.properties,
    }
  })
  const prepared = await engine.prepare({
    events,
    persons: [...persons].map(([uuid, created_at], index) => ({
      ...{ project_id: PROJECT_ID, uuid, created_at, version: 1, is_identified: false },
      ...{ id: position * 10 + index, snapshot_id: position * 10 + index },
      properties: { plan: index % 3 === 0 ? "paid" : "free" },
    })),
    snapshots: [],
    groups: [],
    overrides,
    merged: overrides.map(({ project_id, old_person_id }) => ({ project_id, uuid: old_person_id })),
    mark: { log_id: "bench", position },
  })
  await engine.append(prepared)
}
