import { afterAll, describe, expect, test, vi } from "vitest"
import { START, useTestApp } from "../../../test/support/app.ts"
import { openDnsServer } from "../../../test/support/dns-server.ts"
import { randomLetters } from "../../lib/ids.ts"

const dns = await openDnsServer()
afterAll(() => dns[Symbol.asyncDispose]())
const app = useTestApp({ settings: { HEDGEROW_DNS_SERVERS: dns.address } })

async function addDomain() {
  const organization = await app.addOrganization()
  const domain = `${randomLetters("abcdefghijklmnop", 12)}.example.com`
  const { key } = organization.owner
  const { body } = await app.post(`${organization.url}/domains`, key, { domain })
  return {
    organization,
    key,
    id: body.id as string,
    challenge: body.verification_challenge as string,
    record: `_hedgerow-challenge.${domain}`,
    url: `${organization.url}/domains/${body.id}`,
  }
}

async function findRetry(id: string) {
  const [row] = await app.db<{ last_verification_retry: string | null }[]>`
    select last_verification_retry from organization_domain where id = ${id}`
  return row?.last_verification_retry
}

describe.concurrent("verifying a domain", () => {
  test("with the challenge in its TXT record makes it verified now", async () => {
    const { url, key, challenge, record, id, organization } = await addDomain()
    dns.setTxt(record, challenge)
    const { status, body } = await app.post(`${url}/verify/`, key)
    expect(status).toBe(200)
    expect(body).toMatchObject({ is_verified: true, verified_at: START })
    expect(await findRetry(id)).toBe(null)
    const [entry] = await app.db`
      select activity, detail->'changes' as changes from activity_log
      where organization_id = ${organization.id} and item_id = ${id} order by id desc limit 1`
    const change = { type: "OrganizationDomain" }
    expect(entry).toEqual({
      activity: "updated",
      changes: [
        { ...change, action: "changed", field: "is_verified", before: false, after: true },
        { ...change, action: "created", field: "verified_at", before: null, after: START },
      ],
    })
  })

  test("ignores what the body says", async () => {
    const { url, key, body: sent } = { ...(await addDomain()), body: { sso_enforcement: 5 } }
    const { status, body } = await app.post(`${url}/verify`, key, sent)
    expect(status).toBe(200)
    expect(body).toMatchObject({ is_verified: false, sso_enforcement: "" })
  })

  test.each([
    ["no answer", []],
    ["a name that does not exist", "nxdomain"],
    ["another text", [["something else"]]],
    ["a failing name server", "servfail"],
    ["silence", "silence"],
  ] as const)("with %s leaves it unverified and says so with 200", async (_, answer) => {
    const { url, key, record, id } = await addDomain()
    dns.records.set(record, answer)
    const { status, body } = await app.post(`${url}/verify`, key)
    expect(status).toBe(200)
    expect(body).toMatchObject({ is_verified: false, verified_at: null })
    expect(body).not.toHaveProperty("last_verification_retry")
    expect(await findRetry(id)).toBe(START)
  })

  test("works later, when the record has come", async () => {
    const { url, key, record, challenge } = await addDomain()
    expect((await app.post(`${url}/verify`, key)).body.is_verified).toBe(false)
    dns.setTxt(record, challenge)
    expect((await app.post(`${url}/verify`, key)).body.is_verified).toBe(true)
  })

  test("happens once", async () => {
    const { url, key, record, challenge } = await addDomain()
    dns.setTxt(record, challenge)
    await app.post(`${url}/verify`, key)
    const asked = dns.queries.filter((name) => name === record).length
    const { status, body } = await app.post(`${url}/verify`, key)
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: "validation_error", code: "already_verified", attr: null })
    expect(dns.queries.filter((name) => name === record)).toHaveLength(asked)
  })

  test("twice at the same time succeeds once", async () => {
    const { url, key, record, challenge } = await addDomain()
    dns.setTxt(record, challenge)
    const answers = await Promise.all([1, 2, 3].map(() => app.post(`${url}/verify`, key)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  test("is in vain when the domain is deleted meanwhile", async () => {
    const { url, key, record } = await addDomain()
    dns.records.set(record, "silence")
    const verified = app.post(`${url}/verify`, key)
    await vi.waitUntil(() => dns.queries.includes(record))
    expect((await app.delete(url, key)).status).toBe(204)
    expect((await verified).status).toBe(404)
  })

  test("is refused to somebody who stops being an administrator meanwhile", async () => {
    const { url, record, organization, id } = await addDomain()
    const admin = await app.addMember(organization.id, "admin")
    dns.records.set(record, "silence")
    const verified = app.post(`${url}/verify`, admin.key)
    await vi.waitUntil(() => dns.queries.includes(record))
    await app.db`update membership set level = 1 where user_id = ${admin.id}`
    expect((await verified).status).toBe(403)
    expect(await findRetry(id)).toBe(null)
  })
})
