import { describe, expect, test } from "vitest"
import { START, useTestApp } from "../../../test/support/app.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()

const denied = {
  status: 403,
  body: { type: "authentication_error", code: "permission_denied", attr: null },
}

function invalid(attr: string | null, code = "invalid_input") {
  return { status: 400, body: { type: "validation_error", code, attr } }
}

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

describe("a new invite", () => {
  test("has defaults for everything but the address", async () => {
    const { id, invites, member } = await addTeam()
    const { status, body } = await app.post(`${invites}/`, member.key, {
      target_email: "ana@example.com",
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      target_email: "ana@example.com",
      first_name: "",
      emailing_attempt_made: false,
      level: 1,
      is_expired: false,
      created_by: expect.objectContaining({ id: member.id, email: member.email }),
      created_at: START,
      updated_at: START,
      message: null,
      private_project_access: [],
      send_email: true,
    })
    expect((await app.get(invites, member.key)).body.results).toEqual([body])
    const [entry] = await app.db`
      select user_id, activity, item_id, detail->>'name' as name from activity_log
      where organization_id = ${id} and scope = 'OrganizationInvite'`
    expect(entry).toEqual({
      user_id: member.id,
      activity: "created",
      item_id: body.id,
      name: "ana@example.com",
    })
  })

  test("takes first name, level and message; what only the server knows is ignored", async () => {
    const { invites, owner } = await addTeam()
    const draft = {
      target_email: " Ana.Smith@EXAMPLE.Com ",
      first_name: "Ana",
      level: 15,
      message: "Come in!",
    }
    const readOnly = { id: newUuid(), is_expired: true, emailing_attempt_made: true, created_by: 1 }
    const { body } = await app.post(invites, owner.key, { ...draft, ...readOnly })
    expect(body).toMatchObject({
      ...draft,
      target_email: "Ana.Smith@example.com",
      is_expired: false,
      emailing_attempt_made: false,
    })
    expect(
      (await app.post(invites, owner.key, { ...draft, send_email: false })).body.send_email,
    ).toBe(false)
  })

  test("needs one plain address", async () => {
    const { id, invites, owner } = await addTeam()
    expect(await app.post(invites, owner.key)).toMatchObject(invalid("target_email", "required"))
    const wrong: readonly [unknown, string][] = [
      [null, "null"],
      ["", "blank"],
      ["  ", "blank"],
      [7, "invalid_input"],
      ["ana", "invalid_input"],
      ["ana@example", "invalid_input"],
      ["@example.com", "invalid_input"],
      ["ana@@example.com", "invalid_input"],
      ["ana..b@example.com", "invalid_input"],
      ["ana@-example.com", "invalid_input"],
      ["ana@example.com, bo@example.com", "invalid_input"],
      ["Ana <ana@example.com>", "invalid_input"],
      ["ana@example.com\r\nBcc: bo@example.com", "invalid_input"],
      [`${"a".repeat(250)}@example.com`, "max_length"],
    ]
    for (const [target_email, code] of wrong) {
      const answer = await app.post(invites, owner.key, { target_email })
      expect(answer, String(target_email)).toMatchObject(invalid("target_email", code))
    }
    expect(await addressesOf(id)).toEqual([])
    for (const target_email of [
      "o'neil+tag@a-b.example.co.uk",
      "x@1.museum",
      "a_b@xn--p1ai.xn--p1ai",
    ]) {
      expect((await app.post(invites, owner.key, { target_email })).status).toBe(201)
    }
  })

  test("keeps its fields within their bounds", async () => {
    const { invites, owner } = await addTeam()
    const post = (draft: object) =>
      app.post(invites, owner.key, { target_email: "ana@example.com", ...draft })
    expect(await post({ first_name: "a".repeat(31) })).toMatchObject(
      invalid("first_name", "max_length"),
    )
    expect(await post({ first_name: null })).toMatchObject(invalid("first_name", "null"))
    expect(await post({ level: 2 })).toMatchObject(invalid("level", "invalid_choice"))
    expect(await post({ level: "8" })).toMatchObject(invalid("level", "invalid_choice"))
    expect(await post({ message: "a".repeat(2_001) })).toMatchObject(
      invalid("message", "max_length"),
    )
    expect(await post({ send_email: "maybe" })).toMatchObject(invalid("send_email"))
    expect(await post({ message: null, first_name: "" })).toMatchObject({ status: 201 })
  })

  test("cannot be above the inviter's own level, and may equal it", async () => {
    const { id, invites, owner, member } = await addTeam()
    const admin = await app.addMember(id, "admin")
    const post = (key: string, level: number) =>
      app.post(invites, key, { target_email: "ana@example.com", level })
    expect(await post(member.key, 8)).toMatchObject(denied)
    expect(await post(member.key, 15)).toMatchObject(denied)
    expect(await post(admin.key, 15)).toMatchObject(denied)
    expect(await addressesOf(id)).toEqual([])
    expect((await post(member.key, 1)).status).toBe(201)
    expect((await post(admin.key, 8)).status).toBe(201)
    expect((await post(owner.key, 15)).status).toBe(201)
  })

  test("is not for somebody who already is a member, whatever the case of the address", async () => {
    const { id, invites, owner, member } = await addTeam()
    for (const target_email of [member.email, member.email.toUpperCase()]) {
      expect(await app.post(invites, owner.key, { target_email })).toMatchObject(invalid(null))
    }
    expect(await addressesOf(id)).toEqual([])
    const elsewhere = await addTeam()
    const other = await app.post(elsewhere.invites, elsewhere.owner.key, {
      target_email: member.email,
    })
    expect(other.status).toBe(201)
  })
})

