import { describe, expect, test } from "vitest"
import { START, useTestApp } from "../../../test/support/app.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()
const BASE = "/api/organizations"
const NOT_FOUND = { type: "invalid_request", code: "not_found", attr: null }
const FORBIDDEN = { type: "authentication_error", code: "permission_denied", attr: null }

describe("the list", () => {
  test("has the caller's organizations alone, oldest first, in pages", async () => {
    const { key } = await app.addUser()
    await app.addOrganization("Of others")
    for (const name of ["First", "Second", "Third"]) await app.post(BASE, key, { name })
    const { status, body } = await app.get(`${BASE}/?limit=2`, key)
    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 3, previous: null })
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual(["First", "Second"])
    expect(body.next).toBe(`${app.app.address}${BASE}/?limit=2&offset=2`)
    const { body: last } = await app.get(body.next.replace(app.app.address, ""), key)
    expect(last).toMatchObject({ count: 3, next: null })
    expect(last.previous).toBe(`${app.app.address}${BASE}/?limit=2`)
    expect(last.results.map(({ name }: { name: string }) => name)).toEqual(["Third"])
  })

  test("shows each as the organization itself is shown", async () => {
    const { owner, url } = await app.addOrganization()
    const { body } = await app.get(BASE, owner.key)
    expect(body.results).toEqual([(await app.get(url, owner.key)).body])
  })

  test("never has the key in its links", async () => {
    const { key } = await app.addUser()
    for (const name of ["First", "Second"]) await app.post(BASE, key, { name })
    const { status, body } = await app.get(`${BASE}?limit=1&personal_api_key=${key}`)
    expect(status).toBe(200)
    expect(body.next).toBe(`${app.app.address}${BASE}?limit=1&offset=1`)
  })

  test("of somebody who belongs to none is a 404", async () => {
    const { key } = await app.addUser()
    const { status, body } = await app.get(BASE, key)
    expect(status).toBe(404)
    expect(body).toMatchObject(NOT_FOUND)
  })

  test("of a key that is limited to one organization has that one alone", async () => {
    const { owner, id } = await app.addOrganization()
    const { body: other } = await app.post(BASE, owner.key, { name: "Other" })
    const key = await app.addKey(owner.id, { organizations: [id] })
    const { body } = await app.get(BASE, key)
    expect(body.count).toBe(1)
    expect(body.results[0].id).toBe(id)
    const refused = await app.get(`${BASE}/${other.id}`, key)
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject(FORBIDDEN)
  })

  test("is closed to a key that is limited to projects", async () => {
    const { owner, url, project } = await app.addOrganization()
    const key = await app.addKey(owner.id, { projects: [project.id] })
    for (const at of [BASE, url]) expect((await app.get(at, key)).status).toBe(403)
  })
})

describe("an organization", () => {
  test("is shown to each member with their own level", async () => {
    const { id, url, owner } = await app.addOrganization()
    const [member, admin] = [await app.addMember(id), await app.addMember(id, "admin")]
    const people = [
      [member, 1],
      [admin, 8],
      [owner, 15],
    ] as const
    for (const [{ key }, level] of people) {
      const { status, body } = await app.get(url, key)
      expect(status).toBe(200)
      expect(body).toMatchObject({ membership_level: level, member_count: "3" })
    }
  })

  test("counts its active members", async () => {
    const { id, url, owner } = await app.addOrganization()
    const member = await app.addMember(id)
    await app.db`update app_user set is_active = false where id = ${member.id}`
    expect((await app.get(url, owner.key)).body.member_count).toBe("1")
  })

  test("hides a private project from a plain member without a grant", async () => {
    const { id, url, owner, project } = await app.addOrganization()
    const [member, granted] = [await app.addMember(id), await app.addMember(id)]
    const admin = await app.addMember(id, "admin")
    await app.db`update project set access_control = true where id = ${project.id}`
    await app.db`insert into project_grant values (${project.id}, ${granted.id}, 1)`
    const seen = async (key: string) => (await app.get(url, key)).body.teams.length
    expect(await seen(member.key)).toBe(0)
    expect(await Promise.all([granted, admin, owner].map(({ key }) => seen(key)))).toEqual([
      1, 1, 1,
    ])
    expect((await app.get(BASE, member.key)).body.results[0].teams).toEqual([])
  })

  test("loses its logo with the picture", async () => {
    const { id, url, owner } = await app.addOrganization()
    const logo_media_id = newUuid()
    await app.db`
      insert into media (id, organization_id, file_name, content_type, content, created_at)
      values (${logo_media_id}, ${id}, 'logo.png', 'image/png', '', now())`
    const { body } = await app.patch(url, owner.key, { logo_media_id })
    expect(body.logo_media_id).toBe(logo_media_id)
    await app.db`delete from media where id = ${logo_media_id}`
    expect((await app.get(url, owner.key)).body.logo_media_id).toBeNull()
  })

  test.each(["GET", "PATCH", "PUT", "DELETE"])(
    "of others is not found by %s, at no level and by no id",
    async (method) => {
      const { id, owner } = await app.addOrganization()
      const people = [owner, await app.addMember(id), await app.addMember(id, "admin")]
      const foreign = await app.addOrganization("Foreign")
      const body = method === "GET" ? {} : { body: { name: "Mine" } }
      for (const { key } of people) {
        for (const other of [foreign.id, newUuid(), "junk", "1"]) {
          const answer = await app.call(method, `${BASE}/${other}/`, { key, ...body })
          expect(answer.status).toBe(404)
          expect(answer.body).toMatchObject(NOT_FOUND)
        }
      }
      expect((await app.get(foreign.url, foreign.owner.key)).body.name).toBe("Foreign")
    },
  )
})

