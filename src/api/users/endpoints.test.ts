import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { givePassword } from "../../../test/support/browser.ts"
import { createProject } from "../projects/store.ts"

const app = useTestApp()
const ME = "/api/users/@me/"

async function addProject(organizationId: string, isPrivate = false): Promise<number> {
  const draft = { organization_id: organizationId, name: "Second", now: app.clock.now() }
  const { id } = await createProject(app.db, draft)
  await app.db`update project set access_control = ${isPrivate} where id = ${id}`
  return id
}

describe("the caller", () => {
  test("is described with places, settings and no secret", async () => {
    const acme = await app.addOrganization()
    const { owner } = acme
    await givePassword(app, owner)
    const { status, body, text } = await app.get(ME, owner.key)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: owner.id,
      uuid: owner.uuid,
      distinct_id: expect.stringMatching(/^\w{43}$/),
      date_joined: "2026-03-02T10:00:00Z",
      first_name: "owner",
      last_name: "",
      email: owner.email,
      pending_email: null,
      is_email_verified: true,
      email_opt_in: false,
      notification_settings: {},
      anonymize_data: false,
      toolbar_mode: null,
      theme_mode: null,
      hedgehog_config: null,
      events_column_config: { active: "DEFAULT" },
      scene_personalisation: [],
      has_password: true,
      has_social_auth: false,
      is_2fa_enabled: false,
      is_staff: false,
      is_impersonated: false,
      team: expect.objectContaining({ id: acme.project.id, organization: acme.id }),
      organization: expect.objectContaining({ id: acme.id, membership_level: 15 }),
      organizations: [
        {
          id: acme.id,
          name: "Acme",
          slug: expect.any(String),
          logo_media_id: null,
          membership_level: 15,
        },
      ],
    })
    expect(text).not.toContain("scrypt")
    expect(text).not.toContain("phx_")
  })

  test("is found under the own UUID, too", async () => {
    const ana = await app.addUser()
    for (const name of [ana.uuid, ana.uuid.toUpperCase(), "%40me"]) {
      expect((await app.get(`/api/users/${name}`, ana.key)).body.email).toBe(ana.email)
    }
  })

  test("sees nobody else: another user is as unknown as junk", async () => {
    const [ana, bo] = [await app.addUser("ana"), await app.addUser("bo")]
    for (const name of [bo.uuid, String(bo.id), "@you", "x", "%00", "1".repeat(400)]) {
      for (const answer of [
        await app.get(`/api/users/${name}`, ana.key),
        await app.patch(`/api/users/${name}`, ana.key, { first_name: 5 }),
      ]) {
        expect(answer.status).toBe(404)
        expect(answer.body).toMatchObject({
          type: "invalid_request",
          code: "not_found",
          attr: null,
        })
      }
    }
  })

  test("without an organization has no places", async () => {
    const ana = await app.addUser()
    const { body } = await app.get(ME, ana.key)
    expect(body).toMatchObject({ team: null, organization: null, organizations: [] })
  })

  test("who left the current organization is in the first of the others", async () => {
    const acme = await app.addOrganization()
    const { owner } = acme
    const second = await app.post("/api/organizations", owner.key, { name: "Second" })
    expect((await app.get(ME, owner.key)).body.organization.id).toBe(second.body.id)
    await app.db`
      delete from membership where user_id = ${owner.id} and organization_id = ${second.body.id}`
    const { body } = await app.get(ME, owner.key)
    expect(body.organization.id).toBe(acme.id)
    expect(body.team.id).toBe(acme.project.id)
  })

  test.each([
    ["GET", "user:read"],
    ["PATCH", "user:write"],
  ])("is a %s with the scope %s", async (method, scope) => {
    const ana = await app.addUser("ana", ["organization:write"])
    const { status, body } = await app.call(method, ME, { key: ana.key, body: undefined })
    expect(status).toBe(403)
    expect(body.detail).toContain(`'${scope}'`)
    const key = await app.addKey(ana.id, { scopes: [scope] })
    expect((await app.call(method, ME, { key })).status).toBe(200)
  })

  test("has no PUT and no DELETE", async () => {
    const ana = await app.addUser()
    for (const method of ["PUT", "DELETE", "POST"]) {
      expect((await app.call(method, ME, { key: ana.key })).status).toBe(405)
    }
  })
})

