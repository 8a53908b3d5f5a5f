import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { includesScope, isScope } from "./scopes.ts"

describe("a scope", () => {
  test.each(["*", "organization:read", "batch_export:write"])("may be %s", (text) => {
    expect(isScope(text)).toBe(true)
  })

  test.each(["", "organization", "organization:", "organization:admin", "tree:read", "*:read"])(
    "is never %j",
    (text) => {
      expect(isScope(text)).toBe(false)
    },
  )

  test.each([
    [["person:read"], "person:read", true],
    [["person:write"], "person:read", true],
    [["person:read"], "person:write", false],
    [["person:write"], "plugin:read", false],
    [["*"], "person:write", true],
    [["*"], "*", true],
    [["person:write"], "*", false],
    [[], "person:write", true],
  ])("list %j includes %s: %s", (granted, needed, isIncluded) => {
    expect(includesScope(granted, needed)).toBe(isIncluded)
  })
})

const app = useTestApp()

function denied(detail: string) {
  return { type: "authentication_error", code: "permission_denied", detail, attr: null }
}

async function addLimited(limits: Parameters<typeof app.addKey>[1]) {
  const acme = await app.addOrganization()
  return { acme, key: await app.addKey(acme.owner.id, limits) }
}

describe("a key's scopes", () => {
  test("that only read list, but do not create; the answer names what is missing", async () => {
    const { key } = await addLimited({ scopes: ["organization:read"] })
    expect((await app.get("/api/organizations", key)).status).toBe(200)
    const { status, body } = await app.post("/api/organizations", key, { name: "Second" })
    expect(status).toBe(403)
    expect(body).toEqual(denied("API key missing required scope 'organization:write'"))
  })

  test("that write read, too", async () => {
    const { key } = await addLimited({ scopes: ["organization:write"] })
    expect((await app.get("/api/organizations", key)).status).toBe(200)
    expect((await app.post("/api/organizations", key, { name: "Second" })).status).toBe(201)
  })

  test("of one object open no other", async () => {
    const { key } = await addLimited({ scopes: ["person:write", "user:write"] })
    const { status, body } = await app.get("/api/organizations", key)
    expect([status, body]).toEqual([
      403,
      denied("API key missing required scope 'organization:read'"),
    ])
  })

  test.each([[["*"]], [[]]])("%j open everything", async (scopes) => {
    const { key } = await addLimited({ scopes })
    expect((await app.get("/api/organizations", key)).status).toBe(200)
    expect((await app.post("/api/organizations", key, { name: "Second" })).status).toBe(201)
  })

  test("are asked before the place is looked for", async () => {
    const { key } = await addLimited({ scopes: ["person:read"] })
    const { status } = await app.get("/api/organizations/00000000-0000-0000-0000-000000000000", key)
    expect(status).toBe(403)
  })
})

describe("a key limited to organizations", () => {
  test("works on its own, and lists only them", async () => {
    const { acme, key: _ } = await addLimited({})
    await app.post("/api/organizations", acme.owner.key, { name: "Second" })
    const key = await app.addKey(acme.owner.id, { organizations: [acme.id] })
    expect((await app.get(acme.url, key)).status).toBe(200)
    const { body } = await app.get("/api/organizations", key)
    expect(body.results.map(({ id }: { id: string }) => id)).toEqual([acme.id])
  })

  test("does not work on another one of the same user", async () => {
    const acme = await app.addOrganization()
    const second = await app.post("/api/organizations", acme.owner.key, { name: "Second" })
    const key = await app.addKey(acme.owner.id, { organizations: [acme.id] })
    const { status, body } = await app.get(`/api/organizations/${second.body.id}`, key)
    expect(status).toBe(403)
    expect(body).toEqual(
      denied(`API key does not have access to the requested organization: ${second.body.id}.`),
    )
  })

  test("knows its user, and of the places only its own", async () => {
    const acme = await app.addOrganization()
    await app.post("/api/organizations", acme.owner.key, { name: "Second" })
    const key = await app.addKey(acme.owner.id, { organizations: [acme.id] })
    const { status, body } = await app.get("/api/users/@me", key)
    expect(status).toBe(200)
    expect(body.organizations.map(({ id }: { id: string }) => id)).toEqual([acme.id])
    // The second one is the current one, and none of the key's business.
    expect([body.organization, body.team]).toEqual([null, null])
  })
})

describe("a key limited to projects", () => {
  test("does not work on organizations", async () => {
    const acme = await app.addOrganization()
    const key = await app.addKey(acme.owner.id, { projects: [acme.project.id] })
    for (const url of ["/api/organizations", acme.url, "/api/organizations/@current"]) {
      const { status, body } = await app.get(url, key)
      expect(status).toBe(403)
      expect(body).toEqual(denied("API keys limited to projects only work on project endpoints."))
    }
  })

  test("knows its user, and of the places only its own", async () => {
    const acme = await app.addOrganization()
    const { owner } = acme
    const second = await app.post("/api/organizations", owner.key, { name: "Second" })
    const key = await app.addKey(owner.id, { projects: [acme.project.id] })
    const elsewhere = await app.get("/api/users/@me", key)
    expect(elsewhere.status).toBe(200)
    expect(elsewhere.body).toMatchObject({ organization: null, team: null })
    expect(elsewhere.body.organizations).toMatchObject([{ id: acme.id }])
    expect(elsewhere.text).not.toContain(second.body.id)

    await app.patch("/api/users/@me", owner.key, { set_current_organization: acme.id })
    const { body } = await app.get("/api/users/@me", key)
    expect(body.team.id).toBe(acme.project.id)
    expect(body.organization.teams.map(({ id }: { id: number }) => id)).toEqual([acme.project.id])
  })
})
