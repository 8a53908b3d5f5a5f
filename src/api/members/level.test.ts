import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()

const denied = {
  status: 403,
  body: { type: "authentication_error", code: "permission_denied", attr: null },
}
const missing = { status: 404, body: { type: "invalid_request", code: "not_found", attr: null } }

function invalid(attr: string | null, code: string) {
  return { status: 400, body: { type: "validation_error", code, attr } }
}

async function addTeam() {
  const organization = await app.addOrganization()
  const { id, url, owner } = organization
  const [admin, member] = [await app.addMember(id, "admin"), await app.addMember(id)]
  const memberUrl = (person: { uuid: string }) => `${url}/members/${person.uuid}`
  return { id, url, owner, admin, member, memberUrl }
}

async function levelOf(organizationId: string, person: { id: number }): Promise<number> {
  const [row] = await app.db<{ level: number }[]>`
    select level from membership where organization_id = ${organizationId} and user_id = ${person.id}`
  return row?.level ?? 0
}

describe("the level of a member", () => {
  test("is changed by the owner; the answer is the whole member", async () => {
    const { id, owner, member, memberUrl } = await addTeam()
    app.clock.advanceMs(1_000)
    const { status, body } = await app.patch(`${memberUrl(member)}/`, owner.key, { level: 8 })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user: { id: member.id, uuid: member.uuid, email: member.email, first_name: "member" },
      level: 8,
      is_2fa_enabled: false,
      has_social_auth: false,
    })
    expect(body.updated_at > body.joined_at).toBe(true)
    const [entry] = await app.db`
      select user_id, activity, item_id, detail->>'name' as name, detail->'changes' as changes
      from activity_log where organization_id = ${id} and scope = 'OrganizationMembership'`
    expect(entry).toEqual({
      user_id: owner.id,
      activity: "updated",
      item_id: body.id,
      name: member.email,
      changes: [
        { type: "OrganizationMembership", action: "changed", field: "level", before: 1, after: 8 },
      ],
    })
  })

  test("is the only thing that can be changed", async () => {
    const { owner, member, memberUrl } = await addTeam()
    const body = { level: 8, joined_at: "2020-01-01T00:00:00Z", is_2fa_enabled: true, user: {} }
    const changed = await app.call("PUT", memberUrl(member), { key: owner.key, body })
    expect(changed).toMatchObject({ status: 200, body: { level: 8, is_2fa_enabled: false } })
    expect(changed.body.joined_at).not.toBe("2020-01-01T00:00:00Z")
  })

  test("must be 1, 8 or 15; PUT needs it and PATCH without it changes nothing", async () => {
    const { owner, member, memberUrl } = await addTeam()
    for (const level of [0, 2, "8", 16, [], 1.5]) {
      const answer = await app.patch(memberUrl(member), owner.key, { level })
      expect(answer, String(level)).toMatchObject(invalid("level", "invalid_choice"))
    }
    expect(await app.patch(memberUrl(member), owner.key, { level: null })).toMatchObject(
      invalid("level", "null"),
    )
    const put = await app.call("PUT", memberUrl(member), { key: owner.key, body: {} })
    expect(put).toMatchObject(invalid("level", "required"))
    const patch = await app.patch(memberUrl(member), owner.key, {})
    expect(patch).toMatchObject({ status: 200, body: { level: 1 } })
  })

  test("is not for members to change, and that is said before the body is looked at", async () => {
    const { id, member, admin, memberUrl } = await addTeam()
    const other = await app.addMember(id)
    expect(await app.patch(memberUrl(other), member.key, { level: "junk" })).toMatchObject(denied)
    expect(await app.patch(memberUrl(admin), member.key, { level: 1 })).toMatchObject(denied)
    expect(await levelOf(id, other)).toBe(1)
  })

  test("of somebody above oneself cannot be changed, and that is said before the body is looked at", async () => {
    const { id, owner, admin, memberUrl } = await addTeam()
    expect(await app.patch(memberUrl(owner), admin.key, { level: "junk" })).toMatchObject(denied)
    expect(await app.patch(memberUrl(owner), admin.key, { level: 1 })).toMatchObject(denied)
    expect(await levelOf(id, owner)).toBe(15)
  })

  test("of oneself cannot be changed, neither up nor down, not even by an owner", async () => {
    const { id, url, owner, admin, member, memberUrl } = await addTeam()
    await app.patch(memberUrl(admin), owner.key, { level: 15 })
    for (const person of [owner, admin, member]) {
      const before = await levelOf(id, person)
      for (const level of [1, 8, 15]) {
        const answer = await app.patch(`${url}/members/@me`, person.key, { level })
        expect(answer).toMatchObject(denied)
      }
      expect(await levelOf(id, person)).toBe(before)
    }
    const wrong = await app.patch(`${url}/members/@me`, owner.key, { level: 3 })
    expect(wrong).toMatchObject(invalid("level", "invalid_choice"))
  })

  test("goes up to admin by an admin, and down again, but never to owner", async () => {
    const { id, admin, member, memberUrl } = await addTeam()
    for (const level of [8, 1, 8]) {
      const answer = await app.patch(memberUrl(member), admin.key, { level })
      expect(answer).toMatchObject({ status: 200, body: { level } })
    }
    expect(await app.patch(memberUrl(member), admin.key, { level: 15 })).toMatchObject(denied)
    expect(await levelOf(id, member)).toBe(8)
  })

  test("can be owner for several: who makes another owner stays one, and owners can demote each other", async () => {
    const { id, owner, admin, memberUrl } = await addTeam()
    await app.patch(memberUrl(admin), owner.key, { level: 15 })
    expect([await levelOf(id, owner), await levelOf(id, admin)]).toEqual([15, 15])
    expect(await app.patch(memberUrl(owner), admin.key, { level: 1 })).toMatchObject({
      status: 200,
      body: { level: 1 },
    })
    expect(await app.patch(memberUrl(admin), owner.key, { level: 1 })).toMatchObject(denied)
  })

  test("of nobody is 404: unknown, junk, or in another organization", async () => {
    const { url, owner } = await addTeam()
    const elsewhere = await addTeam()
    const junk = ["junk", "1", "@you", "%00", `${newUuid()}0`, newUuid(), elsewhere.member.uuid]
    for (const uuid of junk) {
      const answer = await app.patch(`${url}/members/${uuid}`, owner.key, { level: 8 })
      expect(answer, uuid).toMatchObject(missing)
    }
  })

  test("in somebody else's organization is 403, whoever is named", async () => {
    const { id, url, memberUrl, member } = await addTeam()
    const stranger = await addTeam()
    for (const uuid of [member.uuid, newUuid(), "@me"]) {
      const answer = await app.patch(`${url}/members/${uuid}`, stranger.owner.key, { level: 8 })
      expect(answer, uuid).toMatchObject(denied)
    }
    const reader = await app.addKey(stranger.owner.id, { scopes: ["organization_member:read"] })
    const own = stranger.memberUrl(stranger.member)
    expect(await app.patch(own, reader, { level: 8 })).toMatchObject(denied)
    expect(await app.call("PATCH", memberUrl(member), { body: { level: 8 } })).toMatchObject({
      status: 401,
    })
    expect(await levelOf(id, member)).toBe(1)
  })
})

