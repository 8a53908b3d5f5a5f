import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { addPerson, listEvents } from "../../../test/support/persons.ts"
import type { JsonObject } from "../../lib/json.ts"

const app = useTestApp()

async function addOne(properties: JsonObject = {}) {
  const { owner, project } = await app.addOrganization()
  const person = await addPerson(app, project.id, { distinct_ids: ["ana", "bo"], properties })
  const list = `/api/projects/${project.id}/persons`
  const url = `${list}/${person.id}`
  return {
    ...{ owner, person, url, list },
    split: () => app.post(`${url}/split`, owner.key, { main_distinct_id: "bo" }),
    patch: (body: unknown) => app.patch(url, owner.key, body),
    properties: async () => (await app.get(url, owner.key)).body.properties,
    events: () => listEvents(app, project.id),
  }
}

describe("two writes at once", () => {
  test("to different keys both stay", async () => {
    const one = await addOne()
    const keys = Array.from({ length: 8 }, (_, index) => `key ${index}`)
    const answers = await Promise.all(
      keys.map((key) => one.patch({ properties: Object.fromEntries([[key, 1]]) })),
    )
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200))
    expect(Object.keys(await one.properties()).toSorted()).toEqual(keys)
    expect(await one.events()).toHaveLength(keys.length)
  })

  test("of which one deletes leave nothing, or a person without a trace of the other", async () => {
    for (let round = 0; round < 5; round++) {
      const one = await addOne()
      const [patched, removed] = await Promise.all([
        one.patch({ properties: { a: 1 } }),
        app.delete(one.url, one.owner.key),
      ])
      expect([200, 404]).toContain(patched.status)
      expect(removed.status).toBe(204)
      expect((await app.get(one.url, one.owner.key)).status).toBe(404)
      expect((await app.get(one.list, one.owner.key)).body.count).toBe(0)
    }
  })

  test("of which one splits leave every id with one person", async () => {
    for (let round = 0; round < 5; round++) {
      const one = await addOne({ plan: "free" })
      const answers = await Promise.all([
        one.patch({ properties: { a: 1 } }),
        one.split(),
        one.split(),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      const { body } = await app.get(one.list, one.owner.key)
      expect(body.count).toBe(2)
      const kept = body.results.find(({ id }: { id: number }) => id === one.person.id)
      expect(kept).toMatchObject({ distinct_ids: ["bo"], properties: { plan: "free", a: 1 } })
    }
  })
})
