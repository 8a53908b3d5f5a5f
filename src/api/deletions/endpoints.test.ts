/** Deferred deletion as a caller sees it: asked for, waiting, done, and what is left afterwards. */
import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { tasks } from "../../jobs/tasks/index.ts"
import type { TaskTools } from "../../jobs/tasks/tools.ts"
import { openLogger } from "../../lib/logger.ts"

const app = useTestApp()

const HOUR_MS = 60 * 60 * 1_000
const logger = openLogger({ form: "json", level: "error" })

/** As the queue does when it is time; these tasks send no mail. */
async function runTask(name: string): Promise<void> {
  const { database, columnar, clock } = app.app.services
  const tools = { database, columnar, clock, logger } as TaskTools
  await tasks.find((task) => task.name === name)?.run(tools, {} as never)
}

async function addSetting() {
  const { project, owner, id } = await app.addOrganization()
  const url = `/api/projects/${project.id}`
  return {
    ...{ project, owner, url, organizationId: id },
    deletions: async (query = "") => (await app.get(`${url}/deletions${query}`, owner.key)).body,
    events: async (query = "") => (await app.get(`${url}/events${query}`, owner.key)).body.results,
    capture: (distinct_id: string, ...names: string[]) =>
      app.capture(
        project,
        names.map((event) => ({ event, distinct_id })),
      ),
    async removePerson(distinct_id: string) {
      const found = await app.get(`${url}/persons?distinct_id=${distinct_id}`, owner.key)
      const [person] = found.body.results
      await app.delete(`${url}/persons/${person.id}?delete_events=true`, owner.key)
      return person
    },
  }
}

describe("deletions", () => {
  test("of persons wait until they are run, and say when they were", async () => {
    const { capture, removePerson, deletions, events, owner } = await addSetting()
    await capture("ana", "one", "two", "three")
    await capture("bo", "four")
    const person = await removePerson("ana")
    const [queued] = (await deletions()).results
    expect(queued).toMatchObject({ kind: "person", key: person.uuid, state: "queued" })
    expect(queued).toMatchObject({ finished_at: null, created_by: { email: owner.email } })
    expect(await events()).toHaveLength(4)
    expect(
      (await events()).filter((event: { person: unknown }) => event.person === "null"),
    ).toHaveLength(3)
    await runTask("delete-events")
    expect(await events()).toMatchObject([{ event: "four", distinct_id: "bo" }])
    const done = await deletions("?state=done")
    expect(done).toMatchObject({ count: 1, results: [{ id: queued.id, state: "done" }] })
    expect(done.results[0].finished_at).toBe("2026-03-02T10:00:00Z")
    expect(await deletions("?state=queued")).toMatchObject({ count: 0 })
  })

  test("leave what came after the request", async () => {
    const { capture, removePerson, events } = await addSetting()
    await capture("ana", "before")
    const person = await removePerson("ana")
    app.clock.advanceMs(HOUR_MS)
    await capture("ana", "after")
    await runTask("delete-events")
    const left = await events("?expand=person")
    expect(left).toMatchObject([{ event: "after", person: { distinct_ids: ["ana"] } }])
    expect(await events(`?person_id=${person.uuid}`)).toEqual([])
    app.clock.advanceMs(-HOUR_MS)
  })

  test("take the events of persons that were merged into the person", async () => {
    const { capture, project, removePerson, events } = await addSetting()
    await capture("anonymous-1", "before")
    const properties = { $anon_distinct_id: "anonymous-1" }
    await app.capture(project, [{ event: "$identify", distinct_id: "ana", properties }])
    await capture("ana", "later")
    expect(await events()).toHaveLength(3)
    await removePerson("ana")
    await runTask("squash-overrides")
    await runTask("delete-events")
    expect(await events()).toEqual([])
  })

  test("of a project take everything of it, and nothing of another one", async () => {
    const [gone, kept] = [await addSetting(), await addSetting()]
    await gone.capture("ana", "one")
    await kept.capture("ana", "one")
    expect((await app.delete(gone.url, gone.owner.key)).status).toBe(204)
    await runTask("delete-events")
    const countOf = async (table: string, id: number) =>
      (await app.db`select 1 from ${app.db(table)} where project_id = ${id}`).length
    for (const table of ["person", "person_distinct_id"]) {
      expect(await countOf(table, gone.project.id)).toBe(0)
      expect(await countOf(table, kept.project.id)).toBe(1)
    }
    expect(await kept.events()).toHaveLength(1)
    const [row] = await app.db`
      select finished_at from data_deletion where project_id = ${gone.project.id}`
    expect(row?.finished_at).not.toBeNull()
  })

  test("are listed newest first, and only to those who may read persons", async () => {
    const { capture, removePerson, deletions, owner, url } = await addSetting()
    await capture("ana", "one")
    await capture("bo", "one")
    const first = await removePerson("ana")
    app.clock.advanceMs(1_000)
    const second = await removePerson("bo")
    app.clock.advanceMs(-1_000)
    const { results } = await deletions()
    expect(results.map(({ key }: { key: string }) => key)).toEqual([second.uuid, first.uuid])
    const key = await app.addKey(owner.id, { scopes: ["query:read"] })
    const { status, body } = await app.get(`${url}/deletions`, key)
    expect([status, body.code]).toEqual([403, "permission_denied"])
    const wrong = await app.get(`${url}/deletions?state=lost`, owner.key)
    expect([wrong.status, wrong.body.code, wrong.body.attr]).toEqual([
      400,
      "invalid_choice",
      "state",
    ])
  })
})

test("the task that promotes properties runs on any store", async () => {
  const { project, events } = await addSetting()
  await app.capture(project, [{ event: "one", distinct_id: "ana", properties: { colour: "red" } }])
  await runTask("promote-properties")
  expect(JSON.parse((await events())[0].properties)).toMatchObject({ colour: "red" })
})
