import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()
const BASE = "/api/organizations"

/** Tables with a column of this name, all of them: a new one is looked at without being told. */
async function tablesWith(column: string): Promise<string[]> {
  const rows = await app.db<{ table_name: string }[]>`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = ${column} and table_name <> 'data_deletion'`
  return rows.map(({ table_name }) => table_name)
}

async function countRows(column: string, id: string | number): Promise<number> {
  let total = 0
  for (const table of await tablesWith(column)) {
    const rows = await app.db`
      select 1 from ${app.db(table)} where ${app.db(column)}::text = ${String(id)}`
    total += rows.length
  }
  return total
}

describe("deleting an organization", () => {
  test("is for owners alone", async () => {
    const { id, url, owner } = await app.addOrganization()
    for (const level of ["member", "admin"] as const) {
      const { key } = await app.addMember(id, level)
      const { status, body } = await app.delete(url, key)
      expect(status).toBe(403)
      expect(body).toMatchObject({ type: "authentication_error", code: "permission_denied" })
    }
    expect((await app.get(url, owner.key)).status).toBe(200)
    const second = await app.addMember(id, "owner")
    expect((await app.delete(`${url}/`, second.key)).status).toBe(204)
  })

  test("answers nothing, and then there is nothing", async () => {
    const { url, owner } = await app.addOrganization()
    const { status, text } = await app.delete(url, owner.key)
    expect([status, text]).toEqual([204, ""])
    for (const method of ["GET", "DELETE"]) {
      const { status: later, body } = await app.call(method, url, { key: owner.key })
      expect(later).toBe(404)
      expect(body).toMatchObject({ type: "invalid_request", code: "not_found", attr: null })
    }
  })

  test("needs the scope to write", async () => {
    const { url, owner } = await app.addOrganization()
    const key = await app.addKey(owner.id, { scopes: ["organization:read"] })
    expect((await app.delete(url, key)).status).toBe(403)
  })

  test("takes along everything in it, and nothing of others", async () => {
    const { id, url, owner, project } = await app.addOrganization()
    const kept = await app.addOrganization()
    for (const each of [{ url, owner }, kept]) {
      const invite = { target_email: "bo@example.com", send_email: false }
      expect((await app.post(`${each.url}/invites`, each.owner.key, invite)).status).toBe(201)
      const domain = { domain: `x${newUuid()}.example` }
      expect((await app.post(`${each.url}/domains`, each.owner.key, domain)).status).toBe(201)
    }
    await app.db`
      insert into media (id, organization_id, file_name, content_type, content, created_at)
      values (${newUuid()}, ${id}, 'logo.png', 'image/png', '', now())`
    const member = await app.addMember(id)
    await app.db`insert into project_grant values (${project.id}, ${member.id}, 1)`
    const before = await countRows("organization_id", kept.id)
    expect(await countRows("organization_id", id)).toBeGreaterThanOrEqual(before + 2)

    expect((await app.delete(url, owner.key)).status).toBe(204)
    expect(await countRows("organization_id", id)).toBe(0)
    expect(await countRows("project_id", project.id)).toBe(0)
    expect(await countRows("organization_id", kept.id)).toBe(before)
  })

  test("is not held up by any table that points at organizations or projects", async () => {
    const rows = await app.db`
      select conrelid::regclass::text as table, conname from pg_constraint
      where contype = 'f' and confrelid in ('organization'::regclass, 'project'::regclass)
        and confdeltype not in ('c', 'n')`
    expect(rows).toEqual([])
  })

  test("queues the deletion of each project's data, in the owner's name", async () => {
    const { id, url, owner, project } = await app.addOrganization()
    const rows = await app.db<{ id: number }[]>`
      insert into project (uuid, organization_id, name, api_token, created_at, updated_at)
      values (${newUuid()}, ${id}, 'Second', ${newUuid()}, now(), now()) returning id`
    await app.delete(url, owner.key)
    const projectIds = [project.id, ...rows.map((row) => row.id)]
    const queued = await app.db`
      select kind, project_id, key, created_by, finished_at from data_deletion
      where project_id = any(${projectIds}) order by project_id`
    const common = { kind: "project", created_by: owner.id, finished_at: null }
    expect(queued).toEqual(
      projectIds.map((project_id) => ({ ...common, project_id, key: String(project_id) })),
    )
  })

  test("leaves its users, without a current organization", async () => {
    const { id, url, owner } = await app.addOrganization()
    const member = await app.addMember(id)
    await app.delete(url, owner.key)
    const users = await app.db`
      select is_active, current_organization_id, current_project_id from app_user
      where id in (${owner.id}, ${member.id})`
    const without = { is_active: true, current_organization_id: null, current_project_id: null }
    expect(users).toEqual([without, without])
  })

  test("of the second leads back to the first; of the last, to a 404", async () => {
    const { id, url, owner } = await app.addOrganization("First")
    const { body: second } = await app.post(BASE, owner.key, { name: "Second" })
    expect((await app.delete(`${BASE}/${second.id}`, owner.key)).status).toBe(204)
    expect((await app.get(`${BASE}/@current`, owner.key)).body.id).toBe(id)
    expect((await app.delete(url, owner.key)).status).toBe(204)
    for (const at of [BASE, `${BASE}/@current`]) {
      const { status, body } = await app.get(at, owner.key)
      expect(status).toBe(404)
      expect(body).toMatchObject({ type: "invalid_request", code: "not_found", attr: null })
    }
    const again = await app.post(BASE, owner.key, { name: "Third" })
    expect(again.status).toBe(201)
  })
})

