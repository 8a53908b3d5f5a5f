import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { addPerson } from "../../../test/support/persons.ts"
import type { JsonObject } from "../../lib/json.ts"

const app = useTestApp()

async function addPersons(...properties: readonly JsonObject[]) {
  const { owner, project } = await app.addOrganization()
  for (const [index, each] of properties.entries()) {
    await addPerson(app, project.id, { distinct_ids: [`p${index}`], properties: each })
  }
  const url = `/api/projects/${project.id}/persons/values`
  return { get: (query: string) => app.get(`${url}${query}`, owner.key), url }
}

describe("values of a property", () => {
  test("come with how many persons have them, most frequent first", async () => {
    const { get } = await addPersons(
      ...[{ random_prop: "asdf" }, { random_prop: "asdf" }, { random_prop: "qwerty" }],
      { something_else: "qwerty" },
    )
    const { status, body } = await get("?key=random_prop")
    expect(status).toBe(200)
    expect(body).toEqual({
      ...{ count: 2, next: null, previous: null },
      results: [
        { name: "asdf", count: 2 },
        { name: "qwerty", count: 1 },
      ],
    })
    expect((await get("?key=random_prop&value=QW")).body.results).toEqual([
      { name: "qwerty", count: 1 },
    ])
  })

  test("are texts, whatever they were; empty ones and null are none", async () => {
    const { get } = await addPersons(
      ...[{ v: true }, { v: 7 }, { v: "" }, { v: null }, { v: { a: 1 } }, { v: ["x"] }],
    )
    const { body } = await get("?key=v")
    expect(body.results.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      ...["7", '["x"]', "true", '{"a":1}'],
    ])
  })

  test("are twenty at most, and can be paged", async () => {
    const { get } = await addPersons(...Array.from({ length: 23 }, (_, v) => ({ v: `v${v}` })))
    expect((await get("?key=v")).body).toMatchObject({ count: 20, next: null })
    const { body } = await get("?key=v&limit=15")
    expect(body.results).toHaveLength(15)
    expect(body.next).toContain("?key=v&limit=15&offset=15")
  })

  test.each(["", "?key=", "?key=$virt_revenue", "?key=nothing"])(
    "of %j are none",
    async (query) => {
      const { get } = await addPersons({ a: 1, $virt_revenue: 5 })
      expect((await get(query)).body).toEqual({ count: 0, next: null, previous: null, results: [] })
    },
  )

  test("can be had as CSV", async () => {
    const { get } = await addPersons({ v: "a,b" })
    expect((await get("?key=v&format=csv")).text).toBe('name,count\r\n"a,b",1\r\n')
  })
})
