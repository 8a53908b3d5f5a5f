import { afterAll, describe, expect, test, vi } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { openSmtpServer } from "../../../test/support/smtp-server.ts"
import { randomLetters } from "../../lib/ids.ts"

const smtp = await openSmtpServer()
afterAll(() => smtp[Symbol.asyncDispose]())

const SITE = "https://hedgerow.example.com"

const app = useTestApp({
  settings: { SMTP_URL: smtp.url, HEDGEROW_ROLES: "api,jobs", SITE_URL: SITE },
})

function freshAddress(name: string): string {
  return `${name}-${randomLetters("abcdefghij", 10)}@example.com`
}

function mailsTo(address: string) {
  return smtp.messages.filter(({ to }) => to.includes(address))
}

/** Waits until the address has that many mails. */
function arrived(address: string, count = 1) {
  const look = () => {
    const mails = mailsTo(address)
    expect(mails, address).toHaveLength(count)
    return mails
  }
  return vi.waitFor(look, { timeout: 10_000, interval: 50 })
}

describe("the mail of an invite", () => {
  test("goes to the address with the link; replies go to the inviter", async () => {
    const { url, owner } = await app.addOrganization("Garden Shop")
    const target_email = freshAddress("ana")
    const draft = { target_email, first_name: "Ana", message: "Come in!" }
    const { body } = await app.post(`${url}/invites`, owner.key, draft)
    expect(body.emailing_attempt_made).toBe(true)
    const [mail] = await arrived(target_email)
    expect(mail?.replyTo).toBe(owner.email)
    expect(mail?.subject).toContain("Garden Shop")
    expect(mail?.text).toContain(`${SITE}/signup/${body.id}`)
    expect(mail?.text).toContain("> Come in!")
    expect(mail?.text).toContain("5 March 2026")
  })

  test("is not sent when send_email is false, nor for a bulk that fails", async () => {
    const { url, owner } = await app.addOrganization()
    const [quiet, never, last] = [freshAddress("bo"), freshAddress("cy"), freshAddress("di")]
    const silent = { target_email: quiet, send_email: false }
    const { body } = await app.post(`${url}/invites`, owner.key, silent)
    expect(body.emailing_attempt_made).toBe(false)
    const failing = [{ target_email: never }, { target_email: owner.email }]
    expect((await app.post(`${url}/invites/bulk`, owner.key, failing)).status).toBe(400)
    await app.post(`${url}/invites`, owner.key, { target_email: last })
    await arrived(last)
    expect([...mailsTo(quiet), ...mailsTo(never)]).toEqual([])
  })

  test("is sent to each of many, and again with a new link when somebody is invited again", async () => {
    const { url, owner } = await app.addOrganization()
    const addresses = Array.from({ length: 7 }, () => freshAddress("many"))
    const drafts = addresses.map((target_email) => ({ target_email }))
    await app.post(`${url}/invites/bulk`, owner.key, drafts)
    await Promise.all(addresses.map((address) => arrived(address)))
    const { body } = await app.post(`${url}/invites`, owner.key, drafts[0])
    const mails = await arrived(addresses[0] ?? "", 2)
    expect(mails[1]?.text).toContain(body.id)
  })
})

describe("the mail about a new member", () => {
  test("goes to every other active member, one mail each", async () => {
    const { id, url, owner } = await app.addOrganization("Garden Shop")
    const member = await app.addMember(id)
    const away = await app.addMember(id, "member", "away")
    await app.db`update app_user set is_active = false where id = ${away.id}`
    const target_email = freshAddress("ana")
    const { body } = await app.post(`${url}/invites`, owner.key, { target_email })
    const signup = { first_name: "Ana", last_name: "Smith", password: "hedge row 42 gate" }
    await app.call("POST", `/api/signup/${body.id}`, { body: signup })
    const [[mail]] = [await arrived(owner.email), await arrived(member.email)]
    expect(mail?.to).toEqual([owner.email])
    expect(mail?.subject).toBe("Ana Smith has joined Garden Shop")
    expect(mail?.text).toContain(SITE)
    expect(mailsTo(away.email)).toEqual([])
    expect(mailsTo(target_email).map(({ subject }) => subject)).not.toContain(mail?.subject)
  })

  test("is sent for those who accept with an account too, unless the organization turned it off", async () => {
    const quiet = await app.addOrganization()
    await app.patch(quiet.url, quiet.owner.key, { is_member_join_email_enabled: false })
    const loud = await app.addOrganization()
    const bo = await app.addUser("bo")
    for (const { url, owner } of [quiet, loud]) {
      const draft = { target_email: bo.email, send_email: false }
      const { body } = await app.post(`${url}/invites`, owner.key, draft)
      expect((await app.post(`/api/invites/${body.id}/accept`, bo.key)).status).toBe(200)
    }
    await arrived(loud.owner.email)
    expect(mailsTo(quiet.owner.email)).toEqual([])
  })
})