describe("settings", () => {
  const changes = {
    first_name: "Ana",
    last_name: "Hazel",
    email_opt_in: true,
    anonymize_data: true,
    theme_mode: "dark",
    toolbar_mode: "toolbar",
    hedgehog_config: { color: "green", use_as_profile: true },
    notification_settings: { plugin_disabled: false },
    events_column_config: { active: ["event", "person"] },
  }

  test("are changed, answered, and there at the next read", async () => {
    const ana = await app.addUser()
    const answer = await app.patch(ME, ana.key, changes)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject(changes)
    expect((await app.get(ME, ana.key)).body).toEqual(answer.body)
    const nulls = { theme_mode: null, toolbar_mode: null, hedgehog_config: null, last_name: "" }
    expect((await app.patch(ME, ana.key, nulls)).body).toMatchObject({ ...changes, ...nulls })
  })

  test("that are not writable are ignored, so that a whole answer can be sent back", async () => {
    const { owner } = await app.addOrganization()
    const { body } = await app.get(ME, owner.key)
    const sent = { ...body, id: 1, is_staff: true, has_password: true, is_email_verified: false }
    const answer = await app.patch(ME, owner.key, { ...sent, team: null, organization: null })
    expect([answer.status, answer.body]).toEqual([200, body])
  })

  test.each([
    ["first_name", "blank", { first_name: "" }],
    ["first_name", "null", { first_name: null }],
    ["first_name", "max_length", { first_name: "x".repeat(151) }],
    ["last_name", "max_length", { last_name: "x".repeat(151) }],
    ["email_opt_in", "invalid_input", { email_opt_in: "yes" }],
    ["theme_mode", "invalid_choice", { theme_mode: "pink" }],
    ["toolbar_mode", "invalid_choice", { toolbar_mode: "pink" }],
    ["hedgehog_config", "invalid_input", { hedgehog_config: [] }],
    ["hedgehog_config", "max_length", { hedgehog_config: { a: "x".repeat(20_000) } }],
    ["notification_settings__a", "invalid_input", { notification_settings: { a: 1 } }],
    ["events_column_config", "null", { events_column_config: null }],
    ["email", "invalid_input", { email: "no address" }],
    ["set_current_organization", "invalid_input", { set_current_organization: "x" }],
    ["set_current_team", "invalid_input", { set_current_team: "x" }],
    ["set_current_team", "max_value", { set_current_team: 2 ** 40 }],
  ])("are refused: %s is %s", async (attr, code, body) => {
    const ana = await app.addUser()
    const answer = await app.patch(ME, ana.key, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ type: "validation_error", code, attr })
  })

  test("leave a trace that names what changed", async () => {
    const ana = await app.addUser()
    await app.patch(ME, ana.key, { first_name: "Ana", last_name: "" })
    await app.patch(ME, ana.key, { first_name: "Ana" })
    const rows = await app.db`
      select activity, scope, detail -> 'changes' as changes from activity_log
      where user_id = ${ana.id}`
    expect(rows).toEqual([
      {
        activity: "updated",
        scope: "User",
        changes: [
          { type: "User", action: "changed", field: "first_name", before: "ana", after: "Ana" },
        ],
      },
    ])
  })
})

describe("the current organization", () => {
  test("is another one of the user's, with the first project they can see", async () => {
    const acme = await app.addOrganization()
    const { owner } = acme
    await app.post("/api/organizations", owner.key, { name: "Second" })
    const { status, body } = await app.patch(ME, owner.key, { set_current_organization: acme.id })
    expect(status).toBe(200)
    expect([body.organization.id, body.team.id]).toEqual([acme.id, acme.project.id])
    expect((await app.get("/api/organizations/@current", owner.key)).body.id).toBe(acme.id)
  })

  test("skips projects that are hidden from the user", async () => {
    const acme = await app.addOrganization()
    const bo = await app.addMember(acme.id)
    await app.db`update project set access_control = true where id = ${acme.project.id}`
    const open = await addProject(acme.id)
    const { body } = await app.patch(ME, bo.key, { set_current_organization: acme.id })
    expect(body.team.id).toBe(open)
  })

  test("may be one without a project", async () => {
    const acme = await app.addOrganization()
    await app.db`delete from project where organization_id = ${acme.id}`
    const { status, body } = await app.patch(ME, acme.owner.key, {
      set_current_organization: acme.id,
    })
    expect([status, body.team]).toEqual([200, null])
  })

  test("is never one the user does not belong to", async () => {
    const [acme, other] = [await app.addOrganization(), await app.addOrganization("Other")]
    for (const id of [other.id, "00000000-0000-4000-8000-000000000000"]) {
      const { status, body } = await app.patch(ME, acme.owner.key, { set_current_organization: id })
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: "does_not_exist", attr: "set_current_organization" })
    }
  })

  test("is, for a limited key, none outside its limits", async () => {
    const acme = await app.addOrganization()
    const { owner } = acme
    const second = await app.post("/api/organizations", owner.key, { name: "Second" })
    const inSecond = await app.addKey(owner.id, { organizations: [second.body.id] })
    const inProject = await app.addKey(owner.id, { projects: [acme.project.id] })
    for (const key of [inSecond, inProject]) {
      const { status, body } = await app.patch(ME, key, { set_current_organization: acme.id })
      expect([status, body.code]).toEqual([400, "does_not_exist"])
    }
    const { status } = await app.patch(ME, inProject, { set_current_team: acme.project.id })
    expect(status).toBe(200)
    const outside = await app.patch(ME, inSecond, { set_current_team: acme.project.id })
    expect([outside.status, outside.body.code]).toEqual([400, "does_not_exist"])
  })
})

describe("the current project", () => {
  test("brings its organization along", async () => {
    const acme = await app.addOrganization()
    const { owner } = acme
    await app.post("/api/organizations", owner.key, { name: "Second" })
    const id = await addProject(acme.id)
    const { status, body } = await app.patch(ME, owner.key, { set_current_team: id })
    expect(status).toBe(200)
    expect([body.organization.id, body.team.id]).toEqual([acme.id, id])
  })

  test("is never unknown, foreign or hidden", async () => {
    const [acme, other] = [await app.addOrganization(), await app.addOrganization("Other")]
    const bo = await app.addMember(acme.id)
    const hidden = await addProject(acme.id, true)
    for (const id of [2_000_000_000, other.project.id, hidden]) {
      const { status, body } = await app.patch(ME, bo.key, { set_current_team: id })
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: "does_not_exist", attr: "set_current_team" })
    }
  })

  test("is one of the current organization, when both are given", async () => {
    const acme = await app.addOrganization()
    const { owner } = acme
    const second = await app.post("/api/organizations", owner.key, { name: "Second" })
    const both = { set_current_team: acme.project.id, set_current_organization: second.body.id }
    const { status, body } = await app.patch(ME, owner.key, both)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: "invalid_input", attr: "set_current_team" })
    const right = { ...both, set_current_organization: acme.id.toUpperCase() }
    expect((await app.patch(ME, owner.key, right)).status).toBe(200)
  })
})
