import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"

const app = useTestApp()

const denied = {
  status: 403,
  body: { type: "authentication_error", code: "permission_denied", attr: null },
}

function invalid(attr: string | null, code = "invalid_input") {
  return { status: 400, body: { type: "validation_error", code, attr } }
}

function drafts(count: number) {
  return Array.from({ length: count }, (_, index) => ({ target_email: `p${index}@example.com` }))
}

async function addTeam() {
  const { id, url, owner } = await app.addOrganization()
  return { id, bulk: `${url}/invites/bulk`, owner, member: await app.addMember(id) }
}

async function countOf(organizationId: string): Promise<number> {
  const rows = await app.db`select 1 from invite where organization_id = ${organizationId}`
  return rows.length
}

describe("inviting many", () => {
  test("answers a list with a list, in the same order", async () => {
    const { id, bulk, member } = await addTeam()
    const { status, body } = await app.post(`${bulk}/`, member.key, drafts(7))
    expect(status).toBe(200)
    expect(body.map((invite: { target_email: string }) => invite.target_email)).toEqual(
      drafts(7).map(({ target_email }) => target_email),
    )
    expect(await countOf(id)).toBe(7)
    const entries = await app.db`select 1 from activity_log
      where organization_id = ${id} and scope = 'OrganizationInvite' and activity = 'created'`
    expect(entries).toHaveLength(7)
  })

  test("answers one invite with one invite", async () => {
    const { bulk, member } = await addTeam()
    const { status, body } = await app.post(bulk, member.key, { target_email: "ana@example.com" })
    expect(status).toBe(200)
    expect(body).toMatchObject({ target_email: "ana@example.com", level: 1 })
  })

  test("takes an empty list and does nothing", async () => {
    const { bulk, member } = await addTeam()
    expect(await app.post(bulk, member.key, [])).toMatchObject({ status: 200, body: [] })
  })

  test("takes up to 20 and not one more", async () => {
    const { id, bulk, member } = await addTeam()
    expect(await app.post(bulk, member.key, drafts(21))).toMatchObject(invalid(null, "max_length"))
    expect(await countOf(id)).toBe(0)
    expect((await app.post(bulk, member.key, drafts(20))).status).toBe(200)
    expect(await countOf(id)).toBe(20)
  })

  test("is refused when it is neither a list nor an invite", async () => {
    const { bulk, member } = await addTeam()
    for (const body of ["7", '"ana@example.com"', "null", "true"]) {
      const headers = { "content-type": "application/json" }
      const answer = await app.call("POST", bulk, { key: member.key, body, headers })
      expect(answer, body).toMatchObject(invalid(null))
    }
    expect(await app.call("POST", bulk, { key: member.key })).toMatchObject(
      invalid("target_email", "required"),
    )
  })

  test("creates nothing when one item is wrong; the answer names its place and its field", async () => {
    const { id, bulk, owner } = await addTeam()
    const wrong: readonly [unknown, string | null, string][] = [
      [{ target_email: null }, "target_email", "null"],
      [{}, "target_email", "required"],
      [{ target_email: "ana" }, "target_email", "invalid_input"],
      [{ target_email: "ana@example.com", level: 3 }, "level", "invalid_choice"],
      [
        { target_email: "ana@example.com", private_project_access: 7 },
        "private_project_access",
        "invalid_input",
      ],
      ["ana@example.com", null, "invalid_input"],
      [null, null, "invalid_input"],
      [[], null, "invalid_input"],
    ]
    for (const [item, attr, code] of wrong) {
      const answer = await app.post(bulk, owner.key, [...drafts(2), item, ...drafts(1)])
      expect(answer, JSON.stringify(item)).toMatchObject(invalid(attr, code))
      expect(answer.body.detail).toContain("Item 2")
    }
    expect(await countOf(id)).toBe(0)
  })

  test("creates nothing when one level is too high, one address is a member, or one comes twice", async () => {
    const { id, bulk, owner, member } = await addTeam()
    const high = [...drafts(2), { target_email: "ana@example.com", level: 8 }]
    expect(await app.post(bulk, member.key, high)).toMatchObject(denied)
    const known = [...drafts(2), { target_email: owner.email }]
    expect(await app.post(bulk, member.key, known)).toMatchObject(invalid(null))
    const twice = [...drafts(2), { target_email: "P0@example.com" }]
    expect(await app.post(bulk, member.key, twice)).toMatchObject(invalid("target_email"))
    expect(await countOf(id)).toBe(0)
  })

  test("replaces earlier invites of the same addresses", async () => {
    const { id, bulk, member } = await addTeam()
    const first = await app.post(bulk, member.key, drafts(3))
    const second = await app.post(bulk, member.key, drafts(3))
    expect(second.body[0].id).not.toBe(first.body[0].id)
    expect(await countOf(id)).toBe(3)
  })
})
