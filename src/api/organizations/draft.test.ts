import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()
const BASE = "/api/organizations"
const NOBODYS = "0195a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"

/** A picture somebody has uploaded. */
async function addPicture(organizationId: string): Promise<string> {
  const id = newUuid()
  await app.db`
    insert into media (id, organization_id, file_name, content_type, content, created_at)
    values (${id}, ${organizationId}, 'logo.png', 'image/png', '', now())`
  return id
}

describe("a new organization", () => {
  test("has its maker as owner, a first project, and every field of the contract", async () => {
    const ana = await app.addUser()
    const { status, body } = await app.post(`${BASE}/`, ana.key, { name: "  Green Garden " })
    expect(status).toBe(201)
    const [project] = body.teams
    expect(body).toStrictEqual({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
      name: "Green Garden",
      slug: "green-garden",
      logo_media_id: null,
      created_at: "2026-03-02T10:00:00Z",
      updated_at: "2026-03-02T10:00:00Z",
      membership_level: 15,
      plugins_access_level: 9,
      teams: [project],
      available_product_features: [],
      is_member_join_email_enabled: true,
      metadata: '{"instance_tag": "none"}',
      customer_id: null,
      enforce_2fa: null,
      member_count: "1",
    })
    expect(project).toStrictEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      organization: body.id,
      project_id: project.id,
      api_token: expect.stringMatching(/^phc_/),
      name: "Default project",
      completed_snippet_onboarding: false,
      has_completed_onboarding_for: null,
      ingested_event: false,
      is_demo: false,
      timezone: "UTC",
      access_control: false,
    })
  })

  test("takes what may be given, and becomes the maker's current one with its project", async () => {
    const { owner, id } = await app.addOrganization()
    const logo_media_id = await addPicture(id)
    const given = { is_member_join_email_enabled: false, enforce_2fa: true, logo_media_id }
    const { status, body } = await app.post(BASE, owner.key, { name: "Second", ...given })
    expect(status).toBe(201)
    expect(body).toMatchObject(given)
    const { body: current } = await app.get(`${BASE}/@current`, owner.key)
    expect(current).toEqual(body)
    const rows = await app.db`select current_project_id from app_user where id = ${owner.id}`
    expect(rows).toEqual([{ current_project_id: body.teams[0].id }])
  })

  test("ignores what is not the caller's to say", async () => {
    const { key } = await app.addUser()
    const forged = { id: newUuid(), slug: "mine", plugins_access_level: 6, customer_id: "x" }
    const read = { membership_level: 1, member_count: "9", created_at: "1999-01-01T00:00:00Z" }
    const { status, body } = await app.post(BASE, key, { name: "Ignoring", ...forged, ...read })
    expect(status).toBe(201)
    expect(body).toMatchObject({ slug: "ignoring", plugins_access_level: 9, customer_id: null })
    expect(body).toMatchObject({ membership_level: 15, member_count: "1" })
    expect(body.id).not.toBe(forged.id)
  })

  test("whose slug is taken gets four letters behind it", async () => {
    const { key } = await app.addUser()
    const name = `#${"Q".repeat(60)}`
    const first = await app.post(BASE, key, { name })
    const second = await app.post(BASE, key, { name })
    expect(first.body.slug).toBe("q".repeat(48))
    expect(second.body.slug).toMatch(/^q{43}-[a-z]{4}$/)
  })

  test("is not made by a key that is limited to some", async () => {
    const { owner, id, project } = await app.addOrganization()
    for (const limits of [{ organizations: [id] }, { projects: [project.id] }]) {
      const key = await app.addKey(owner.id, limits)
      const { status, body } = await app.post(BASE, key, { name: "Mine" })
      expect(status).toBe(403)
      expect(body).toMatchObject({ type: "authentication_error", code: "permission_denied" })
    }
  })
})

describe("a wrong field", () => {
  const wrong: readonly (readonly [object, string, string])[] = [
    [{ name: "" }, "blank", "name"],
    [{ name: "   " }, "blank", "name"],
    [{ name: "x".repeat(65) }, "max_length", "name"],
    [{ name: null }, "null", "name"],
    [{ name: 5 }, "invalid_input", "name"],
    [{ name: {} }, "invalid_input", "name"],
    [{ name: "a\u0000" }, "invalid_input", "name"],
    [{ name: "x", is_member_join_email_enabled: null }, "null", "is_member_join_email_enabled"],
    [
      { name: "x", is_member_join_email_enabled: 1 },
      "invalid_input",
      "is_member_join_email_enabled",
    ],
    [{ name: "x", enforce_2fa: "yes" }, "invalid_input", "enforce_2fa"],
    [{ name: "x", logo_media_id: "logo" }, "invalid_input", "logo_media_id"],
    [{ name: "x", logo_media_id: 5 }, "invalid_input", "logo_media_id"],
    [{ name: "x", logo_media_id: NOBODYS }, "does_not_exist", "logo_media_id"],
    [
      { name: "x", logo_media_id: "11111111-1111-1111-1111-111111111111" },
      "does_not_exist",
      "logo_media_id",
    ],
  ]

  test.each(wrong)("%j is %s, whether made or changed", async (body, code, attr) => {
    const { owner, url } = await app.addOrganization()
    const calls = [
      ["POST", BASE],
      ["PUT", url],
      ["PATCH", url],
    ] as const
    for (const [method, at] of calls) {
      const answer = await app.call(method, at, { key: owner.key, body })
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ type: "validation_error", code, attr })
    }
    expect((await app.get(url, owner.key)).body.name).toBe("Acme")
  })

  test("the name is required to make one and to replace one, not to change one", async () => {
    const { owner, url } = await app.addOrganization()
    const required = { type: "validation_error", code: "required", attr: "name" }
    expect((await app.post(BASE, owner.key, {})).body).toMatchObject(required)
    const put = await app.call("PUT", url, { key: owner.key, body: { enforce_2fa: true } })
    expect(put.body).toMatchObject(required)
    expect((await app.patch(url, owner.key, { enforce_2fa: true })).status).toBe(200)
  })

  test("a picture of an organization that is not the caller's does not exist", async () => {
    const { owner, url } = await app.addOrganization()
    const other = await app.addOrganization()
    const logo_media_id = await addPicture(other.id)
    const { status, body } = await app.patch(url, owner.key, { logo_media_id })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: "does_not_exist", attr: "logo_media_id" })
  })
})
