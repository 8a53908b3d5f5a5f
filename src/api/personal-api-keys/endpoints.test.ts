import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { openBrowser } from "../../../test/support/browser.ts"

const app = useTestApp()
const KEYS = "/api/personal_api_keys/"
const NOWHERE = "00000000-0000-4000-8000-000000000000"

interface ListedKey {
  readonly id: string
  readonly label: string
}

async function labelsSeenBy(key: string): Promise<string[]> {
  const { status, body } = await app.get(KEYS, key)
  expect(status).toBe(200)
  return (body as ListedKey[]).map(({ label }) => label)
}

describe("the list of keys", () => {
  test("is a bare array of one's own, newest first, without values", async () => {
    const [ana, bo] = [await app.addUser("ana"), await app.addUser("bo")]
    await app.post(KEYS, bo.key, { label: "Bo's", scopes: ["*"] })
    for (const label of ["one", "two", "three"]) {
      app.clock.advanceMs(1)
      await app.post(KEYS, ana.key, { label, scopes: ["*"] })
    }
    expect(await labelsSeenBy(ana.key)).toEqual(["three", "two", "one", "test"])
    const { body, text } = await app.get(KEYS, ana.key)
    expect(body.every(({ value }: { value: unknown }) => value === null)).toBe(true)
    expect(text).not.toMatch(/phx_\w/)
  })

  test("shows a key without scopes as one that may do everything", async () => {
    const ana = await app.addUser("ana", [])
    const { body } = await app.get(KEYS, ana.key)
    expect(body).toMatchObject([{ scopes: ["*"] }])
  })
})

describe("one key", () => {
  test("of somebody else is as unknown as junk", async () => {
    const [ana, bo] = [await app.addUser("ana"), await app.addUser("bo")]
    const { body: own } = await app.post(KEYS, bo.key, { label: "Bo's", scopes: ["*"] })
    for (const id of [own.id, "abc", "%00", "a%20b", "x".repeat(400)]) {
      for (const [method, url] of [
        ["GET", `${KEYS}${id}`],
        ["PATCH", `${KEYS}${id}`],
        ["PUT", `${KEYS}${id}`],
        ["DELETE", `${KEYS}${id}`],
        ["POST", `${KEYS}${id}/roll`],
      ] as const) {
        const draft = method === "GET" ? {} : { body: { label: 5 } }
        const { status, body } = await app.call(method, url, { key: ana.key, ...draft })
        expect([method, id, status]).toEqual([method, id, 404])
        expect(body).toMatchObject({ type: "invalid_request", code: "not_found", attr: null })
      }
    }
    expect((await app.get(`${KEYS}${own.id}`, bo.key)).status).toBe(200)
  })

  test("in use is @current, whatever its scopes and limits", async () => {
    const acme = await app.addOrganization()
    const key = await app.addKey(acme.owner.id, {
      scopes: ["person:read"],
      projects: [acme.project.id],
    })
    for (const name of ["@current", "%40current"]) {
      const { status, body } = await app.get(`${KEYS}${name}`, key)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        value: null,
        mask_value: `phx_...${key.slice(-4)}`,
        scopes: ["person:read"],
        scoped_teams: [acme.project.id],
      })
    }
  })

  test("is not @current for a session, and @current is only for reading", async () => {
    const ana = await app.addUser()
    const browser = await openBrowser(app, ana)
    expect((await browser.call("GET", `${KEYS}@current`)).status).toBe(404)
    expect((await app.delete(`${KEYS}@current`, ana.key)).status).toBe(404)
    expect((await app.post(`${KEYS}@current/roll`, ana.key)).status).toBe(404)
  })
})

describe("changing a key", () => {
  test("changes what is sent, with PATCH", async () => {
    const acme = await app.addOrganization()
    const { owner } = acme
    const { body: key } = await app.post(KEYS, owner.key, { label: "x", scopes: ["user:read"] })
    const url = `${KEYS}${key.id}/`
    const label = await app.patch(url, owner.key, { label: "y" })
    expect([label.status, label.body]).toEqual([200, { ...key, label: "y", value: null }])
    const limits = { scopes: ["organization:write"], scoped_organizations: [acme.id] }
    expect((await app.patch(url, owner.key, limits)).body).toMatchObject({ label: "y", ...limits })
    const none = { scoped_organizations: [] }
    expect((await app.patch(url, owner.key, none)).body).toMatchObject({ ...limits, ...none })
    expect((await app.get("/api/organizations", key.value)).status).toBe(200)
  })

  test("needs every required field, with PUT", async () => {
    const ana = await app.addUser()
    const { body: key } = await app.post(KEYS, ana.key, { label: "x", scopes: ["user:read"] })
    const put = (body: object) => app.call("PUT", `${KEYS}${key.id}`, { key: ana.key, body })
    const { status, body } = await put({ label: "y" })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: "required", attr: "scopes" })
    expect((await put({ label: "y", scopes: ["*"] })).body).toMatchObject({
      label: "y",
      scopes: ["*"],
    })
  })

  test("follows the rules of making one", async () => {
    const ana = await app.addUser()
    const { body: key } = await app.post(KEYS, ana.key, { label: "x", scopes: ["user:read"] })
    for (const [attr, change] of [
      ["label", { label: "" }],
      ["scopes", { scopes: [] }],
      ["scopes", { scopes: ["tree:read"] }],
      ["scoped_organizations", { scoped_organizations: [NOWHERE] }],
      ["scoped_teams", { scoped_teams: [2_000_000_000] }],
    ] as const) {
      const { status, body } = await app.patch(`${KEYS}${key.id}`, ana.key, change)
      expect([status, body.attr]).toEqual([400, attr])
    }
  })

  test("does not complain about a limit that stays, though its organization was left", async () => {
    const acme = await app.addOrganization()
    const bo = await app.addMember(acme.id)
    const draft = { label: "x", scopes: ["*"], scoped_organizations: [acme.id] }
    const { body: key } = await app.post(KEYS, bo.key, draft)
    await app.db`delete from membership where user_id = ${bo.id}`
    const { status } = await app.patch(`${KEYS}${key.id}`, bo.key, { label: "y" })
    expect(status).toBe(200)
  })

  test("leaves a trace without the value", async () => {
    const ana = await app.addUser()
    const { body: key } = await app.post(KEYS, ana.key, { label: "x", scopes: ["user:read"] })
    await app.patch(`${KEYS}${key.id}`, ana.key, { label: "y", scopes: ["user:read"] })
    const { body: rolled } = await app.post(`${KEYS}${key.id}/roll`, ana.key)
    await app.delete(`${KEYS}${key.id}`, ana.key)
    const rows = await app.db`
      select activity, scope, item_id, detail from activity_log where user_id = ${ana.id} order by id`
    expect(rows.map(({ activity }) => activity)).toEqual([
      "created",
      "updated",
      "rolled",
      "deleted",
    ])
    expect(rows[1]).toMatchObject({ scope: "PersonalAPIKey", item_id: key.id })
    expect(rows[1]?.detail.changes).toMatchObject([{ field: "label", before: "x", after: "y" }])
    for (const value of [key.value, rolled.value]) {
      expect(JSON.stringify(rows)).not.toContain(value)
    }
  })
})

