import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { certificatePem } from "../../../test/support/certificate.ts"
import { newUuid, randomLetters } from "../../lib/ids.ts"

const app = useTestApp()

const invalidInput = (attr: string | null, code = "invalid_input") => ({
  type: "validation_error",
  code,
  attr,
})
const denied = { type: "authentication_error", code: "permission_denied", attr: null }
const missing = { type: "invalid_request", code: "not_found", attr: null }

function freshName(): string {
  return `${randomLetters("abcdefghijklmnop", 12)}.example.com`
}

async function addDomain(domain = freshName()) {
  const organization = await app.addOrganization()
  const key = organization.owner.key
  const domains = `${organization.url}/domains`
  const { body } = await app.post(domains, key, { domain })
  return { organization, key, domains, domain, url: `${domains}/${body.id}`, body }
}

async function verifyByHand(id: string): Promise<void> {
  await app.db`update organization_domain set verified_at = now() where id = ${id}`
}

describe("a new domain", () => {
  test("is unverified, with a challenge of its own and nothing enforced", async () => {
    const { id, owner, url } = await app.addOrganization()
    const domain = freshName()
    const { status, body } = await app.post(`${url}/domains/`, owner.key, { domain })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      domain,
      is_verified: false,
      verified_at: null,
      verification_challenge: expect.stringMatching(/^[0-9A-Za-z_-]{43}$/),
      jit_provisioning_enabled: false,
      sso_enforcement: "",
      has_saml: false,
      saml_entity_id: null,
      saml_acs_url: null,
      saml_x509_cert: null,
    })
    const again = await app.get(`${url}/domains/${body.id}`, owner.key)
    expect(again).toMatchObject({ status: 200, body })
    const current = await app.get("/api/organizations/@current/domains/", owner.key)
    expect(current.body).toEqual({ count: 1, next: null, previous: null, results: [body] })
    const [entry] = await app.db`
      select activity, scope, item_id, detail->>'name' as name from activity_log
      where organization_id = ${id} and scope = 'OrganizationDomain'`
    expect(entry).toEqual({
      activity: "created",
      scope: "OrganizationDomain",
      item_id: body.id,
      name: domain,
    })
  })

  test("ignores the fields that need proof", async () => {
    const { owner, url } = await app.addOrganization()
    const { status, body } = await app.post(`${url}/domains`, owner.key, {
      domain: freshName(),
      jit_provisioning_enabled: true,
      sso_enforcement: "google-oauth2",
      verified_at: "2020-01-01T00:00:00Z",
      verification_challenge: "mine",
      is_verified: true,
      has_saml: true,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      is_verified: false,
      verified_at: null,
      jit_provisioning_enabled: false,
      sso_enforcement: "",
      has_saml: false,
    })
    expect(body.verification_challenge).not.toBe("mine")
  })

  test("takes SAML settings at once, and the certificate as clean PEM", async () => {
    const { owner, url } = await app.addOrganization()
    const { status, body } = await app.post(`${url}/domains`, owner.key, {
      domain: freshName(),
      saml_entity_id: "https://idp.example.com",
      saml_acs_url: "https://idp.example.com/sso",
      saml_x509_cert: certificatePem.replaceAll("\n", "\r\n"),
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ has_saml: true, saml_x509_cert: certificatePem })
  })

  test.each([
    ["a mail address", "ana@example.com", "invalid_input"],
    ["an emoji", "💙.example.com", "invalid_input"],
    ["a top level of one letter", "example.c", "invalid_input"],
    ["leading hyphens", "--example.com", "invalid_input"],
    ["markup", "<script>alert(1)</script>", "invalid_input"],
    ["upper case", "Example.com", "invalid_input"],
    ["no dot", "localhost", "invalid_input"],
    ["a number", 5, "invalid_input"],
    ["nothing", "", "blank"],
    ["null", null, "null"],
    ["an absent name", undefined, "required"],
    ["too long a name", `${"a".repeat(125)}.com`, "max_length"],
  ])("is never %s", async (_, domain, code) => {
    const { owner, url } = await app.addOrganization()
    const { status, body } = await app.post(`${url}/domains`, owner.key, { domain })
    expect(status).toBe(400)
    expect(body).toMatchObject(invalidInput("domain", code))
    expect((await app.get(`${url}/domains`, owner.key)).body.count).toBe(0)
  })

  test("may not be one that any organization has", async () => {
    const { domain, domains, key } = await addDomain()
    const other = await app.addOrganization()
    for (const [url, caller] of [
      [domains, key],
      [`${other.url}/domains`, other.owner.key],
    ] as const) {
      const { status, body } = await app.post(url, caller, { domain })
      expect(status).toBe(400)
      expect(body).toMatchObject(invalidInput("domain", "unique"))
    }
  })

  test("wanted by fifty organizations at once goes to exactly one", async () => {
    const domain = freshName()
    const organizations = []
    for (let index = 0; index < 50; index++) organizations.push(await app.addOrganization())
    const answers = await Promise.all(
      organizations.map(({ url, owner }) => app.post(`${url}/domains`, owner.key, { domain })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { body } of answers.filter(({ status }) => status !== 201)) {
      expect(body).toMatchObject(invalidInput("domain", "unique"))
    }
    const [rows] = await app.db`
      select count(*) from organization_domain where domain = ${domain}`
    expect(rows).toEqual({ count: 1 })
  })
})

