import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { type NewWarning, recordWarnings } from "./store.ts"

const app = useTestApp()

async function addProject() {
  const { project, owner } = await app.addOrganization()
  const url = `/api/projects/${project.id}/ingestion_warnings`
  const warn = (type: string, details: NewWarning["details"] = {}): NewWarning => ({
    ...{ project_id: project.id, type, details },
    created_at: new Date("2026-03-02T10:00:00.25Z"),
  })
  return { owner, warn, list: (query = "") => app.get(`${url}${query}`, owner.key), url }
}

describe("ingestion warnings", () => {
  test("are listed newest first, with their details", async () => {
    const { warn, list } = await addProject()
    await recordWarnings(app.db, [warn("one", { distinct_id: "ana" }), warn("two", { count: 2 })])
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 2, next: null, previous: null })
    expect(body.results).toMatchObject([
      { type: "two", details: { count: 2 }, created_at: "2026-03-02T10:00:00.250000Z" },
      { type: "one", details: { distinct_id: "ana" } },
    ])
  })

  test("can be narrowed to a type and paged", async () => {
    const { warn, list } = await addProject()
    await recordWarnings(app.db, [warn("one"), warn("two"), warn("one")])
    expect((await list("?type=one")).body.count).toBe(2)
    const { body } = await list("?type=one&limit=1")
    expect(body.results).toHaveLength(1)
    expect(body.next).toContain("type=one&limit=1&offset=1")
  })

  test("of another project are never shown", async () => {
    const [here, there] = [await addProject(), await addProject()]
    await recordWarnings(app.db, [here.warn("one")])
    expect((await there.list()).body.results).toEqual([])
    const { status, body } = await app.get(here.url, there.owner.key)
    expect([status, body.code]).toEqual([403, "permission_denied"])
  })

  test("of one kind in one batch are cut to a hundred", async () => {
    const { warn, list } = await addProject()
    const many = Array.from({ length: 150 }, () => warn("many"))
    await recordWarnings(app.db, [...many, warn("rare")])
    expect((await list("?type=many")).body.count).toBe(100)
    expect((await list("?type=rare")).body.count).toBe(1)
  })

  test("beyond the newest ten thousand of a project are dropped", async () => {
    const { warn, list } = await addProject()
    const { project_id } = warn("first")
    await app.db`
      insert into ingestion_warning (project_id, type, details, created_at)
      select ${project_id}, 'old', '{}', now() from generate_series(1, 10_050)`
    await recordWarnings(app.db, [warn("new")])
    expect((await list()).body.count).toBe(10_000)
    expect((await list("?type=new")).body.count).toBe(1)
  })

  test("keep what a database can not: null characters, half pairs, endless text", async () => {
    const { warn, list } = await addProject()
    const details = { a: "x\u0000y", b: "\ud800", c: "z".repeat(5_000) }
    await recordWarnings(app.db, [warn("odd", details)])
    const [first] = (await list()).body.results
    expect(first.details).toEqual({ a: "x\ufffdy", b: "\ufffd", c: "z".repeat(1_000) })
  })
})
