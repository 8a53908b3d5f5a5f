import { availableParallelism } from "node:os"
import path from "node:path"
import { openDuckDb } from "../src/columnar/duckdb/engine.ts"
import type { PersonRow } from "../src/columnar/engine.ts"
import { readConfig } from "../src/config.ts"
import { systemClock } from "../src/lib/clock.ts"
import { openLogger } from "../src/lib/logger.ts"
import { firstUuid } from "../src/persons/ingest-store.ts"
import type { Db } from "../src/relational/db.ts"
import { openStores } from "../src/stores.ts"
import { ask } from "../test/support/instance.ts"
import type { Benchmark, Cell, Progress } from "./benchmark.ts"
import { makeFolder, type Platform, startPlatform } from "./platform.ts"
import { latenciesOf } from "./questions.ts"

const BATCH_SIZE = 50_000
const TIMES = 20
const TARGET_MS = 50
const FIRST_DAY = Date.UTC(2024, 0, 1)
const ONE_EVERY_MS = 60_000

/** As somebody who looks for a person would ask, of one project with very many. */
export const persons: Benchmark = {
  name: "persons",
  about: `Persons at 1 M persons over HTTP, ${TIMES} times each (target: ${TARGET_MS} ms). \`--persons N\` for other sizes.`,

  async run(progress, { persons: count }) {
    const { folder, remove } = await makeFolder()
    try {
      await (await startPlatform(folder)).stop()
      await fill(folder, count, progress)
      progress("asking")
      const platform = await startPlatform(folder)
      try {
        const rows = []
        for (const question of questions(count)) rows.push(await measure(platform, question))
        return [["what", "median ms", "p99", "max", "target", "notes"], ...rows]
      } finally {
        await platform.stop()
      }
    } finally {
      await remove()
    }
  },
}

interface Question {
  readonly what: string
  readonly query: (time: number) => string
}

/** Each time another person, so that no kept answer serves. */
function questions(count: number): readonly Question[] {
  const some = (time: number) => Math.floor((count / TIMES) * time)
  return [
    { what: "list", query: () => "" },
    { what: "list, page far in", query: (time) => `?offset=${some(time)}` },
    { what: "search, part of an e-mail", query: (time) => `?search=user_${some(time)}@` },
    { what: "search, found by many", query: (time) => `?search=USER_${time + 1}` },
    { what: "search, found by nobody", query: (time) => `?search=nobody-${time}` },
    { what: "search, a distinct id", query: (time) => `?search=id-${some(time)}` },
    { what: "email", query: (time) => `?email=user_${some(time)}@example.com` },
    { what: "distinct_id", query: (time) => `?distinct_id=id-${some(time)}` },
    { what: "property", query: (time) => `?properties=${filterOf(time)}` },
  ]
}

function filterOf(time: number): string {
  const filter = { type: "person", key: "plan", operator: "exact", value: [PLANS[time % 4] ?? ""] }
  return encodeURIComponent(JSON.stringify([filter]))
}

async function measure(platform: Platform, { what, query }: Question): Promise<Cell[]> {
  const times: number[] = []
  let found = ""
  for (let time = 0; time < TIMES; time++) {
    const { ms, status, text } = await ask(platform, `/api/projects/@current/persons${query(time)}`)
    if (status !== 200) return [what, "", "", "", TARGET_MS, `answered ${status}: ${text}`]
    times.push(ms)
    const { count, results } = JSON.parse(text) as { count: number; results: unknown[] }
    found = `${results.length} of ${count} shown`
  }
  const { p50Ms, p99Ms, maxMs } = latenciesOf(times)
  return [what, ...[p50Ms, p99Ms, maxMs].map((ms) => Math.round(ms * 10) / 10), TARGET_MS, found]
}

/** Straight into both stores, as ingestion leaves them. */
async function fill(folder: string, count: number, progress: Progress): Promise<void> {
  const config = readConfig({ HEDGEROW_DATA_DIR: path.join(folder, "data") })
  const logger = openLogger({ form: "json", level: "warn" })
  await using database = await openStores(config, { logger })
  await using columnar = await openDuckDb({
    ...{ folder: path.join(config.dataDir, "columnar"), memoryBytes: config.query.memoryBytes },
    ...{ threads: availableParallelism(), logger, clock: systemClock },
  })
  await columnar.migrate()
  const [project] = await database.db<{ id: number }[]>`select id from project limit 1`
  const none = { events: [], snapshots: [], groups: [], overrides: [], merged: [] }
  for (let first = 0; first < count; first += BATCH_SIZE) {
    progress(`${first} of ${count} persons`)
    const rows = personRows(project?.id ?? 0, first, Math.min(count, first + BATCH_SIZE))
    await insert(database.db, rows)
    const mark = { log_id: "bench", position: first + 1 }
    await columnar.append(await columnar.prepare({ ...none, persons: rows, mark }))
  }
  await database.db`select setval('person_id_seq', ${count}), setval('person_snapshot', ${count})`
  await database.db`analyze person, person_distinct_id`
}

const PLANS = ["free", "pro", "team", "enterprise"]

function personRows(projectId: number, first: number, end: number): PersonRow[] {
  return Array.from({ length: end - first }, (_, place) => {
    const number = first + place
    const created = new Date(FIRST_DAY + number * ONE_EVERY_MS)
    return {
      ...{ project_id: projectId, id: number + 1, uuid: firstUuid(projectId, `id-${number}`) },
      ...{ version: 1, snapshot_id: number + 1, is_identified: number % 3 === 0 },
      created_at: created.toISOString().replace("T", " ").replace("Z", "000"),
      properties: {
        email: `user_${number}@example.com`,
        plan: PLANS[number % PLANS.length] ?? "",
        $initial_referrer: "https://www.example.org/",
        $browser: "Chrome",
      },
    }
  })
}

async function insert(db: Db, rows: readonly PersonRow[]): Promise<void> {
  await db`
    insert into person (id, project_id, uuid, is_identified, created_at, snapshot_id, properties)
    select w.id, ${rows[0]?.project_id ?? 0}, w.uuid, w.is_identified::boolean, w.created_at, w.id,
           w.properties::json
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ uuid }) => uuid)}::uuid[],
                ${rows.map((row) => String(row.is_identified))}::text[],
                ${rows.map((row) => `${row.created_at}+00`)}::timestamptz[],
                ${rows.map((row) => JSON.stringify(row.properties))}::text[])
      w (id, uuid, is_identified, created_at, properties)`
  await db`
    insert into person_distinct_id (project_id, distinct_id, person_id)
    select ${rows[0]?.project_id ?? 0}, 'id-' || (id - 1), id
    from unnest(${rows.map(({ id }) => id)}::bigint[]) w (id)`
}