describe("rolling a key", () => {
  test("gives the same key a new value, and ends the old one", async () => {
    const ana = await app.addUser()
    const { body: key } = await app.post(KEYS, ana.key, { label: "x", scopes: ["user:read"] })
    expect((await app.get("/api/users/@me", key.value)).status).toBe(200)
    const { status, body } = await app.post(`${KEYS}${key.id}/roll`, ana.key)
    expect(status).toBe(200)
    expect(body.value).toMatch(/^phx_[0-9A-Za-z]{43}$/)
    expect(body.value).not.toBe(key.value)
    const mask_value = `phx_...${body.value.slice(-4)}`
    expect(body).toEqual({ ...key, value: body.value, mask_value })
    expect((await app.get("/api/users/@me", key.value)).status).toBe(401)
    expect((await app.get("/api/users/@me", body.value)).status).toBe(200)
  })
})

describe("deleting a key", () => {
  test("ends it at once", async () => {
    const ana = await app.addUser()
    const { body: key } = await app.post(KEYS, ana.key, { label: "x", scopes: ["*"] })
    const { status, text } = await app.delete(`${KEYS}${key.id}`, ana.key)
    expect([status, text]).toEqual([204, ""])
    expect((await app.get("/api/users/@me", key.value)).status).toBe(401)
    expect((await app.delete(`${KEYS}${key.id}`, ana.key)).status).toBe(404)
  })
})

describe("a limited key", () => {
  async function addLimited() {
    const acme = await app.addOrganization()
    const { owner } = acme
    const second = await app.post("/api/organizations", owner.key, { name: "Second" })
    const limited = await app.addKey(owner.id, { organizations: [acme.id] })
    return { acme, owner, secondId: second.body.id as string, limited }
  }

  test("makes keys inside its own limits only", async () => {
    const { acme, secondId, limited } = await addLimited()
    const draft = { label: "x", scopes: ["*"] }
    for (const wider of [
      {},
      { scoped_organizations: [] },
      { scoped_organizations: [secondId] },
      { scoped_organizations: [acme.id, secondId] },
      { scoped_teams: [acme.project.id] },
    ]) {
      const { status, body } = await app.post(KEYS, limited, { ...draft, ...wider })
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: "invalid_input", attr: "scoped_organizations" })
    }
    const same = { ...draft, scoped_organizations: [acme.id] }
    expect((await app.post(KEYS, limited, same)).status).toBe(201)
    const narrower = { ...same, scoped_teams: [acme.project.id] }
    expect((await app.post(KEYS, limited, narrower)).status).toBe(201)
  })

  test("of projects makes keys for its own projects only", async () => {
    const { acme, owner } = await addLimited()
    const limited = await app.addKey(owner.id, { projects: [acme.project.id] })
    const wide = await app.post(KEYS, limited, { label: "x", scopes: ["*"] })
    expect(wide.body).toMatchObject({ code: "invalid_input", attr: "scoped_teams" })
    const draft = { label: "x", scopes: ["*"], scoped_teams: [acme.project.id] }
    expect((await app.post(KEYS, limited, draft)).status).toBe(201)
  })

  test("neither sees, widens, rolls nor deletes a key that reaches further", async () => {
    const { acme, owner, limited } = await addLimited()
    const wide = await app.post(KEYS, owner.key, { label: "wide", scopes: ["user:read"] })
    const own = { label: "narrow", scopes: ["*"], scoped_organizations: [acme.id] }
    const narrow = await app.post(KEYS, limited, own)
    expect((await labelsSeenBy(limited)).sort()).toEqual(["narrow", "test"])
    const url = `${KEYS}${wide.body.id}`
    for (const answer of [
      await app.get(url, limited),
      await app.patch(url, limited, { scoped_organizations: [acme.id] }),
      await app.post(`${url}/roll`, limited),
      await app.delete(url, limited),
    ]) {
      expect(answer.status).toBe(404)
    }
    const widened = { scoped_organizations: [] }
    const { status, body } = await app.patch(`${KEYS}${narrow.body.id}`, limited, widened)
    expect([status, body.attr]).toEqual([400, "scoped_organizations"])
    expect((await app.post(`${KEYS}${narrow.body.id}/roll`, limited)).status).toBe(200)
  })
})