describe("levels changed at the same time", () => {
  test("two admins who demote each other leave one admin: the slower one is no admin any more", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, admin, memberUrl } = await addTeam()
      const other = await app.addMember(id, "admin", "other")
      const answers = await Promise.all([
        app.patch(memberUrl(other), admin.key, { level: 1 }),
        app.patch(memberUrl(admin), other.key, { level: 1 }),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
      const levels = [await levelOf(id, admin), await levelOf(id, other)]
      expect(levels.toSorted()).toEqual([1, 8])
    }
  })

  test("two owners who demote each other leave one owner", async () => {
    const { id, owner, admin, memberUrl } = await addTeam()
    await app.patch(memberUrl(admin), owner.key, { level: 15 })
    const answers = await Promise.all([
      app.patch(memberUrl(admin), owner.key, { level: 8 }),
      app.patch(memberUrl(owner), admin.key, { level: 8 }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
    expect([await levelOf(id, owner), await levelOf(id, admin)].toSorted()).toEqual([15, 8])
  })

  test("a member who is promoted while being removed is removed", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, owner, admin, member, memberUrl } = await addTeam()
      const [promoted, removed] = await Promise.all([
        app.patch(memberUrl(member), owner.key, { level: 8 }),
        app.delete(memberUrl(member), admin.key),
      ])
      expect([200, 404]).toContain(promoted.status)
      expect(removed.status).toBe(204)
      expect(await levelOf(id, member)).toBe(0)
    }
  })
})
