/** Both tasks that send mail, against a real server: what is tried again, what is given up, what is moot. */
import { afterAll, describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { openSmtpServer } from "../../../test/support/smtp-server.ts"
import { newUuid, randomLetters } from "../../lib/ids.ts"
import { openLogger } from "../../lib/logger.ts"
import { MailDelayed } from "../../mail/mail-errors.ts"
import { openMailer } from "../../mail/mailer.ts"
import { GiveUp } from "../queue.ts"
import { sendInvite } from "./send-invite.ts"
import { sendMemberJoined } from "./send-member-joined.ts"

const smtp = await openSmtpServer()
const logger = openLogger({ form: "json", level: "error" })
const mailer = openMailer({ smtpUrl: smtp.url, from: "Hedgerow <mail@example.com>" })
afterAll(async () => {
  await mailer[Symbol.asyncDispose]()
  await smtp[Symbol.asyncDispose]()
})

const app = useTestApp()

const site_url = "https://hedgerow.example.com"
const expires_at = "2026-03-05T10:00:00.000Z"

function tools() {
  const { database, columnar, config } = app.app.services
  const { dataDir } = config
  return { database, columnar, mailer, clock: app.clock, logger, ingest: undefined, dataDir }
}

function mailsTo(address: string) {
  return smtp.messages.filter(({ to }) => to.includes(address))
}

async function addInvite() {
  const { url, owner } = await app.addOrganization("Garden Shop")
  const target_email = `ana-${randomLetters("abcdefghij", 10)}@example.com`
  const { body } = await app.post(`${url}/invites`, owner.key, { target_email })
  const invite_id: string = body.id
  const run = (changes: object = {}) =>
    sendInvite.run(tools(), { invite_id, site_url, expires_at, ...changes })
  return { url, owner, target_email, invite_id, run }
}

async function addPair() {
  const { id, url, owner } = await app.addOrganization("Garden Shop")
  const newcomer = await app.addMember(id, "member", "ana")
  const people = { newcomer_id: newcomer.id, reader_id: owner.id }
  const run = () => sendMemberJoined.run(tools(), { organization_id: id, site_url, ...people })
  return { id, url, owner, newcomer, run }
}

describe("sending an invite", () => {
  test("mails the link to the invited address", async () => {
    const { target_email, invite_id, run } = await addInvite()
    await run()
    const [mail] = mailsTo(target_email)
    expect(mail?.text).toContain(`${site_url}/signup/${invite_id}`)
  })

  test("is given up when the server refuses the address for good", async () => {
    const { target_email, run } = await addInvite()
    smtp.answers.set(target_email, 550)
    await expect(run()).rejects.toBeInstanceOf(GiveUp)
  })

  test("is tried again when the server asks for patience", async () => {
    const { target_email, run } = await addInvite()
    smtp.answers.set(target_email, 451)
    await expect(run()).rejects.toBeInstanceOf(MailDelayed)
    smtp.answers.delete(target_email)
    await run()
    expect(mailsTo(target_email)).toHaveLength(1)
  })

  test("is moot when the invite is withdrawn, replaced or expired", async () => {
    const { url, owner, target_email, invite_id, run } = await addInvite()
    await run({ expires_at: "2026-03-02T10:00:00.000Z" })
    await run({ invite_id: newUuid() })
    await app.delete(`${url}/invites/${invite_id}`, owner.key)
    await run()
    expect(mailsTo(target_email)).toEqual([])
  })

  test("goes out without the inviter's name when the inviter's account is gone", async () => {
    const { target_email, invite_id, run } = await addInvite()
    await app.db`update invite set created_by = null where id = ${invite_id}`
    await run()
    expect(mailsTo(target_email)).toMatchObject([{ replyTo: undefined }])
  })
})

describe("telling a member who joined", () => {
  test("mails the reader", async () => {
    const { owner, newcomer, run } = await addPair()
    await run()
    const [mail] = mailsTo(owner.email)
    expect(mail?.text).toContain(newcomer.email)
  })

  test("is given up when the server refuses the reader for good", async () => {
    const { owner, run } = await addPair()
    smtp.answers.set(owner.email, 550)
    await expect(run()).rejects.toBeInstanceOf(GiveUp)
  })

  test("is moot when the newcomer has left or the mails are turned off", async () => {
    const { url, owner, newcomer, run } = await addPair()
    await app.patch(url, owner.key, { is_member_join_email_enabled: false })
    await run()
    await app.patch(url, owner.key, { is_member_join_email_enabled: true })
    await app.delete(`${url}/members/${newcomer.uuid}`, owner.key)
    await run()
    expect(mailsTo(owner.email)).toEqual([])
  })
})
