import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { addEvents, addPerson, listEvents } from "../../../test/support/persons.ts"
import { newUuid } from "../../lib/ids.ts"
import { PersonCache } from "../../persons/cache.ts"
import { loadPersons } from "../../persons/ingest-store.ts"

const app = useTestApp()

async function addMany(...ids: readonly (readonly string[])[]) {
  const { owner, project } = await app.addOrganization()
  const persons = []
  for (const distinct_ids of ids) {
    persons.push(await addPerson(app, project.id, { distinct_ids, properties: { plan: "free" } }))
  }
  const list = `/api/projects/${project.id}/persons`
  return {
    ...{ owner, project, persons, list },
    url: `${list}/${persons[0]?.id}`,
    count: async () => (await app.get(list, owner.key)).body.count,
    bulk: (body: unknown, query = "") => app.post(`${list}/bulk_delete${query}`, owner.key, body),
    deletions: async () => {
      const rows = await app.db<{ key: string }[]>`
        select kind, key, created_by, finished_at from data_deletion
        where project_id = ${project.id} order by key`
      return rows.map((row) => ({ ...row }))
    },
    /** The uuid that the next event of this distinct id makes a person with. */
    nextUuid: async (distinctId: string) => {
      const wanted = [{ project_id: project.id, distinct_id: distinctId }]
      const loaded = await loadPersons(app.db, wanted, new PersonCache())
      return loaded.baseUuid(project.id, distinctId)
    },
  }
}

describe("a deleted person", () => {
  test("is gone at once, and a second time", async () => {
    const many = await addMany(["a", "b"], ["c"])
    const { status, text } = await app.delete(many.url, many.owner.key)
    expect([status, text]).toEqual([204, ""])
    expect((await app.get(many.url, many.owner.key)).status).toBe(404)
    expect((await app.delete(many.url, many.owner.key)).status).toBe(404)
    expect(await many.count()).toBe(1)
    expect((await app.get(`${many.list}?distinct_id=b`, many.owner.key)).body.count).toBe(0)
  })

  test("may be named by its UUID", async () => {
    const many = await addMany(["a"])
    const url = `${many.list}/${many.persons[0]?.uuid}`
    expect((await app.delete(url, many.owner.key)).status).toBe(204)
  })

  test("leaves its events, and nothing to delete them", async () => {
    const many = await addMany(["a"])
    const [person] = many.persons
    if (person !== undefined) await addEvents(app, person, ["a", "a", "a"])
    await app.delete(many.url, many.owner.key)
    expect(await listEvents(app, many.project.id)).toHaveLength(3)
    expect(await many.deletions()).toEqual([])
  })

  test("is in the activity of the project", async () => {
    const many = await addMany(["a"])
    await app.delete(many.url, many.owner.key)
    const { body } = await app.get(`${many.list}/activity`, many.owner.key)
    expect(body.results).toMatchObject([
      {
        activity: "deleted",
        item_id: String(many.persons[0]?.id),
        detail: { name: many.persons[0]?.uuid, changes: null },
      },
    ])
  })

  test("leaves its distinct ids to start over, each as somebody new", async () => {
    const many = await addMany(["a", "b"])
    const before = [await many.nextUuid("a"), await many.nextUuid("b")]
    await app.delete(many.url, many.owner.key)
    const after = [await many.nextUuid("a"), await many.nextUuid("b")]
    expect(new Set([...before, ...after]).size).toBe(4)
    expect(await many.nextUuid("never seen")).toBe(await many.nextUuid("never seen"))
    const again = await addPerson(app, many.project.id, { distinct_ids: ["b"] })
    expect((await app.get(`${many.list}?distinct_id=b`, many.owner.key)).body.results[0].id).toBe(
      again.id,
    )
  })

  test.each([
    ["true", 1],
    ["1", 1],
    ["false", 0],
    ["0", 0],
    ["", 0],
    ["yes", 0],
    ["true&delete_events=true", 0],
  ])("with delete_events=%s queues %i deletions of its events", async (value, count) => {
    const many = await addMany(["a"])
    const { status } = await app.delete(`${many.url}?delete_events=${value}`, many.owner.key)
    expect(status).toBe(204)
    const deletions = await many.deletions()
    expect(deletions).toHaveLength(count)
    if (count === 1) {
      expect(deletions[0]).toEqual({
        ...{ kind: "person", key: many.persons[0]?.uuid },
        ...{ created_by: many.owner.id, finished_at: null },
      })
    }
  })
})

