import { describe, expect, test } from "vitest"
import { type Person, useTestApp } from "../../../test/support/app.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()

const DAY_MS = 24 * 60 * 60 * 1_000

const denied = {
  status: 403,
  body: { type: "authentication_error", code: "permission_denied", attr: null },
}
const missing = { status: 404, body: { type: "invalid_request", code: "not_found", attr: null } }

function refused(code: string) {
  return { status: 400, body: { type: "validation_error", code, attr: null } }
}

async function invite(person: Person, draft: object = {}) {
  const organization = await app.addOrganization("Garden Shop")
  const { url, owner } = organization
  const target_email = person.email
  const { body } = await app.post(`${url}/invites`, owner.key, { target_email, ...draft })
  return { organization, id: body.id as string, url: `/api/invites/${body.id}/accept` }
}

async function membersOf(organizationId: string): Promise<number> {
  const rows = await app.db`select 1 from membership where organization_id = ${organizationId}`
  return rows.length
}

describe("accepting an invite with an account", () => {
  test("makes the user a member at the offered level and takes them there", async () => {
    const ana = await app.addUser("ana")
    const { organization, url } = await invite(ana, { level: 8 })
    const { status, body } = await app.post(`${url}/`, ana.key)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user: { id: ana.id, email: ana.email },
      level: 8,
      organization_id: organization.id,
      organization_name: "Garden Shop",
    })
    expect(await app.get("/api/organizations/@current/members", ana.key)).toMatchObject({
      status: 200,
      body: { count: 2, results: [{ id: body.id }, {}] },
    })
    const { owner } = organization
    expect((await app.get(`${organization.url}/invites`, owner.key)).body.count).toBe(0)
    expect(await app.post(url, ana.key)).toMatchObject(missing)
  })

  test("gives the grants on top of those the user has", async () => {
    const ana = await app.addUser("ana")
    const { organization, id, url } = await invite(ana)
    const { project } = organization
    await app.db`
      insert into project_grant (project_id, user_id, level) values (${project.id}, ${ana.id}, 8)`
    await app.db`
      update invite set private_project_access = ${JSON.stringify([{ id: project.id, level: 1 }])}::text::jsonb
      where id = ${id}`
    await app.post(url, ana.key)
    const grants =
      await app.db`select project_id, level from project_grant where user_id = ${ana.id}`
    expect([...grants]).toEqual([{ project_id: project.id, level: 8 }])
  })

  test("is for the invited address, whatever its case", async () => {
    const ana = await app.addUser("ana")
    const { organization, url } = await invite({ ...ana, email: ana.email.toUpperCase() })
    const bo = await app.addUser("bo")
    expect(await app.post(url, bo.key)).toMatchObject(refused("invalid_recipient"))
    expect(await membersOf(organization.id)).toBe(1)
    expect((await app.post(url, ana.key)).status).toBe(200)
  })

  test("is refused once it has expired, which the wrong recipient is not told", async () => {
    const ana = await app.addUser("ana")
    const { organization, id, url } = await invite(ana)
    const tooOld = new Date(app.clock.now().getTime() - 3 * DAY_MS - 1)
    await app.db`update invite set created_at = ${tooOld} where id = ${id}`
    expect(await app.post(url, ana.key)).toMatchObject(refused("expired"))
    const bo = await app.addUser("bo")
    expect(await app.post(url, bo.key)).toMatchObject(refused("invalid_recipient"))
    expect(await membersOf(organization.id)).toBe(1)
  })

  test("is refused to somebody who already is a member", async () => {
    const ana = await app.addUser("ana")
    const { organization, url } = await invite(ana)
    const now = app.clock.now()
    await app.db`
      insert into membership (id, organization_id, user_id, level, joined_at, updated_at)
      values (${newUuid()}, ${organization.id}, ${ana.id}, 1, ${now}, ${now})`
    expect(await app.post(url, ana.key)).toMatchObject(refused("user_already_member"))
  })

  test("needs user:write, and a key that is not limited to other places", async () => {
    const ana = await app.addUser("ana")
    const { organization, url } = await invite(ana)
    const keys = await Promise.all([
      app.addKey(ana.id, { scopes: ["user:read", "organization_member:write"] }),
      app.addKey(ana.id, { organizations: [organization.id] }),
      app.addKey(ana.id, { projects: [organization.project.id] }),
    ])
    for (const key of keys) expect(await app.post(url, key)).toMatchObject(denied)
    expect(await app.call("POST", url, {})).toMatchObject({
      status: 401,
      body: { type: "authentication_error", code: "not_authenticated", attr: null },
    })
    const writer = await app.addKey(ana.id, { scopes: ["user:write"] })
    expect((await app.post(url, writer)).status).toBe(200)
  })

  test("of no invite is 404", async () => {
    const ana = await app.addUser("ana")
    for (const id of [newUuid(), "junk", "%00"]) {
      expect(await app.post(`/api/invites/${id}/accept`, ana.key), id).toMatchObject(missing)
    }
  })

  test("many times at once makes one membership", async () => {
    const ana = await app.addUser("ana")
    const { organization, url } = await invite(ana)
    const answers = await Promise.all(Array.from({ length: 8 }, () => app.post(url, ana.key)))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 404)])
    expect(await membersOf(organization.id)).toBe(2)
  })

  test("while it is withdrawn either joins or finds nothing", async () => {
    for (let round = 0; round < 5; round++) {
      const ana = await app.addUser("ana")
      const { organization, id, url } = await invite(ana)
      const [accepted, withdrawn] = await Promise.all([
        app.post(url, ana.key),
        app.delete(`${organization.url}/invites/${id}`, organization.owner.key),
      ])
      expect([
        [200, 404],
        [404, 204],
      ]).toContainEqual([accepted.status, withdrawn.status])
      expect(await membersOf(organization.id)).toBe(accepted.status === 200 ? 2 : 1)
    }
  })
})
