import { describe, expect, test } from "vitest"
import { type Person, useTestApp } from "../../../test/support/app.ts"
import { newUuid } from "../../lib/ids.ts"
import { createProject } from "../projects/store.ts"

const app = useTestApp()

const denied = {
  status: 403,
  body: { type: "authentication_error", code: "permission_denied", attr: null },
}
const missing = { status: 404, body: { type: "invalid_request", code: "not_found", attr: null } }
const refused = {
  status: 400,
  body: { type: "validation_error", code: "invalid_input", attr: null },
}

async function addTeam() {
  const organization = await app.addOrganization()
  const { id, url, owner, project } = organization
  const [admin, member] = [await app.addMember(id, "admin"), await app.addMember(id)]
  const memberUrl = (person: { uuid: string }) => `${url}/members/${person.uuid}`
  return { id, url, owner, project, admin, member, memberUrl }
}

async function isMember(organizationId: string, person: { id: number }): Promise<boolean> {
  const rows = await app.db`
    select 1 from membership where organization_id = ${organizationId} and user_id = ${person.id}`
  return rows.length === 1
}

async function placeOf(person: { id: number }) {
  const [row] = await app.db`
    select current_organization_id as organization, current_project_id as project
    from app_user where id = ${person.id}`
  return row
}

async function makeOwner(organizationId: string, person: Person): Promise<void> {
  await app.db`update membership set level = 15
    where organization_id = ${organizationId} and user_id = ${person.id}`
}

describe("removing a member", () => {
  test("is done by an admin or an owner, for members and admins", async () => {
    const { id, url, owner, admin, member, memberUrl } = await addTeam()
    const { status, text } = await app.delete(`${memberUrl(member)}/`, admin.key)
    expect([status, text]).toEqual([204, ""])
    expect(await isMember(id, member)).toBe(false)
    const [entry] = await app.db`
      select user_id, activity, detail->>'name' as name from activity_log
      where organization_id = ${id} and scope = 'OrganizationMembership'`
    expect(entry).toEqual({ user_id: admin.id, activity: "deleted", name: member.email })
    const other = await app.addMember(id, "admin", "other")
    expect((await app.delete(memberUrl(other), admin.key)).status).toBe(204)
    expect((await app.delete(memberUrl(admin), owner.key)).status).toBe(204)
    expect((await app.get(`${url}/members`, owner.key)).body.count).toBe(1)
  })

  test("keeps the account and its keys, but the organization is closed to it", async () => {
    const { url, owner, member, memberUrl } = await addTeam()
    await app.delete(memberUrl(member), owner.key)
    expect(await app.get(`${url}/members`, member.key)).toMatchObject(denied)
    expect((await app.post("/api/organizations", member.key, { name: "Mine" })).status).toBe(201)
  })

  test("takes the grants on the organization's projects and no others", async () => {
    const { owner, member, project, memberUrl } = await addTeam()
    const elsewhere = await app.addOrganization()
    for (const { id } of [project, elsewhere.project]) {
      await app.db`insert into project_grant (project_id, user_id, level) values (${id}, ${member.id}, 8)`
    }
    await app.delete(memberUrl(member), owner.key)
    const grants = await app.db`select project_id from project_grant where user_id = ${member.id}`
    expect([...grants]).toEqual([{ project_id: elsewhere.project.id }])
  })

  test("is not for plain members, and nobody removes who is above them", async () => {
    const { id, owner, admin, member, memberUrl } = await addTeam()
    const other = await app.addMember(id, "member", "other")
    expect(await app.delete(memberUrl(other), member.key)).toMatchObject(denied)
    expect(await app.delete(memberUrl(admin), member.key)).toMatchObject(denied)
    expect(await app.delete(memberUrl(owner), admin.key)).toMatchObject(denied)
    expect(await isMember(id, other)).toBe(true)
    expect(await isMember(id, owner)).toBe(true)
  })

  test("an owner may remove another owner, because one owner remains", async () => {
    const { id, owner, admin, memberUrl } = await addTeam()
    await makeOwner(id, admin)
    expect((await app.delete(memberUrl(owner), admin.key)).status).toBe(204)
    expect(await isMember(id, owner)).toBe(false)
  })

  test("of nobody is 404, in somebody else's organization 403", async () => {
    const { id, url, owner, member, memberUrl } = await addTeam()
    const elsewhere = await addTeam()
    for (const uuid of ["junk", newUuid(), elsewhere.member.uuid]) {
      expect(await app.delete(`${url}/members/${uuid}`, owner.key), uuid).toMatchObject(missing)
    }
    expect(await app.delete(memberUrl(member), elsewhere.owner.key)).toMatchObject(denied)
    const reader = await app.addKey(owner.id, { scopes: ["organization_member:read"] })
    expect(await app.delete(memberUrl(member), reader)).toMatchObject(denied)
    expect(await isMember(id, member)).toBe(true)
    await app.delete(memberUrl(member), owner.key)
    expect(await app.delete(memberUrl(member), owner.key)).toMatchObject(missing)
  })
})

