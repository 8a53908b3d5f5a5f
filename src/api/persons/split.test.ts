import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { addEvents, addPerson, listEvents } from "../../../test/support/persons.ts"
import { firstUuid } from "../../persons/ingest-store.ts"

const app = useTestApp()

async function addOne(distinct_ids: readonly string[]) {
  const { owner, project } = await app.addOrganization()
  const person = await addPerson(app, project.id, { distinct_ids, properties: { plan: "free" } })
  const list = `/api/projects/${project.id}/persons`
  const url = `${list}/${person.id}`
  return {
    ...{ owner, project, person, url, list },
    split: (body?: unknown) => app.post(`${url}/split`, owner.key, body),
    personOf: async (distinctId: string) =>
      (await app.get(`${list}?distinct_id=${distinctId}`, owner.key)).body.results[0],
  }
}

describe("split", () => {
  test("makes a person of every distinct id; the first one keeps the person, bare", async () => {
    const one = await addOne(["1", "2", "3"])
    const { status, body } = await one.split()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ id: one.person.id, uuid: one.person.uuid, success: true },
      ...{ distinct_ids: ["1"], properties: {} },
    })
    const { body: all } = await app.get(one.list, one.owner.key)
    expect(all.count).toBe(3)
    for (const distinctId of ["2", "3"]) {
      expect(await one.personOf(distinctId)).toMatchObject({
        ...{ distinct_ids: [distinctId], properties: {}, is_identified: false },
        ...{ uuid: firstUuid(one.project.id, distinctId), created_at: "2026-03-02T10:00:00Z" },
      })
    }
  })

  test("with a main distinct id leaves the person that and its properties", async () => {
    const one = await addOne(["1", "2", "3"])
    const { body } = await one.split({ main_distinct_id: "2" })
    expect(body).toMatchObject({
      ...{ id: one.person.id, distinct_ids: ["2"], properties: { plan: "free" } },
    })
    const first = await one.personOf("1")
    expect(first.properties).toEqual({})
    // Its first uuid is the person's own, so it gets another.
    expect(first.uuid).not.toBe(one.person.uuid)
    expect((await one.personOf("3")).uuid).toBe(firstUuid(one.project.id, "3"))
  })

  test("takes past events along with their distinct ids", async () => {
    const one = await addOne(["1", "2", "3"])
    await addEvents(app, one.person, ["1", "2", "2"])
    await one.split()
    const events = await listEvents(app, one.project.id)
    const second = await one.personOf("2")
    expect(events.map(({ distinct_id, person }) => [distinct_id, person])).toEqual([
      ["1", one.person.uuid],
      ["2", second.uuid],
      ["2", second.uuid],
    ])
  })

  test("is in the activity, with the ids of before", async () => {
    const one = await addOne(["1", "2"])
    await one.split()
    const { body } = await app.get(`${one.url}/activity`, one.owner.key)
    expect(body.results).toMatchObject([
      {
        activity: "split_person",
        detail: {
          name: one.person.uuid,
          changes: [
            {
              ...{ type: "Person", action: "split", field: null, before: null },
              after: { distinct_ids: ["1", "2"] },
            },
          ],
        },
      },
    ])
  })

  test("of a person with one distinct id changes nothing", async () => {
    const one = await addOne(["1"])
    const { status, body } = await one.split()
    expect([status, body.properties, body.success]).toEqual([200, { plan: "free" }, true])
    expect((await app.get(`${one.url}/activity`, one.owner.key)).body.count).toBe(0)
  })

  test.each([
    [{ main_distinct_id: "nobody" }, "does_not_exist"],
    [{ main_distinct_id: 5 }, "invalid_input"],
    [{ main_distinct_id: "" }, "does_not_exist"],
  ])("refuses %j", async (sent, code) => {
    const one = await addOne(["1", "2"])
    const { status, body } = await one.split(sent)
    expect([status, body.code, body.attr]).toEqual([400, code, "main_distinct_id"])
    expect((await app.get(one.list, one.owner.key)).body.count).toBe(1)
  })

  test("does not take an id of somebody else as main", async () => {
    const one = await addOne(["1", "2"])
    await addPerson(app, one.project.id, { distinct_ids: ["other"] })
    expect((await one.split({ main_distinct_id: "other" })).status).toBe(400)
  })

  test("of thousands of distinct ids is one write", { timeout: 60_000 }, async () => {
    const ids = Array.from({ length: 2_500 }, (_, index) => `id ${index}`)
    const one = await addOne(ids)
    expect((await one.split()).status).toBe(200)
    const { body } = await app.get(`${one.list}?limit=10000`, one.owner.key)
    expect(body.count).toBe(2_500)
    const seen = body.results.flatMap(
      ({ distinct_ids }: { distinct_ids: string[] }) => distinct_ids,
    )
    expect(seen.toSorted()).toEqual(ids.toSorted())
  })
})
