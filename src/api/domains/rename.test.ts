import { describe, expect, test } from "vitest"
import { START, useTestApp } from "../../../test/support/app.ts"
import { randomLetters } from "../../lib/ids.ts"

const app = useTestApp()

function freshName(): string {
  return `${randomLetters("abcdefghijklmnop", 12)}.example.com`
}

async function addVerified() {
  const { url, owner } = await app.addOrganization()
  const { body } = await app.post(`${url}/domains`, owner.key, { domain: freshName() })
  await app.db`
    update organization_domain set verified_at = ${START}, sso_enforcement = 'saml',
      jit_provisioning_enabled = true where id = ${body.id}`
  return { url: `${url}/domains/${body.id}`, key: owner.key, before: body }
}

describe("a renamed domain", () => {
  test("has to be verified anew, and loses what needed the proof", async () => {
    const { url, key, before } = await addVerified()
    const domain = freshName()
    const { status, body } = await app.patch(url, key, { domain })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, domain })
  })

  test("keeps its proof when the name is the same", async () => {
    const { url, key, before } = await addVerified()
    const { body } = await app.call("PUT", url, { key, body: { domain: before.domain } })
    expect(body).toMatchObject({ is_verified: true, sso_enforcement: "saml" })
  })

  test("may not take a name that is taken, nor one that is no host", async () => {
    const [one, other] = [await addVerified(), await addVerified()]
    const taken = await app.patch(one.url, one.key, { domain: other.before.domain })
    expect(taken.status).toBe(400)
    expect(taken.body).toMatchObject({ code: "unique", attr: "domain", type: "validation_error" })
    const bad = await app.patch(one.url, one.key, { domain: "BAD" })
    expect(bad.status).toBe(400)
    expect(bad.body).toMatchObject({ code: "invalid_input", attr: "domain" })
    expect((await app.get(one.url, one.key)).body).toMatchObject({ is_verified: true })
  })
})
