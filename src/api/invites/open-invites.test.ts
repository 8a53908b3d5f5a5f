import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()

const DAY_MS = 24 * 60 * 60 * 1_000

const denied = {
  status: 403,
  body: { type: "authentication_error", code: "permission_denied", attr: null },
}
const missing = { status: 404, body: { type: "invalid_request", code: "not_found", attr: null } }

async function addTeam() {
  const { id, url, owner, project } = await app.addOrganization()
  const member = await app.addMember(id)
  return { id, url, invites: `${url}/invites`, owner, member, project }
}

async function addressesOf(organizationId: string): Promise<string[]> {
  const rows = await app.db<{ target_email: string }[]>`
    select target_email from invite where organization_id = ${organizationId} order by id`
  return rows.map(({ target_email }) => target_email)
}

describe("the list of invites", () => {
  test("is the newest first for any member, with those that expired after three days", async () => {
    const { id, invites, owner, member } = await addTeam()
    for (const name of ["ana", "bo", "cy"]) {
      await app.post(invites, owner.key, { target_email: `${name}@example.com` })
    }
    const setAge = (name: string, ms: number) => app.db`
      update invite set created_at = ${new Date(app.clock.now().getTime() - ms)}
      where organization_id = ${id} and target_email = ${`${name}@example.com`}`
    await setAge("ana", 3 * DAY_MS)
    await setAge("bo", 3 * DAY_MS + 1)
    const { body } = await app.get(`${invites}?limit=10`, member.key)
    const shown = body.results.map((invite: { target_email: string; is_expired: boolean }) => [
      invite.target_email,
      invite.is_expired,
    ])
    expect(shown).toEqual([
      ["cy@example.com", false],
      ["ana@example.com", false],
      ["bo@example.com", true],
    ])
    const second = await app.get(`${invites}?limit=1&offset=1`, member.key)
    expect(second.body).toMatchObject({ count: 3, results: [{ target_email: "ana@example.com" }] })
    expect(second.body.next).toContain("limit=1&offset=2")
  })

  test("is empty at first", async () => {
    const { invites, member } = await addTeam()
    expect((await app.get(`${invites}/`, member.key)).body).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    })
  })

  test("keeps an invite whose inviter's account is gone", async () => {
    const { invites, owner, member } = await addTeam()
    await app.post(invites, member.key, { target_email: "ana@example.com" })
    await app.db`delete from app_user where id = ${member.id}`
    const { body } = await app.get(invites, owner.key)
    expect(body.results).toMatchObject([{ target_email: "ana@example.com", created_by: null }])
  })
})

describe("withdrawing an invite", () => {
  test("is open to any member", async () => {
    const { id, invites, owner, member } = await addTeam()
    const { body } = await app.post(invites, owner.key, {
      target_email: "ana@example.com",
      level: 15,
    })
    const { status, text } = await app.delete(`${invites}/${body.id}/`, member.key)
    expect([status, text]).toEqual([204, ""])
    expect(await addressesOf(id)).toEqual([])
    expect(await app.delete(`${invites}/${body.id}`, member.key)).toMatchObject(missing)
    const entries = await app.db`
      select user_id, item_id from activity_log
      where organization_id = ${id} and scope = 'OrganizationInvite' and activity = 'deleted'`
    expect([...entries]).toEqual([{ user_id: member.id, item_id: body.id }])
  })

  test("of what is not there, or not here, is 404", async () => {
    const { id, invites, owner } = await addTeam()
    const elsewhere = await addTeam()
    const { body } = await app.post(invites, owner.key, { target_email: "ana@example.com" })
    for (const wrong of ["junk", "0", "%00", newUuid()]) {
      expect(await app.delete(`${invites}/${wrong}`, owner.key), wrong).toMatchObject(missing)
    }
    const { key } = elsewhere.owner
    expect(await app.delete(`${elsewhere.invites}/${body.id}`, key)).toMatchObject(missing)
    expect(await addressesOf(id)).toHaveLength(1)
  })
})

describe("invites of an organization", () => {
  test("are closed to strangers, and nothing happens", async () => {
    const { id, invites, owner } = await addTeam()
    const { body } = await app.post(invites, owner.key, { target_email: "ana@example.com" })
    const stranger = await addTeam()
    const { key } = stranger.owner
    const draft = { target_email: "bo@example.com" }
    expect(await app.get(invites, key)).toMatchObject(denied)
    expect(await app.post(invites, key, draft)).toMatchObject(denied)
    expect(await app.post(invites, key, {})).toMatchObject(denied)
    expect(await app.post(`${invites}/bulk`, key, [draft])).toMatchObject(denied)
    expect(await app.delete(`${invites}/${body.id}`, key)).toMatchObject(denied)
    expect(await addressesOf(id)).toEqual(["ana@example.com"])
    const nowhere = `/api/organizations/${newUuid()}/invites`
    expect(await app.post(nowhere, key, draft)).toMatchObject(missing)
    expect(await app.call("POST", invites, { body: draft })).toMatchObject({ status: 401 })
  })

  test("need organization_member:read to see and organization_member:write to change", async () => {
    const { invites, owner } = await addTeam()
    const draft = { target_email: "ana@example.com" }
    const reader = await app.addKey(owner.id, { scopes: ["organization_member:read"] })
    expect((await app.get(invites, reader)).status).toBe(200)
    expect(await app.post(invites, reader, draft)).toMatchObject(denied)
    expect(await app.post(`${invites}/bulk`, reader, [draft])).toMatchObject(denied)
    const writer = await app.addKey(owner.id, { scopes: ["organization_member:write"] })
    const { status, body } = await app.post(invites, writer, draft)
    expect(status).toBe(201)
    expect(await app.delete(`${invites}/${body.id}`, reader)).toMatchObject(denied)
    expect((await app.get(invites, writer)).body.count).toBe(1)
  })

  test("cannot be asked for or changed one by one", async () => {
    const { invites, owner } = await addTeam()
    const { body } = await app.post(invites, owner.key, { target_email: "ana@example.com" })
    for (const method of ["GET", "PATCH", "PUT"]) {
      const answer = await app.call(method, `${invites}/${body.id}`, { key: owner.key })
      expect(answer).toMatchObject({
        status: 405,
        body: { type: "invalid_request", code: "method_not_allowed", attr: null },
      })
    }
  })

  test("go with the organization", async () => {
    const { id, url, invites, owner } = await addTeam()
    await app.post(invites, owner.key, { target_email: "ana@example.com" })
    expect((await app.delete(url, owner.key)).status).toBe(204)
    expect(await addressesOf(id)).toEqual([])
  })
})