describe("SAML settings", () => {
  test.each([
    ["saml_x509_cert", "not a certificate", "invalid_input"],
    ["saml_x509_cert", "aGVsbG8=", "invalid_input"],
    ["saml_acs_url", "idp.example.com", "invalid_input"],
    ["saml_acs_url", "ftp://idp.example.com", "invalid_input"],
    ["saml_acs_url", "javascript:alert(1)", "invalid_input"],
    ["saml_acs_url", `https://idp.example.com/${"a".repeat(512)}`, "max_length"],
    ["saml_entity_id", "a".repeat(513), "max_length"],
    ["saml_entity_id", 5, "invalid_input"],
  ])("refuse %s %j", async (field, value, code) => {
    const { url, domains, key } = await addDomain()
    const created = await app.post(domains, key, { domain: freshName(), [field]: value })
    const patched = await app.patch(url, key, { [field]: value })
    for (const { status, body } of [created, patched]) {
      expect(status).toBe(400)
      expect(body).toMatchObject(invalidInput(field, code))
    }
  })

  test("need no verified domain, and are cleared by null and by empty text", async () => {
    const { url, key } = await addDomain()
    const all = {
      saml_entity_id: "idp",
      saml_acs_url: "http://localhost:9000/sso",
      saml_x509_cert: certificatePem,
    }
    const set = await app.patch(url, key, all)
    expect(set).toMatchObject({ status: 200, body: { ...all, has_saml: true } })
    for (const nothing of ["", null]) {
      for (const field of Object.keys(all)) {
        const { status, body } = await app.patch(url, key, { [field]: nothing })
        expect(status).toBe(200)
        expect(body).toMatchObject({ [field]: nothing, has_saml: false })
        await app.patch(url, key, all)
      }
    }
  })

  test("show no certificate in the activity log", async () => {
    const { organization, url, key } = await addDomain()
    await app.patch(url, key, { saml_x509_cert: certificatePem, saml_entity_id: "idp" })
    const rows = await app.db<{ changes: unknown }[]>`
      select detail->'changes' as changes from activity_log
      where organization_id = ${organization.id} and scope = 'OrganizationDomain'
        and activity = 'updated'`
    const change = { type: "OrganizationDomain", action: "created", before: null }
    expect(rows).toHaveLength(1)
    expect(rows[0]?.changes).toHaveLength(2)
    expect(rows[0]?.changes).toEqual(
      expect.arrayContaining([
        { ...change, field: "saml_entity_id", after: "idp" },
        { ...change, field: "saml_x509_cert", after: null },
      ]),
    )
  })
})