describe("many at once", () => {
  test("fifty of one name are fifty organizations with slugs of their own", async () => {
    const { key } = await app.addUser()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => app.post(BASE, key, { name: "Popular" })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    const slugs = answers.map(({ body }) => body.slug as string)
    expect(new Set(slugs).size).toBe(50)
    for (const slug of slugs) expect(slug).toMatch(/^popular(-[a-z]{4})?$/)
    expect((await app.get(BASE, key)).body.count).toBe(50)
  })

  test("changes under a deletion happen before it or find nothing", async () => {
    const { id, url, owner } = await app.addOrganization()
    const admin = await app.addMember(id, "admin")
    const patches = Array.from({ length: 20 }, (_, index) =>
      app.patch(url, admin.key, { name: `Name ${index}` }),
    )
    const [removal, ...changes] = await Promise.all([app.delete(url, owner.key), ...patches])
    expect(removal?.status).toBe(204)
    for (const { status } of changes) expect([200, 404]).toContain(status)
    expect(await countRows("organization_id", id)).toBe(0)
  })

  test("of two deletions one finds nothing", async () => {
    const { id, url, owner } = await app.addOrganization()
    const second = await app.addMember(id, "owner")
    const answers = await Promise.all([owner, second].map(({ key }) => app.delete(url, key)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404])
  })

  test("each change knows what the one before it left", async () => {
    const { id, url, owner } = await app.addOrganization("Name 0")
    const names = Array.from({ length: 10 }, (_, index) => `Name ${index + 1}`)
    await Promise.all(names.map((name) => app.patch(url, owner.key, { name })))
    const rows = await app.db<{ before: string; after: string }[]>`
      select detail->'changes'->0->>'before' as before, detail->'changes'->0->>'after' as after
      from activity_log where organization_id = ${id} and activity = 'updated'`
    const steps = new Map(rows.map(({ before, after }) => [before, after]))
    const chain = ["Name 0"]
    for (let name = steps.get("Name 0"); name !== undefined; name = steps.get(name))
      chain.push(name)
    expect(chain.toSorted()).toEqual(["Name 0", ...names].toSorted())
    expect((await app.get(url, owner.key)).body.name).toBe(chain.at(-1))
  })
})