describe("bulk_delete", () => {
  test("takes numbers, UUIDs and distinct ids, and skips who is not there", async () => {
    const many = await addMany(["a", "a2"], ["b"], ["c"], ["d"])
    const [a, b] = many.persons
    const ids = [a?.id, String(a?.id), b?.uuid, 999_999_999, newUuid(), "9".repeat(30)]
    const { status, body } = await many.bulk({ ids, distinct_ids: ["a2", "c", "nobody"] })
    expect([status, body]).toEqual([200, { success: true, persons_deleted: 3 }])
    const { body: left } = await app.get(many.list, many.owner.key)
    expect(left.results.map(({ name }: { name: string }) => name)).toEqual(["d"])
    const { body: activity } = await app.get(`${many.list}/activity`, many.owner.key)
    expect(activity.count).toBe(3)
    expect(await many.deletions()).toEqual([])
  })

  test.each([
    [{ delete_events: true }, ""],
    [{ delete_events: "1" }, ""],
    [{}, "?delete_events=true"],
  ])("with %j and %j queues the events of each", async (body, query) => {
    const many = await addMany(["a"], ["b"])
    await many.bulk({ distinct_ids: ["a", "b"], ...body }, query)
    expect(await many.deletions()).toHaveLength(2)
    expect(await many.count()).toBe(0)
  })

  test("never touches another project", async () => {
    const [here, there] = [await addMany(["same"]), await addMany(["same"])]
    const [theirs] = there.persons
    const sent = { ids: [theirs?.id, theirs?.uuid], distinct_ids: ["none"] }
    expect((await here.bulk(sent)).body.persons_deleted).toBe(0)
    expect((await here.bulk({ distinct_ids: ["same"] })).body.persons_deleted).toBe(1)
    expect(await there.count()).toBe(1)
  })

  test("of a thousand persons is one write", { timeout: 60_000 }, async () => {
    const many = await addMany(...Array.from({ length: 3 }, (_, index) => [`id ${index}`]))
    const distinct_ids = Array.from({ length: 1_000 }, (_, index) => `id ${index}`)
    expect((await many.bulk({ distinct_ids })).body.persons_deleted).toBe(3)
  })

  test.each([
    ["nobody", {}, "required", "ids"],
    ["null", { ids: null }, "required", "ids"],
    ["a text", { ids: "5" }, "not_a_list", "ids"],
    ["a name", { ids: ["ana"] }, "invalid_input", "ids__0"],
    ["a negative number", { ids: [1, -1] }, "invalid_input", "ids__1"],
    ["too many ids", { ids: Array.from({ length: 1_001 }, () => 1) }, "max_length", "ids"],
    [
      "too many distinct ids",
      { distinct_ids: Array.from({ length: 1_001 }, () => "x") },
      ...(["max_length", "distinct_ids"] as const),
    ],
    ["a number for a distinct id", { distinct_ids: [5] }, "invalid_input", "distinct_ids__0"],
  ])("refuses %s", async (_name, sent, code, attr) => {
    const many = await addMany(["a"])
    const { status, body } = await many.bulk(sent)
    expect([status, body.code, body.attr]).toEqual([400, code, attr])
    expect(await many.count()).toBe(1)
  })

  test("at once with itself deletes everybody once", async () => {
    const names = ["a", "b", "c", "d"]
    const many = await addMany(...names.map((name) => [name]))
    const answers = await Promise.all([
      many.bulk({ distinct_ids: names }),
      many.bulk({ distinct_ids: names.toReversed() }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const counts = answers.map(({ body }) => body.persons_deleted)
    expect(counts[0] + counts[1]).toBe(4)
    expect(await many.count()).toBe(0)
  })
})

describe("delete_events", () => {
  test("queues the deletion once, and keeps the person", async () => {
    const many = await addMany(["a"])
    for (let round = 0; round < 2; round++) {
      const { status, body } = await app.post(`${many.url}/delete_events`, many.owner.key)
      expect([status, body.success, body.id]).toEqual([200, true, many.persons[0]?.id])
    }
    expect(await many.deletions()).toHaveLength(1)
    expect(await many.count()).toBe(1)
  })

  test("once it ran is a new request", async () => {
    const many = await addMany(["a"])
    await app.post(`${many.url}/delete_events`, many.owner.key)
    await app.db`update data_deletion set finished_at = now() where project_id = ${many.project.id}`
    await app.post(`${many.url}/delete_events`, many.owner.key)
    expect(await many.deletions()).toMatchObject([{ finished_at: null }])
  })
})

describe("reset_person_distinct_id", () => {
  test("answers, because every distinct id can be used", async () => {
    const many = await addMany(["a"])
    const url = `${many.list}/reset_person_distinct_id`
    const { status, body } = await app.post(url, many.owner.key, { distinct_id: "a" })
    expect([status, body]).toEqual([202, { success: true }])
    const { status: refused, body: why } = await app.post(url, many.owner.key, {})
    expect([refused, why.code, why.attr]).toEqual([400, "required", "distinct_id"])
  })
})