describe("how people of a domain sign in", () => {
  test.each([
    ["jit_provisioning_enabled", true],
    ["jit_provisioning_enabled", false],
    ["sso_enforcement", "google-oauth2"],
    ["sso_enforcement", ""],
  ])("is not decided while the domain is unverified: %s %j", async (field, value) => {
    const { url, key } = await addDomain()
    const { status, body } = await app.patch(url, key, { saml_entity_id: "idp", [field]: value })
    expect(status).toBe(400)
    expect(body).toMatchObject(invalidInput(field, "verification_required"))
    expect((await app.get(url, key)).body.saml_entity_id).toBe(null)
  })

  test("names provisioning first when both fields need proof", async () => {
    const { url, key } = await addDomain()
    const both = { sso_enforcement: "saml", jit_provisioning_enabled: true }
    const { body } = await app.patch(url, key, both)
    expect(body).toMatchObject(invalidInput("jit_provisioning_enabled", "verification_required"))
  })

  test("is decided once the domain is verified", async () => {
    const { url, key, body } = await addDomain()
    await verifyByHand(body.id)
    const wanted = { sso_enforcement: "google-oauth2", jit_provisioning_enabled: true }
    expect(await app.patch(url, key, wanted)).toMatchObject({ status: 200, body: wanted })
    const none = { sso_enforcement: "" }
    expect(await app.patch(url, key, none)).toMatchObject({
      status: 200,
      body: { ...none, jit_provisioning_enabled: true },
    })
  })

  test.each([
    ["sso_enforcement", "a".repeat(29), "max_length"],
    ["sso_enforcement", null, "null"],
    ["jit_provisioning_enabled", "yes", "invalid_input"],
    ["jit_provisioning_enabled", null, "null"],
  ])("is never %s %j", async (field, value, code) => {
    const { url, key, body: created } = await addDomain()
    await verifyByHand(created.id)
    const { status, body } = await app.patch(url, key, { [field]: value })
    expect(status).toBe(400)
    expect(body).toMatchObject(invalidInput(field, code))
  })
})

describe("a change of a domain", () => {
  test("leaves its proof and challenge as they are", async () => {
    const { url, key, body } = await addDomain()
    const attempt = { verified_at: "2020-01-01T00:00:00Z", verification_challenge: "mine" }
    expect(await app.patch(url, key, attempt)).toMatchObject({ status: 200, body })
  })

  test("as a whole needs the name", async () => {
    const { url, key } = await addDomain()
    const { status, body } = await app.call("PUT", url, { key, body: { saml_entity_id: "idp" } })
    expect(status).toBe(400)
    expect(body).toMatchObject(invalidInput("domain", "required"))
  })
})

describe("domains of an organization", () => {
  test("are listed A to Z, in pages", async () => {
    const { owner, url } = await app.addOrganization()
    const part = randomLetters("abcdefghij", 10)
    const names = ["b-b", "b", "a", "b-a", "1"].map((name) => `${name}.${part}.com`)
    for (const domain of names) await app.post(`${url}/domains`, owner.key, { domain })
    const { body } = await app.get(`${url}/domains?limit=3`, owner.key)
    expect(body.count).toBe(5)
    const rest = await app.get(new URL(body.next).pathname + new URL(body.next).search, owner.key)
    const seen = [...body.results, ...rest.body.results].map(({ domain }) => domain)
    expect(seen).toEqual([...names].sort())
  })

  test("are gone for good when deleted, and the name is free again", async () => {
    const { url, key, domain, domains, organization } = await addDomain()
    const { status, text } = await app.delete(`${url}/`, key)
    expect({ status, text }).toEqual({ status: 204, text: "" })
    expect(await app.get(url, key)).toMatchObject({ status: 404, body: missing })
    expect(await app.delete(url, key)).toMatchObject({ status: 404, body: missing })
    expect((await app.post(domains, key, { domain })).status).toBe(201)
    const rows = await app.db`
      select activity from activity_log
      where organization_id = ${organization.id} and scope = 'OrganizationDomain' order by id`
    expect(rows.map(({ activity }) => activity)).toEqual(["created", "deleted", "created"])
  })

  test("go with the organization", async () => {
    const { organization, key, domain } = await addDomain()
    expect((await app.delete(organization.url, key)).status).toBe(204)
    const other = await app.addOrganization()
    expect((await app.post(`${other.url}/domains`, other.owner.key, { domain })).status).toBe(201)
  })
})

