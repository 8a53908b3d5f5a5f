import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { addPerson, type PersonDraft } from "../../../test/support/persons.ts"

const app = useTestApp()

async function addProject(drafts: readonly PersonDraft[]) {
  const { owner, project } = await app.addOrganization()
  const persons = []
  for (const draft of drafts) persons.push(await addPerson(app, project.id, draft))
  const url = `/api/projects/${project.id}/persons`
  return { project, persons, list: (query: string) => app.get(`${url}${query}`, owner.key) }
}

describe("persons as CSV", () => {
  test("are all of them, whatever the page, with quoted cells", async () => {
    const { list, persons } = await addProject([
      {
        distinct_ids: ['say "hi"', "b"],
        properties: { name: "An, a", big: 1 },
        created_at: "2026-01-01T00:00:00Z",
      },
      { distinct_ids: ["c"], created_at: "2026-01-02T00:00:00Z" },
    ])
    const { status, text, headers } = await list("?format=csv&limit=1")
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
    const [quoted, plain] = persons
    expect(text.split("\r\n")).toEqual([
      "id,uuid,name,distinct_ids,created_at,is_identified,properties",
      `${plain?.id},${plain?.uuid},c,"[""c""]",2026-01-02T00:00:00Z,false,{}`,
      `${quoted?.id},${quoted?.uuid},"An, a","[""say \\""hi\\"""",""b""]",2026-01-01T00:00:00Z,false,"{""name"":""An, a"",""big"":1}"`,
      "",
    ])
  })

  test("are filtered as the list is", async () => {
    const { list } = await addProject([{ distinct_ids: ["a"] }, { distinct_ids: ["b"] }])
    expect((await list("?format=csv&distinct_id=a")).text.split("\r\n")).toHaveLength(3)
    expect((await list("?format=csv&distinct_id=x")).text.split("\r\n")).toHaveLength(2)
  })

  test("are refused as the list is", async () => {
    const { list } = await addProject([])
    const { status, body } = await list("?format=csv&properties=%7B")
    expect([status, body.code, body.attr]).toEqual([400, "invalid_input", "properties"])
  })

  test("go on from page to page", async () => {
    const { list, project } = await addProject([{ distinct_ids: ["first"] }])
    const { columnarChanges, database } = app.app.services
    const count = 5_003
    const rows = await database.db<{ id: number; uuid: string; snapshot_id: number }[]>`
      insert into person (project_id, uuid, properties, is_identified, created_at, snapshot_id)
      select ${project.id}, gen_random_uuid(), '{}', false, '2026-01-01T00:00:00Z',
             nextval('person_snapshot')
      from generate_series(1, ${count}::integer) returning id, uuid, snapshot_id`
    const person = { project_id: project.id, version: 1, is_identified: false, properties: {} }
    const created_at = "2026-01-01 00:00:00.000000"
    await columnarChanges.record(database.db, {
      persons: rows.map((row) => ({ ...person, ...row, created_at })),
    })
    await columnarChanges.flush()
    const lines = (await list("?format=csv")).text.trimEnd().split("\r\n").slice(1)
    expect(new Set(lines.map((line) => line.split(",")[0])).size).toBe(count + 1)
    expect(lines).toHaveLength(count + 1)
  })
})