describe("leaving", () => {
  test("is free to members and admins, by @me or by their own uuid", async () => {
    const { id, url, admin, member, memberUrl } = await addTeam()
    expect((await app.delete(`${url}/members/@me`, member.key)).status).toBe(204)
    expect((await app.delete(memberUrl(admin), admin.key)).status).toBe(204)
    expect([await isMember(id, member), await isMember(id, admin)]).toEqual([false, false])
    expect(await app.delete(`${url}/members/@me`, member.key)).toMatchObject(denied)
  })

  test("is refused to the only owner", async () => {
    const { id, url, owner } = await addTeam()
    expect(await app.delete(`${url}/members/@me`, owner.key)).toMatchObject(refused)
    expect(await isMember(id, owner)).toBe(true)
  })

  test("is free to an owner while another active owner is there", async () => {
    const { id, url, owner, admin } = await addTeam()
    await makeOwner(id, admin)
    await app.db`update app_user set is_active = false where id = ${admin.id}`
    expect(await app.delete(`${url}/members/@me`, owner.key)).toMatchObject(refused)
    await app.db`update app_user set is_active = true where id = ${admin.id}`
    expect((await app.delete(`${url}/members/@me`, owner.key)).status).toBe(204)
    expect(await app.delete(`${url}/members/@me`, admin.key)).toMatchObject(refused)
  })

  test("two owners who leave at once do not leave the organization without one", async () => {
    const { id, url, owner, admin } = await addTeam()
    await makeOwner(id, admin)
    const answers = await Promise.all(
      [owner, admin].map(({ key }) => app.delete(`${url}/members/@me`, key)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400])
    const left = await app.db`
      select 1 from membership where organization_id = ${id} and level = 15`
    expect(left).toHaveLength(1)
  })
})

describe("where somebody who is removed finds themselves", () => {
  test("is their first other organization and its first project they can see", async () => {
    const { owner, member, memberUrl } = await addTeam()
    const other = await app.addOrganization()
    await app.db`update project set access_control = true where id = ${other.project.id}`
    const draft = { organization_id: other.id, name: "Open", now: app.clock.now() }
    const open = await createProject(app.db, draft)
    await app.db`
      insert into membership (id, organization_id, user_id, level, joined_at, updated_at)
      values (${newUuid()}, ${other.id}, ${member.id}, 1, now(), now())`
    await app.delete(memberUrl(member), owner.key)
    expect(await placeOf(member)).toEqual({ organization: other.id, project: open.id })
  })

  test("is nowhere when they have no other organization", async () => {
    const { owner, member, memberUrl } = await addTeam()
    await app.delete(memberUrl(member), owner.key)
    expect(await placeOf(member)).toEqual({ organization: null, project: null })
    expect(await app.get("/api/organizations/@current/members", member.key)).toMatchObject(missing)
  })

  test("is where they were when that was another organization", async () => {
    const { owner, member, memberUrl } = await addTeam()
    const other = await app.addOrganization()
    await app.db`
      update app_user set current_organization_id = ${other.id}, current_project_id = ${other.project.id}
      where id = ${member.id}`
    await app.delete(memberUrl(member), owner.key)
    expect(await placeOf(member)).toEqual({ organization: other.id, project: other.project.id })
  })

  test("is their third organization when two remove them at once", async () => {
    for (let round = 0; round < 5; round++) {
      const [first, second, third] = [await addTeam(), await addTeam(), await app.addOrganization()]
      const { member } = first
      for (const { id } of [second, third]) {
        await app.db`
          insert into membership (id, organization_id, user_id, level, joined_at, updated_at)
          values (${newUuid()}, ${id}, ${member.id}, 1, now(), now())`
      }
      const answers = await Promise.all(
        [first, second].map(({ url, owner }) =>
          app.delete(`${url}/members/${member.uuid}`, owner.key),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual([204, 204])
      expect(await placeOf(member)).toEqual({ organization: third.id, project: third.project.id })
    }
  })
})