describe("who may do what", () => {
  test("members read, administrators write", async () => {
    const { organization, url, domains } = await addDomain()
    const member = await app.addMember(organization.id)
    expect((await app.get(domains, member.key)).status).toBe(200)
    expect((await app.get(url, member.key)).status).toBe(200)
    const refused = [
      await app.post(domains, member.key, { domain: freshName() }),
      await app.patch(url, member.key, {}),
      await app.call("PUT", url, { key: member.key, body: {} }),
      await app.post(`${url}/verify`, member.key),
      await app.delete(url, member.key),
    ]
    for (const { status, body } of refused) {
      expect(status).toBe(403)
      expect(body).toMatchObject(denied)
    }
    const admin = await app.addMember(organization.id, "admin")
    expect((await app.post(domains, admin.key, { domain: freshName() })).status).toBe(201)
    expect((await app.patch(url, admin.key, { saml_entity_id: "x" })).status).toBe(200)
    expect((await app.delete(url, admin.key)).status).toBe(204)
  })

  test("a key needs the scope", async () => {
    const { organization, url, domains } = await addDomain()
    const reader = await app.addKey(organization.owner.id, { scopes: ["organization:read"] })
    const stranger = await app.addKey(organization.owner.id, { scopes: ["project:write"] })
    expect((await app.get(url, reader)).status).toBe(200)
    const refused = [
      await app.post(domains, reader, { domain: freshName() }),
      await app.patch(url, reader, {}),
      await app.post(`${url}/verify`, reader),
      await app.delete(url, reader),
      await app.get(domains, stranger),
    ]
    for (const { status, body } of refused) {
      expect(status).toBe(403)
      expect(body).toMatchObject(denied)
    }
  })

  test("a foreign domain is missing through one's own organization, forbidden through its own", async () => {
    const { url, domains, body } = await addDomain()
    const other = await app.addOrganization()
    const { key } = other.owner
    const through = `${other.url}/domains/${body.id}`
    for (const method of ["GET", "PATCH", "PUT", "DELETE"]) {
      const sent = method === "GET" || method === "DELETE" ? {} : { body: { domain: "a.com" } }
      expect(await app.call(method, through, { key, ...sent })).toMatchObject({
        status: 404,
        body: missing,
      })
      expect(await app.call(method, url, { key, ...sent })).toMatchObject({
        status: 403,
        body: denied,
      })
    }
    expect((await app.post(`${through}/verify`, key)).status).toBe(404)
    expect((await app.post(`${url}/verify`, key)).status).toBe(403)
    expect((await app.get(domains, key)).status).toBe(403)
    expect((await app.post(domains, key, { domain: freshName() })).status).toBe(403)
  })

  test.each(["junk", "1", "%00", "a".repeat(400)])("an id like %j names nothing", async (id) => {
    const { domains, key } = await addDomain()
    expect(await app.get(`${domains}/${id}`, key)).toMatchObject({ status: 404, body: missing })
    // The object is looked for before the body is complained about.
    expect((await app.patch(`${domains}/${id}`, key, { saml_acs_url: 5 })).status).toBe(404)
    expect((await app.post(`${domains}/${newUuid()}/verify`, key)).status).toBe(404)
  })

  test("nobody without a key", async () => {
    const { domains } = await addDomain()
    expect(await app.get(domains)).toMatchObject({
      status: 401,
      body: { type: "authentication_error", code: "not_authenticated", attr: null },
    })
  })
})
