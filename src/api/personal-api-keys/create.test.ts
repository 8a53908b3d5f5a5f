import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { openBrowser } from "../../../test/support/browser.ts"

const app = useTestApp()
const KEYS = "/api/personal_api_keys/"
const NOWHERE = "00000000-0000-4000-8000-000000000000"

function countKeys(user: { id: number }) {
  return app.db`select * from personal_api_key where user_id = ${user.id}`.then(
    (rows) => rows.length,
  )
}

describe("making a key", () => {
  test("shows its value, once", async () => {
    const acme = await app.addOrganization()
    const { owner } = acme
    const { status, body } = await app.post(KEYS, owner.key, {
      label: "  Nightly report ",
      scopes: ["organization:read", "person:write", "organization:read"],
      scoped_organizations: [acme.id],
      scoped_teams: [],
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^\w{10}$/),
      label: "Nightly report",
      value: expect.stringMatching(/^phx_[0-9A-Za-z]{43}$/),
      mask_value: `phx_...${body.value.slice(-4)}`,
      created_at: "2026-03-02T10:00:00Z",
      last_used_at: null,
      user_id: owner.id,
      scopes: ["organization:read", "person:write"],
      scoped_teams: [],
      scoped_organizations: [acme.id],
    })
    const again = await app.get(`${KEYS}${body.id}`, owner.key)
    expect(again.body).toEqual({ ...body, value: null })
    expect((await app.get(acme.url, body.value)).status).toBe(200)
    const [row] = await app.db`select * from personal_api_key where id = ${body.id}`
    expect(JSON.stringify(row)).not.toContain(body.value)
  })

  test("needs no limits", async () => {
    const ana = await app.addUser()
    const { status, body } = await app.post(KEYS, ana.key, { label: "All", scopes: ["*"] })
    expect(status).toBe(201)
    expect(body).toMatchObject({ scopes: ["*"], scoped_teams: [], scoped_organizations: [] })
  })

  test("is done by a session as well", async () => {
    const browser = await openBrowser(app, await app.addUser())
    const body = { label: "Laptop", scopes: ["user:read"] }
    const answer = await browser.call("POST", KEYS, { body })
    expect(answer.status).toBe(201)
    expect((await app.get("/api/users/@me", answer.body.value)).status).toBe(200)
  })

  test.each([
    ["label", "required", { scopes: ["*"] }],
    ["label", "blank", { scopes: ["*"], label: "  " }],
    ["label", "null", { scopes: ["*"], label: null }],
    ["label", "max_length", { scopes: ["*"], label: "x".repeat(41) }],
    ["scopes", "required", { label: "x" }],
    ["scopes", "null", { label: "x", scopes: null }],
    ["scopes", "not_a_list", { label: "x", scopes: "*" }],
    ["scopes", "invalid_input", { label: "x", scopes: [] }],
    ["scopes", "invalid_input", { label: "x", scopes: ["organization:read", "tree:read"] }],
    ["scopes", "invalid_input", { label: "x", scopes: ["organization"] }],
    ["scopes__0", "invalid_input", { label: "x", scopes: [5] }],
    ["scoped_teams", "not_a_list", { label: "x", scopes: ["*"], scoped_teams: 1 }],
    ["scoped_teams", "null", { label: "x", scopes: ["*"], scoped_teams: null }],
    ["scoped_teams", "invalid_input", { label: "x", scopes: ["*"], scoped_teams: [2_000_000_000] }],
    ["scoped_teams__0", "invalid_input", { label: "x", scopes: ["*"], scoped_teams: ["x"] }],
    ["scoped_teams__0", "max_value", { label: "x", scopes: ["*"], scoped_teams: [2 ** 40] }],
    [
      "scoped_organizations__0",
      "invalid_input",
      { label: "x", scopes: ["*"], scoped_organizations: ["x"] },
    ],
    [
      "scoped_organizations",
      "invalid_input",
      { label: "x", scopes: ["*"], scoped_organizations: [NOWHERE] },
    ],
  ])("is refused: %s is %s", async (attr, code, body) => {
    const ana = await app.addUser()
    const answer = await app.post(KEYS, ana.key, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ type: "validation_error", code, attr })
    expect(await countKeys(ana)).toBe(1)
  })

  test("is refused for places the user does not belong to or cannot see", async () => {
    const [acme, other] = [await app.addOrganization(), await app.addOrganization("Other")]
    const bo = await app.addMember(acme.id)
    const draft = { label: "x", scopes: ["*"] }
    const foreign = { ...draft, scoped_organizations: [acme.id, other.id] }
    const inOrganization = await app.post(KEYS, bo.key, foreign)
    expect(inOrganization.status).toBe(400)
    expect(inOrganization.body).toMatchObject({
      code: "invalid_input",
      attr: "scoped_organizations",
    })
    await app.db`update project set access_control = true where id = ${acme.project.id}`
    for (const id of [other.project.id, acme.project.id]) {
      const { status, body } = await app.post(KEYS, bo.key, { ...draft, scoped_teams: [id] })
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: "invalid_input", attr: "scoped_teams" })
    }
    const own = { ...draft, scoped_organizations: [acme.id.toUpperCase()] }
    expect((await app.post(KEYS, bo.key, own)).body.scoped_organizations).toEqual([acme.id])
  })

  test("stops at ten keys, however many are made at once", async () => {
    const ana = await app.addUser()
    const make = () => app.post(KEYS, ana.key, { label: "x", scopes: ["*"] })
    const answers = await Promise.all(Array.from({ length: 20 }, make))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(9)
    expect(await countKeys(ana)).toBe(10)
    const { status, body } = await make()
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: "validation_error", code: "invalid_input", attr: null })
  })

  test.each([
    ["GET", KEYS],
    ["POST", KEYS],
    ["GET", `${KEYS}abc`],
    ["PATCH", `${KEYS}abc`],
    ["PUT", `${KEYS}abc`],
    ["DELETE", `${KEYS}abc`],
    ["POST", `${KEYS}abc/roll`],
  ])("and all else needs the scope *: %s %s", async (method, url) => {
    const ana = await app.addUser("ana", ["user:write", "organization:write"])
    const { status, body } = await app.call(method, url, { key: ana.key })
    expect(status).toBe(403)
    expect(body).toEqual({
      type: "authentication_error",
      code: "permission_denied",
      detail: "API key missing required scope '*'",
      attr: null,
    })
    expect((await app.call(method, url)).status).toBe(401)
  })
})