describe("the current organization", () => {
  test("is the stored one, with and without a slash", async () => {
    const { owner, id } = await app.addOrganization()
    for (const url of [`${BASE}/@current`, `${BASE}/@current/`]) {
      const { status, body } = await app.get(url, owner.key)
      expect([status, body.id]).toEqual([200, id])
    }
  })

  test("is the first that was joined when none is stored, or the stored one was left", async () => {
    const { owner, id } = await app.addOrganization()
    const other = await app.addOrganization()
    for (const stored of [null, other.id]) {
      await app.db`update app_user set current_organization_id = ${stored} where id = ${owner.id}`
      const { status, body } = await app.get(`${BASE}/@current`, owner.key)
      expect([status, body.id]).toEqual([200, id])
    }
  })

  test("of somebody who belongs to none is not found", async () => {
    const { key } = await app.addUser()
    const { status, body } = await app.get(`${BASE}/@current`, key)
    expect(status).toBe(404)
    expect(body).toMatchObject(NOT_FOUND)
  })

  test("can be changed and deleted by that name", async () => {
    const { owner, id } = await app.addOrganization()
    const { body } = await app.patch(`${BASE}/@current`, owner.key, { name: "Renamed" })
    expect(body).toMatchObject({ id, name: "Renamed" })
    expect((await app.delete(`${BASE}/@current`, owner.key)).status).toBe(204)
  })
})

describe("changing an organization", () => {
  test.each(["PATCH", "PUT"])("by %s is for admins and owners", async (method) => {
    const { id, url, owner } = await app.addOrganization()
    const [member, admin] = [await app.addMember(id), await app.addMember(id, "admin")]
    const change = { name: "Changed", is_member_join_email_enabled: false, enforce_2fa: true }
    const refused = await app.call(method, url, { key: member.key, body: change })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject(FORBIDDEN)
    expect((await app.get(url, owner.key)).body.name).toBe("Acme")
    for (const { key } of [admin, owner]) {
      const { status, body } = await app.call(method, url, { key, body: change })
      expect(status).toBe(200)
      expect(body).toMatchObject(change)
    }
    expect((await app.get(url, member.key)).body).toMatchObject(change)
  })

  test("keeps what is not sent, and the slug for ever", async () => {
    const { url, owner } = await app.addOrganization("Keeper")
    await app.patch(url, owner.key, { enforce_2fa: true })
    const { body } = await app.call("PUT", url, { key: owner.key, body: { name: "Renamed" } })
    expect(body).toMatchObject({ name: "Renamed", enforce_2fa: true })
    expect(body.slug).toMatch(/^keeper/)
  })

  test("moves the time of the change, not that of the making", async () => {
    const { url, owner } = await app.addOrganization()
    app.clock.advanceMs(1_500)
    const { body } = await app.patch(url, owner.key, { name: "Later" })
    expect(Date.parse(body.updated_at) - Date.parse(body.created_at)).toBe(1_500)
    expect(Date.parse(body.created_at)).toBeGreaterThanOrEqual(Date.parse(START))
  })

  test("ignores what is read-only", async () => {
    const { url, owner } = await app.addOrganization()
    const { body: before } = await app.get(url, owner.key)
    const forged = { plugins_access_level: 3, slug: "x", membership_level: 1, customer_id: "x" }
    const { status, body } = await app.patch(url, owner.key, forged)
    expect(status).toBe(200)
    expect({ ...body, updated_at: "" }).toEqual({ ...before, updated_at: "" })
  })
})
