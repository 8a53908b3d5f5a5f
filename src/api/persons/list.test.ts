import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { addPerson, type PersonDraft } from "../../../test/support/persons.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()

async function addProject(persons: readonly PersonDraft[] = []) {
  const { id, owner, project } = await app.addOrganization()
  const url = `/api/projects/${project.id}/persons`
  const made = []
  for (const draft of persons) made.push(await addPerson(app, project.id, draft))
  const list = (query = "") => app.get(`${url}${query}`, owner.key)
  const ids = async (query: string) => {
    const { status, body } = await list(query)
    expect(status).toBe(200)
    return body.results.map((person: { distinct_ids: string[] }) => person.distinct_ids[0])
  }
  return { organizationId: id, owner, project, url, persons: made, list, ids }
}

describe("the list of persons", () => {
  test("shows each with all it has", async () => {
    const drawn = newUuid()
    const { list, persons } = await addProject([
      {
        distinct_ids: [drawn, "ana"],
        properties: { email: "ana@example.com", age: 7, tags: ["a"], none: null },
        created_at: "2026-01-02T03:04:05.678901Z",
        is_identified: true,
      },
    ])
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [
        {
          id: persons[0]?.id,
          uuid: persons[0]?.uuid,
          type: "person",
          name: "ana@example.com",
          distinct_ids: ["ana", drawn],
          properties: { email: "ana@example.com", age: 7, tags: ["a"], none: null },
          created_at: "2026-01-02T03:04:05.678901Z",
          is_identified: true,
          matched_recordings: [],
          value_at_data_point: null,
        },
      ],
    })
  })

  test("is newest first, and of one moment the last made first", async () => {
    const { ids } = await addProject([
      { distinct_ids: ["old"], created_at: "2025-01-01T00:00:00Z" },
      { distinct_ids: ["new"], created_at: "2026-01-01T00:00:00Z" },
      { distinct_ids: ["twin a"], created_at: "2025-06-01T00:00:00Z" },
      { distinct_ids: ["twin b"], created_at: "2025-06-01T00:00:00Z" },
    ])
    expect(await ids("")).toEqual(["new", "twin b", "twin a", "old"])
  })

  test("hides who is from further ahead than a day", async () => {
    const { list, ids } = await addProject([
      { distinct_ids: ["tomorrow"], created_at: "2026-03-03T09:00:00Z" },
      { distinct_ids: ["later"], created_at: "2026-03-03T11:00:00Z" },
    ])
    expect(await ids("")).toEqual(["tomorrow"])
    expect(await ids("?distinct_id=later")).toEqual([])
    expect((await list()).body.count).toBe(1)
  })

  test("never shows persons of another project", async () => {
    const here = await addProject([{ distinct_ids: ["same"] }])
    const there = await addProject([{ distinct_ids: ["same"] }])
    const { body } = await here.list()
    expect(body.results.map(({ id }: { id: number }) => id)).toEqual([here.persons[0]?.id])
    const { status, body: refusal } = await app.get(there.url, here.owner.key)
    expect([status, refusal.code]).toEqual([403, "permission_denied"])
  })

  test("comes in pages that end exactly, with an exact count", async () => {
    const names = ["a", "b", "c", "d"]
    const { url, list, ids, project } = await addProject(
      names.map((name, index) => ({
        distinct_ids: [name],
        properties: { plan: "free" },
        created_at: `2026-01-0${index + 1}T00:00:00Z`,
      })),
    )
    const first = (await list("?limit=2&search=")).body
    expect(first.count).toBe(4)
    expect(first.next).toBe(`${app.app.address}${url}?limit=2&search=&offset=2`)
    const second = (await list("?limit=2&offset=2")).body
    expect(second.next).toBeNull()
    expect(second.previous).toBe(`${app.app.address}/api/projects/${project.id}/persons?limit=2`)
    expect(await ids("?limit=2&offset=2")).toEqual(["b", "a"])
    expect((await list("?offset=9")).body).toMatchObject({ count: 4, results: [], next: null })
    expect((await list("?limit=100000")).body.results).toHaveLength(4)
  })

  test("shows a thousand distinct ids of each at most, the first to come", async () => {
    const many = Array.from({ length: 1_005 }, (_, index) => `id ${index}`)
    const { list, url, owner, persons } = await addProject([{ distinct_ids: many }])
    const { body } = await list()
    expect(body.results[0].distinct_ids).toEqual(many.slice(0, 1_000))
    const one = await app.get(`${url}/${persons[0]?.id}`, owner.key)
    expect(one.body.distinct_ids).toHaveLength(1_005)
  })

  test("is called by the properties that the project has chosen", async () => {
    const { list, project, owner } = await addProject([
      { distinct_ids: ["x"], properties: { email: "x@example.com", nick: "Xi" } },
    ])
    const setting = { person_display_name_properties: ["nick"] }
    await app.patch(`/api/projects/${project.id}`, owner.key, setting)
    expect((await list()).body.results[0].name).toBe("Xi")
  })
})

