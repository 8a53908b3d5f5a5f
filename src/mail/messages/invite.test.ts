import { describe, expect, test } from "vitest"
import { openSmtpServer } from "../../../test/support/smtp-server.ts"
import { openMailer } from "../mailer.ts"
import { type InviteFacts, inviteMessage } from "./invite.ts"

const facts: InviteFacts = {
  siteUrl: "https://hedgerow.example/",
  organizationName: "Acme",
  inviter: { first_name: "Ana", email: "ana@acme.example" },
  invite: {
    id: "0190b1c2-0000-7000-8000-000000000001",
    target_email: "bo@acme.example",
    first_name: "Bo",
    level: 8,
    message: "See you there!\r\nAna",
  },
  expiresAt: new Date("2026-03-07T12:30:00Z"),
}

describe("an invite mail", () => {
  test("names who invites, to what, as what, until when, and where to go", () => {
    const message = inviteMessage(facts)
    expect(message.to).toBe("bo@acme.example")
    expect(message.replyTo).toBe("ana@acme.example")
    expect(message.subject).toBe("Ana would like you to join Acme")
    expect(message.text).toBe(`Hello Bo,

Ana (ana@acme.example) would like you to join Acme on Hedgerow as an administrator.

Ana writes:

> See you there!
> Ana

Join Acme:
https://hedgerow.example/signup/0190b1c2-0000-7000-8000-000000000001

The link is meant for bo@acme.example and works until 7 March 2026 at 12:30 UTC.

A reply to this mail goes to Ana.

If you do not know what this is about, leave it be: without you nothing happens.
`)
    expect(message.html).toContain(
      'href="https://hedgerow.example/signup/0190b1c2-0000-7000-8000-000000000001"',
    )
    expect(message.html).toContain("See you there!<br>Ana")
    expect(message.html).toContain("7 March 2026 at 12:30 UTC")
  })

  test.each([
    [1, "as a member"],
    [8, "as an administrator"],
    [15, "as an owner"],
  ])("offers level %i %s", (level, words) => {
    const { text } = inviteMessage({ ...facts, invite: { ...facts.invite, level } })
    expect(text).toContain(words)
  })

  test("does without names and personal words", () => {
    const { subject, text } = inviteMessage({
      ...facts,
      inviter: { first_name: " ", email: "ana@acme.example" },
      invite: { ...facts.invite, first_name: "", message: " \n " },
    })
    expect(subject).toBe("ana@acme.example would like you to join Acme")
    expect(text).toContain("Hello,\n\nana@acme.example would like you to join Acme")
    expect(text).not.toContain("writes:")
  })

  test("has no reply address when the inviter's account is gone", () => {
    const message = inviteMessage({ ...facts, inviter: null })
    expect(message).not.toHaveProperty("replyTo")
    expect(message.subject).toBe("A colleague would like you to join Acme")
    expect(message.text).not.toContain("A reply")
  })

  test("shows hostile names and words as text", () => {
    const hostile = `</p><script>alert("x")</script>\r\nBcc: eve@x.example`
    const { subject, html } = inviteMessage({
      ...facts,
      organizationName: hostile,
      inviter: { first_name: hostile, email: "ana@acme.example" },
      invite: { ...facts.invite, first_name: hostile, message: hostile, id: `"><x` },
    })
    expect(subject).not.toMatch(/[\r\n]/)
    expect(html).not.toContain("<script")
    expect(html).toContain("&lt;script&gt;")
    expect(html).toContain("/signup/%22%3E%3Cx")
  })

  test("cuts endless names and words", () => {
    const { subject, text } = inviteMessage({
      ...facts,
      organizationName: "o".repeat(1_000),
      invite: { ...facts.invite, message: "😀".repeat(10_000) },
    })
    expect(subject).toHaveLength("Ana would like you to join ".length + 80)
    expect(Array.from(text.matchAll(/😀/gu))).toHaveLength(2_000)
  })

  test("loads nothing from anywhere", () => {
    expect(inviteMessage(facts).html).not.toMatch(/<img|<link|<script|url\(|src=/)
  })

  test("comes through a mail server as it was written", async () => {
    await using server = await openSmtpServer()
    await using mailer = openMailer({ smtpUrl: server.url, from: "mail@hedgerow.example" })
    const message = inviteMessage({ ...facts, organizationName: "Čapek & Söhne" })
    await mailer.send(message)
    expect(server.messages[0]).toMatchObject({
      to: ["bo@acme.example"],
      replyTo: "ana@acme.example",
      subject: "Ana would like you to join Čapek & Söhne",
      text: message.text.trimEnd(),
      html: message.html.trimEnd(),
    })
  })
})
