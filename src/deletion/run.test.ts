import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openTestDatabase } from "../../test/support/database.ts"
import type { EventDeletion } from "../columnar/engine.ts"
import { FixedClock } from "../lib/clock.ts"
import { newUuid } from "../lib/ids.ts"
import { openLogger } from "../lib/logger.ts"
import type { Database } from "../relational/db.ts"
import { runDeletions } from "./run.ts"

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const logger = openLogger({ form: "json", level: "error" })
const clock = new FixedClock("2026-03-08T05:00:00Z")
let lastProjectId = 0

/** Writes down what it is asked for, and can fail. */
function columnarLog() {
  const steps: string[] = []
  const deletions: EventDeletion[] = []
  return {
    steps,
    deletions,
    failing: false,
    async deleteEvents(asked: readonly EventDeletion[]) {
      steps.push("delete")
      deletions.push(...asked)
      return asked.length
    },
    async compact() {
      steps.push("compact")
      if (this.failing) throw new Error("no space left")
    },
  }
}

async function queue(kind: "person" | "project", projectId: number, key: string) {
  const id = newUuid()
  await database.db`
    insert into data_deletion (id, kind, project_id, key, created_at)
    values (${id}, ${kind}, ${projectId}, ${key}, ${"2026-03-02T10:00:00.123456Z"})`
  return id
}

async function addPerson(projectId: number) {
  const uuid = newUuid()
  await database.db`
    with added as (
      insert into person (project_id, uuid, properties, is_identified, created_at, snapshot_id)
      values (${projectId}, ${uuid}, '{}', false, now(), 1) returning id)
    insert into person_distinct_id (project_id, distinct_id, person_id)
    select ${projectId}, ${uuid}, id from added`
  return uuid
}

async function countOf(table: string, projectId: number): Promise<number> {
  const { db } = database
  const [row] = await db<{ count: number }[]>`
    select count(*) from ${db(table)} where project_id = ${projectId}`
  return row?.count ?? 0
}

async function stateOf(id: string) {
  const [row] = await database.db`select finished_at from data_deletion where id = ${id}`
  return row?.finished_at
}

const run = (columnar = columnarLog()) => runDeletions({ database, columnar, clock, logger })

describe("a run of deferred deletion", () => {
  test("deletes a person's events up to the request, compacts, and then says so", async () => {
    const projectId = ++lastProjectId
    const uuid = newUuid()
    const id = await queue("person", projectId, uuid)
    const columnar = columnarLog()
    expect(await run(columnar)).toEqual({ requestCount: 1, eventCount: 1 })
    expect(columnar.steps).toEqual(["delete", "compact"])
    const until = "2026-03-02 10:00:00.123456"
    expect(columnar.deletions).toEqual([{ project_id: projectId, person_id: uuid, until }])
    expect(await stateOf(id)).toBe("2026-03-08T05:00:00Z")
  })

  test("does nothing, and rewrites nothing, when nothing waits", async () => {
    const columnar = columnarLog()
    expect(await run(columnar)).toEqual({ requestCount: 0, eventCount: 0 })
    expect(columnar.steps).toEqual([])
  })

  test("removes all that a deleted project has, and nothing of another one", async () => {
    const [gone, kept] = [++lastProjectId, ++lastProjectId]
    for (const projectId of [gone, kept]) {
      await addPerson(projectId)
      await database.db`insert into person_tombstone values (${projectId}, ${newUuid()}, ${newUuid()}, now())`
      await database.db`insert into group_type values (${projectId}, 0, 'company')`
      await database.db`insert into group_profile values (${projectId}, 0, 'acme', '{}', now())`
      await database.db`
        insert into ingestion_warning (project_id, type, details, created_at)
        values (${projectId}, 'one', '{}', now())`
    }
    await queue("project", gone, String(gone))
    const columnar = columnarLog()
    await run(columnar)
    expect(columnar.deletions).toMatchObject([{ project_id: gone }])
    const tables = ["person", "person_distinct_id", "person_tombstone", "group_type"]
    for (const table of [...tables, "group_profile", "ingestion_warning"]) {
      expect([table, await countOf(table, gone), await countOf(table, kept)]).toEqual([table, 0, 1])
    }
  })

  test("that fails leaves its requests for the next one", async () => {
    const id = await queue("person", ++lastProjectId, newUuid())
    await expect(run({ ...columnarLog(), failing: true })).rejects.toThrow("no space left")
    expect(await stateOf(id)).toBeNull()
    expect(await run()).toMatchObject({ requestCount: 1 })
    expect(await stateOf(id)).not.toBeNull()
  })

  test("waits for another one, which may have done all there was", async () => {
    await queue("person", ++lastProjectId, newUuid())
    const columnar = columnarLog()
    const summaries = await Promise.all([run(columnar), run(columnar)])
    expect(summaries.map(({ requestCount }) => requestCount).sort()).toEqual([0, 1])
    expect(columnar.steps).toEqual(["delete", "compact"])
  })

  test("leaves in the activity log that a person was changed, not what was written", async () => {
    const projectId = ++lastProjectId
    const uuid = newUuid()
    const add = (activity: string, item: string, detail: object) => database.db`
      insert into activity_log (id, project_id, activity, scope, item_id, detail, created_at)
      values (${newUuid()}, ${projectId}, ${activity}, 'Person', ${item},
              ${database.db.json(detail as never)}, now())`
    const changes = [{ field: "email", before: "ana@example.com", after: null }]
    await add("updated", "17", { name: "ana@example.com", changes, trigger: null })
    await add("updated", "18", { name: "bo@example.com", changes: null, trigger: null })
    await add("deleted", "17", { name: uuid, changes: null, trigger: null })
    await queue("person", projectId, uuid)
    await run()
    const rows = await database.db`
      select item_id, detail from activity_log where project_id = ${projectId} order by id`
    expect(rows).toEqual([
      { item_id: "17", detail: { name: uuid, changes: null, trigger: null } },
      { item_id: "18", detail: { name: "bo@example.com", changes: null, trigger: null } },
      { item_id: "17", detail: { name: uuid, changes: null, trigger: null } },
    ])
  })

  test("removes the warnings that the project had until then", async () => {
    const projectId = ++lastProjectId
    for (const time of ["2026-03-01T00:00:00Z", "2026-03-03T00:00:00Z"]) {
      await database.db`
        insert into ingestion_warning (project_id, type, details, created_at)
        values (${projectId}, 'one', '{"distinct_id": "ana"}', ${time})`
    }
    await queue("person", projectId, newUuid())
    await run()
    expect(await countOf("ingestion_warning", projectId)).toBe(1)
  })
})