describe("filters of persons", () => {
  const drafts: PersonDraft[] = [
    {
      distinct_ids: ["ana", "ana-phone"],
      properties: { email: "Ana@Example.com", plan: "free" },
      created_at: "2026-01-01T00:00:00Z",
    },
    {
      distinct_ids: ["bo"],
      properties: { email: "bo_1@example.com", plan: "paid" },
      created_at: "2026-01-02T00:00:00Z",
    },
    { distinct_ids: ["cy"], properties: { plan: "paid" }, created_at: "2026-01-03T00:00:00Z" },
  ]

  test("by distinct id find the owner of any of its ids", async () => {
    const { ids, list } = await addProject(drafts)
    expect(await ids("?distinct_id=ana-phone")).toEqual(["ana"])
    expect(await ids("?distinct_id=nobody")).toEqual([])
    expect(await ids("?distinct_id=")).toHaveLength(3)
    expect((await list("?distinct_id=ana&offset=1")).body).toMatchObject({ count: 1, results: [] })
  })

  test("by e-mail are exact", async () => {
    const { ids } = await addProject(drafts)
    expect(await ids("?email=Ana@Example.com")).toEqual(["ana"])
    expect(await ids("?email=ana@example.com")).toEqual([])
    expect(await ids("?email=Ana@Example")).toEqual([])
  })

  test("by search look into addresses in any case, and at whole ids", async () => {
    const { ids, persons } = await addProject(drafts)
    expect(await ids("?search=EXAMPLE")).toEqual(["bo", "ana"])
    expect(await ids("?search=cy")).toEqual(["cy"])
    expect(await ids("?search=c")).toEqual(["bo", "ana"])
    expect(await ids(`?search=${persons[2]?.uuid.toUpperCase()}`)).toEqual(["cy"])
    expect(await ids("?search=nobody")).toEqual([])
  })

  test("by search take wildcards as they are", async () => {
    const { ids } = await addProject(drafts)
    expect(await ids("?search=o_1@")).toEqual(["bo"])
    expect(await ids("?search=a_a")).toEqual([])
    expect(await ids("?search=%25")).toEqual([])
  })

  test("combine", async () => {
    const { ids } = await addProject(drafts)
    expect(await ids("?search=example&email=bo_1@example.com")).toEqual(["bo"])
    expect(await ids("?distinct_id=ana&search=bo")).toEqual([])
    expect(await ids("?distinct_id=ana&search=ana")).toEqual(["ana"])
    expect(await ids("?distinct_id=nobody&search=ana")).toEqual([])
  })

  const filtered = (filters: unknown) =>
    `?properties=${encodeURIComponent(JSON.stringify(filters))}`

  test("by properties are those of persons, whether they say so or not", async () => {
    const { ids } = await addProject(drafts)
    expect(await ids(filtered([{ key: "plan", value: "paid", type: "person" }]))).toEqual([
      ...["cy", "bo"],
    ])
    expect(await ids(filtered([{ key: "plan", value: "free" }]))).toEqual(["ana"])
    expect(await ids(filtered([{ key: "email", operator: "is_not_set", value: "x" }]))).toEqual([
      "cy",
    ])
    expect(await ids(filtered([]))).toHaveLength(3)
    expect(await ids("?properties=")).toHaveLength(3)
  })

  test("by properties may be groups, and may be about distinct ids", async () => {
    const { ids } = await addProject(drafts)
    const values = [
      { key: "plan", value: "free", type: "person" },
      { key: "distinct_id", value: ["cy", "nobody"], type: "person" },
    ]
    expect(await ids(filtered({ type: "OR", values }))).toEqual(["cy", "ana"])
    expect(await ids(filtered({ type: "AND", values }))).toEqual([])
  })

  test("by properties combine with the others", async () => {
    const { ids } = await addProject(drafts)
    const paid = filtered([{ key: "plan", value: "paid", type: "person" }])
    expect(await ids(`${paid}&search=example`)).toEqual(["bo"])
    expect(await ids(`${paid}&distinct_id=ana`)).toEqual([])
    expect(await ids(`${paid}&distinct_id=cy`)).toEqual(["cy"])
  })

  test.each([
    ["?properties=%7B", "invalid_input", "properties"],
    ["?properties=1", "invalid_input", "properties"],
    [filtered([{ key: "x", value: 1, type: "nothing" }]), "invalid_input", "properties"],
    [filtered([{ key: "text", value: "x", type: "element" }]), "invalid_input", "properties"],
    ["?format=xml", "invalid_choice", "format"],
    ["?search=%00", "invalid_input", "search"],
  ])("refuse %s", async (query, code, attr) => {
    const { list } = await addProject()
    const { status, body } = await list(query)
    expect([status, body.type, body.code, body.attr]).toEqual([400, "validation_error", code, attr])
  })
})
