import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()

const denied = { type: "authentication_error", code: "permission_denied", attr: null }
const missing = { type: "invalid_request", code: "not_found", attr: null }

async function addPrivateProject() {
  const organization = await app.addOrganization()
  const { owner, project } = organization
  await app.patch(`/api/projects/${project.id}`, owner.key, { access_control: true })
  const member = await app.addMember(organization.id)
  const url = `/api/projects/${project.id}`
  const invite = (user_uuid: string, level?: unknown) =>
    app.post(`${url}/explicit_members`, owner.key, { user_uuid, level })
  return {
    organization,
    owner,
    member,
    id: project.id,
    url,
    members: `${url}/explicit_members`,
    invite,
  }
}

describe("somebody let into a private project", () => {
  test("sees it at the given level, until the access is taken back", async () => {
    const { organization, member, members, url, owner, id, invite } = await addPrivateProject()
    expect((await app.get(url, member.key)).status).toBe(404)
    const { status, body } = await invite(member.uuid)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      user: { uuid: member.uuid, email: member.email },
      level: 1,
      parent_level: 1,
      effective_level: 1,
    })
    expect((await app.get(url, member.key)).body.effective_membership_level).toBe(1)
    const listed = await app.get(`${members}/`, owner.key)
    expect(listed.body).toEqual({ count: 1, next: null, previous: null, results: [body] })

    const one = `${members}/${member.uuid}`
    const raised = await app.patch(one, owner.key, { level: 8 })
    expect(raised).toMatchObject({ status: 200, body: { level: 8, effective_level: 8 } })
    expect((await app.get(url, member.key)).body.effective_membership_level).toBe(8)
    expect((await app.get(members, member.key)).status).toBe(200)

    await app.db`update app_user set current_project_id = ${id} where id = ${member.id}`
    expect(await app.delete(one, owner.key)).toMatchObject({ status: 204, text: "" })
    expect((await app.get(url, member.key)).status).toBe(404)
    expect((await app.delete(one, owner.key)).status).toBe(404)
    const [user] = await app.db`select current_project_id from app_user where id = ${member.id}`
    expect(user).toEqual({ current_project_id: null })

    const rows = await app.db<{ changes: unknown[] }[]>`
      select detail->'changes' as changes from activity_log
      where organization_id = ${organization.id} and scope = 'Project' order by id`
    const change = { type: "Project", field: "explicit_members" }
    const [low, high] = [1, 8].map((level) => ({ user: member.uuid, level }))
    expect(rows.slice(1).flatMap(({ changes }) => changes)).toEqual([
      { ...change, action: "created", before: null, after: low },
      { ...change, action: "changed", before: low, after: high },
      { ...change, action: "deleted", before: high, after: null },
    ])
  })

  test("keeps the level of the organization when that is higher", async () => {
    const { organization, invite } = await addPrivateProject()
    const admin = await app.addMember(organization.id, "admin")
    const { body } = await invite(admin.uuid)
    expect(body).toMatchObject({ level: 1, parent_level: 8, effective_level: 8 })
  })

  test("has no use of it while the project is open to all", async () => {
    const { member, url, owner, invite } = await addPrivateProject()
    await app.patch(url, owner.key, { access_control: false })
    const { body } = await invite(member.uuid, 8)
    expect(body).toMatchObject({ level: 8, parent_level: 1, effective_level: 1 })
    expect((await app.get(url, member.key)).body.effective_membership_level).toBe(1)
  })

  test("is let in once, also by two at the same time", async () => {
    const { member, invite } = await addPrivateProject()
    const answers = await Promise.all([invite(member.uuid), invite(member.uuid, 8)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
    const refused = answers.find(({ status }) => status === 400)
    expect(refused?.body).toMatchObject({
      type: "validation_error",
      code: "unique",
      attr: "user_uuid",
    })
  })

  test("must belong to the organization", async () => {
    const { invite } = await addPrivateProject()
    const stranger = await app.addUser()
    for (const uuid of [stranger.uuid, newUuid()]) {
      const { status, body } = await invite(uuid)
      expect(status).toBe(400)
      expect(body).toMatchObject({
        type: "validation_error",
        code: "does_not_exist",
        attr: "user_uuid",
      })
    }
  })

  test.each([
    ["user_uuid", {}, "required"],
    ["user_uuid", { user_uuid: "junk" }, "invalid_input"],
    ["level", { user_uuid: newUuid(), level: 15 }, "invalid_choice"],
    ["level", { user_uuid: newUuid(), level: "1" }, "invalid_choice"],
  ])("needs a right %s", async (attr, sent, code) => {
    const { members, owner } = await addPrivateProject()
    const { status, body } = await app.post(members, owner.key, sent)
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: "validation_error", code, attr })
  })

  test("is changed as a whole only with a level", async () => {
    const { members, member, owner, invite } = await addPrivateProject()
    await invite(member.uuid)
    const one = `${members}/${member.uuid}`
    expect(await app.call("PUT", one, { key: owner.key, body: {} })).toMatchObject({
      status: 400,
      body: { type: "validation_error", code: "required", attr: "level" },
    })
    expect((await app.patch(one, owner.key, {})).body.level).toBe(1)
  })
})

describe("letting people in", () => {
  test("is for administrators of the project", async () => {
    const { organization, member, members, owner, invite } = await addPrivateProject()
    await invite(member.uuid)
    const one = `${members}/${member.uuid}`
    const stranger = (await app.addOrganization()).owner
    const hidden = await app.addMember(organization.id, "member", "hidden")
    for (const { key } of [member, stranger, hidden]) {
      const refused = [
        await app.get(members, key),
        await app.post(members, key, { user_uuid: hidden.uuid }),
        await app.patch(one, key, { level: 8 }),
        await app.delete(one, key),
      ]
      for (const answer of refused) expect(answer).toMatchObject({ status: 403, body: denied })
    }
    const reader = await app.addKey(owner.id, { scopes: ["project:read"] })
    expect((await app.get(members, reader)).status).toBe(200)
    expect(await app.delete(one, reader)).toMatchObject({ status: 403, body: denied })
  })

  test("finds nobody under an odd or unknown id", async () => {
    const { members, owner, member } = await addPrivateProject()
    for (const uuid of ["junk", newUuid(), member.uuid]) {
      const answer = await app.patch(`${members}/${uuid}`, owner.key, { level: "x" })
      expect(answer).toMatchObject({ status: 404, body: missing })
      expect((await app.delete(`${members}/${uuid}`, owner.key)).status).toBe(404)
    }
  })
})
