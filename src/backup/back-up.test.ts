import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { useTestApp } from "../../test/support/app.ts"
import { createTestDatabase } from "../../test/support/database.ts"
import { createColumnarChanges } from "../columnar/changes.ts"
import { openDuckDb } from "../columnar/duckdb/engine.ts"
import { systemClock } from "../lib/clock.ts"
import { openLogger } from "../lib/logger.ts"
import { asc, column, PERSONS, property, table } from "../query/build.ts"
import { openDatabase } from "../relational/db.ts"
import { backUp } from "./back-up.ts"
import { restore } from "./restore.ts"

const app = useTestApp()
const logger = openLogger({ form: "json", level: "error" })
const SLOW_START_MS = 500
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hedgerow-back-up-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function backUpTo(name: string) {
  const { database, columnar, config } = app.app.services
  const told: string[] = []
  const slow = {
    /** Time enough for a change to slip in between the stores, if it could. */
    async backup(to: string) {
      await sleep(SLOW_START_MS)
      await columnar.backup(to)
    },
  }
  const parts = { database, columnar: slow, ingest: app.app.ingest, dataDir: config.dataDir }
  return backUp(
    { ...parts, clock: systemClock, tell: told.push.bind(told) },
    path.join(folder, name),
  )
}

/** What both stores say of each person after a restore, once recorded changes are applied, as a start does. */
async function readBoth(name: string, projectId: number) {
  await using made = await createTestDatabase("empty")
  const dataDir = path.join(folder, `${name}-data`)
  const open = () => openDatabase(made.address, 2)
  const jobs: string[] = []
  await restore(
    {
      dataDir,
      openStores: async () => open(),
      enqueue: async (_database, kept) => void jobs.push(...kept.map((job) => job.name)),
      tell: () => {},
    },
    path.join(folder, name),
  )
  await using database = open()
  await using engine = await openDuckDb({
    ...{ folder: path.join(dataDir, "columnar"), memoryBytes: 256 * 1024 ** 2, threads: 2 },
    ...{ clock: systemClock, logger },
  })
  await createColumnarChanges({ database, engine, onApplied: () => {} }).flush()
  const copies = await engine.rows(
    {
      columns: [
        { as: "id", expr: column(PERSONS, "id") },
        { as: "version", expr: column(PERSONS, "version") },
        { as: "round", expr: property({ table: PERSONS, of: "person", key: "round" }) },
      ],
      from: table("persons", PERSONS, projectId),
      orderBy: [asc(column(PERSONS, "id"))],
    },
    { timeoutMs: 10_000 },
  )
  const persons = await database.db`
    select id, version, properties->>'round' as round from person
    where project_id = ${projectId} order by id`
  return { copies: [...copies], persons: [...persons], jobs, dataDir }
}

describe("a backup", () => {
  test("holds both stores as of one moment while persons change and go", async () => {
    const { project, owner } = await app.addOrganization()
    const names = Array.from({ length: 8 }, (_, index) => `person-${index}`)
    await app.capture(
      project,
      names.map((distinct_id) => ({ event: "seen", distinct_id })),
    )
    const url = `/api/projects/${project.id}/persons`
    const { body } = await app.get(url, owner.key)
    const uuids: string[] = body.results.map((person: { uuid: string }) => person.uuid)
    let isDone = false
    let changedCount = 0
    const changing = uuids.slice(0, 6).map(async (uuid, index) => {
      for (let round = 0; !isDone; round++) {
        const properties = { round: String(round) }
        const { status } = await app.patch(`${url}/${uuid}`, owner.key, { properties })
        if (status === 200) changedCount += 1
        if (index === 0)
          await app.capture(project, [{ event: "seen", distinct_id: `new-${round}` }])
      }
    })
    await expect.poll(() => changedCount, { timeout: 10_000 }).toBeGreaterThan(10)
    await backUpTo("moment")
    await app.delete(`${url}/${uuids[7]}`, owner.key)
    isDone = true
    await Promise.all(changing)
    const { copies, persons, dataDir } = await readBoth("moment", project.id)
    expect(persons.length).toBeGreaterThanOrEqual(names.length)
    expect(copies).toEqual(persons)
    expect((await readdir(dataDir)).sort()).toEqual(["columnar", "log", "secret-key"])
  })

  test("keeps the jobs that wait", async () => {
    const { database, jobs } = app.app.services
    await jobs.enqueue(database.db, "squash-overrides", {})
    await backUpTo("jobs")
    const { project } = await app.addOrganization()
    expect((await readBoth("jobs", project.id)).jobs).toContain("squash-overrides")
  })

  test("needs an empty folder outside of the data folder", async () => {
    await expect(backUpTo("..").catch(({ message }) => message)).resolves.toContain("is not empty")
    const { dataDir } = app.app.services.config
    const inside = path.relative(folder, path.join(dataDir, "copy"))
    await expect(backUpTo(inside)).rejects.toThrow("is inside the data folder")
  })
})