describe("inviting again", () => {
  test("replaces every earlier invite of the address, expired or in another case, with a new one", async () => {
    const { id, invites, owner } = await addTeam()
    const first = await app.post(invites, owner.key, { target_email: "ana@example.com", level: 8 })
    await app.db`update invite set created_at = '2026-01-01' where id = ${first.body.id}`
    const second = await app.post(invites, owner.key, { target_email: "ANA@example.com" })
    expect(second.body.id).not.toBe(first.body.id)
    expect(second.body).toMatchObject({ level: 1, is_expired: false })
    const third = await app.post(invites, owner.key, { target_email: "ana@example.com" })
    expect(third.status).toBe(201)
    expect(await addressesOf(id)).toEqual(["ana@example.com"])
  })

  test("leaves the invites of other organizations alone", async () => {
    const [here, there] = [await addTeam(), await addTeam()]
    await app.post(there.invites, there.owner.key, { target_email: "ana@example.com" })
    await app.post(here.invites, here.owner.key, { target_email: "ana@example.com" })
    expect(await addressesOf(there.id)).toHaveLength(1)
  })

  test("combines with what is pending when asked to: the higher level, all projects", async () => {
    const { invites, owner, project } = await addTeam()
    const post = (draft: object) =>
      app.post(invites, owner.key, { target_email: "ana@example.com", ...draft })
    await post({ level: 8, private_project_access: [{ id: project.id, level: 8 }] })
    const combined = await post({ combine_pending_invites: true, level: 1 })
    expect(combined.body).toMatchObject({
      level: 8,
      private_project_access: [{ id: project.id, level: 8 }],
    })
    const again = await post({
      combine_pending_invites: true,
      private_project_access: [{ id: project.id, level: 1 }],
    })
    expect(again.body.private_project_access).toEqual([{ id: project.id, level: 8 }])
    expect((await post({ combine_pending_invites: false })).body).toMatchObject({
      level: 1,
      private_project_access: [],
    })
  })

  test("combines with nothing that is above what the inviter may give", async () => {
    const { id, invites, owner, project } = await addTeam()
    const member = await app.addMember(id)
    const draft = { target_email: "ana@example.com" }
    const combining = { ...draft, combine_pending_invites: true }
    await app.post(invites, owner.key, { ...draft, level: 15 })
    const denied = await app.post(invites, member.key, combining)
    expect(denied.status).toBe(403)
    expect(denied.body.code).toBe("permission_denied")

    await app.db`update project set access_control = true where id = ${project.id}`
    const private_project_access = [{ id: project.id, level: 8 }]
    await app.post(invites, owner.key, { ...draft, private_project_access })
    const refused = await app.post(invites, member.key, combining)
    expect(refused.status).toBe(400)
    expect(refused.body.attr).toBe("private_project_access")
    expect((await app.get(invites, owner.key)).body.results).toMatchObject([
      { private_project_access },
    ])
  })

  test("combines with nothing that has expired", async () => {
    const { id, invites, owner } = await addTeam()
    const draft = { target_email: "ana@example.com" }
    await app.post(invites, owner.key, { ...draft, level: 8 })
    await app.db`update invite set created_at = '2026-01-01' where organization_id = ${id}`
    const { body } = await app.post(invites, owner.key, { ...draft, combine_pending_invites: true })
    expect(body.level).toBe(1)
  })

  test("fifty times at once leaves exactly one invite", async () => {
    const { id, invites, owner, member } = await addTeam()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        app.post(invites, index % 2 === 0 ? owner.key : member.key, {
          target_email: index % 3 === 0 ? "Ana@example.com" : "ana@example.com",
        }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const left = await app.db<{ id: string }[]>`select id from invite where organization_id = ${id}`
    expect(left).toHaveLength(1)
    expect(answers.map(({ body }) => body.id)).toContain(left[0]?.id)
  })
})
