import { createServer } from "node:net"
import { describe, expect, test } from "vitest"
import { openSmtpServer } from "../../test/support/smtp-server.ts"
import { elapsedMs } from "../lib/clock.ts"
import { StartError } from "../lib/errors.ts"
import { MailDelayed, MailRejected } from "./mail-errors.ts"
import { type Message, openMailer } from "./mailer.ts"

const from = "Hedgerow <mail@hedgerow.example>"
const hello: Message = {
  to: "bo@example.com",
  subject: "Grüße aus Åre – 漢字",
  text: "Hello Bo,\n\nÄ line.",
  html: "<p>Hello <b>Bo</b>, ä = ä</p>",
  replyTo: "ana@example.com",
}

describe("a mail", () => {
  test("arrives with subject, both bodies, sender and reply address", async () => {
    await using server = await openSmtpServer()
    await using mailer = openMailer({ smtpUrl: server.url, from })
    await mailer.send(hello)
    expect(mailer.isConfigured).toBe(true)
    expect(server.messages).toHaveLength(1)
    expect(server.messages[0]).toMatchObject({ ...hello, to: ["bo@example.com"] })
    expect(server.messages[0]?.from).toBe("mail@hedgerow.example")
    expect(server.messages[0]?.headers.get("from")).toBe("Hedgerow <mail@hedgerow.example>")
    expect(server.messages[0]?.headers.get("auto-submitted")).toBe("auto-generated")
  })

  test("goes out after a login with the credentials of the address", async () => {
    const login = { user: "post@example.com", password: "p@ss/w%rd" }
    await using server = await openSmtpServer({ login })
    await using mailer = openMailer({ smtpUrl: server.url, from })
    await mailer.send(hello)
    expect(server.messages).toHaveLength(1)
  })

  test.each(["offered", "only"] as const)("goes out when TLS is %s", async (tls) => {
    await using server = await openSmtpServer({ tls })
    await using mailer = openMailer({ smtpUrl: `${server.url}?tls=unverified`, from })
    await mailer.send(hello)
    expect(server.messages).toHaveLength(1)
  })

  test("shares a bounded number of connections", async () => {
    await using server = await openSmtpServer()
    await using mailer = openMailer({ smtpUrl: server.url, from })
    await Promise.all(Array.from({ length: 12 }, () => mailer.send(hello)))
    expect(server.messages).toHaveLength(12)
    expect(server.connectionCount).toBeLessThanOrEqual(2)
  })
})

describe("a header", () => {
  test("cannot be added by a line break in the subject", async () => {
    await using server = await openSmtpServer()
    await using mailer = openMailer({ smtpUrl: server.url, from })
    await mailer.send({ ...hello, subject: "Hi\r\nBcc: eve@example.com\n\nbody\u2028x\0" })
    const [mail] = server.messages
    expect(mail?.subject).toBe("Hi Bcc: eve@example.com body x")
    expect(mail?.to).toEqual(["bo@example.com"])
    expect(mail?.headers.has("bcc")).toBe(false)
    expect(mail?.text).toBe(hello.text)
  })

  test("of endless length is cut", async () => {
    await using server = await openSmtpServer()
    await using mailer = openMailer({ smtpUrl: server.url, from })
    await mailer.send({ ...hello, subject: "😀".repeat(5_000) })
    expect(server.messages[0]?.subject).toBe(`${"😀".repeat(199)}…`)
  })

  test.each([
    "bo@example.com\r\nRCPT TO:<eve@example.com>",
    "bo@example.com, eve@example.com",
    "Bo <bo@example.com>",
    "bo@example.com>",
    "bo",
    "",
    `${"b".repeat(250)}@example.com`,
  ])("takes no recipient or reply address such as %j", async (address) => {
    await using server = await openSmtpServer()
    await using mailer = openMailer({ smtpUrl: server.url, from })
    await expect(mailer.send({ ...hello, to: address })).rejects.toThrow(MailRejected)
    await expect(mailer.send({ ...hello, replyTo: address })).rejects.toThrow(MailRejected)
    expect(server.connectionCount).toBe(0)
  })
})

describe("a failure", () => {
  test("with a 5xx answer is final, and the next mail goes out", async () => {
    await using server = await openSmtpServer()
    await using mailer = openMailer({ smtpUrl: server.url, from })
    server.answers.set("gone@example.com", 550)
    const sent = mailer.send({ ...hello, to: "gone@example.com" })
    await expect(sent).rejects.toThrow("the mail server rejects the message: 550 not this address")
    await expect(sent).rejects.toThrow(MailRejected)
    await mailer.send(hello)
    expect(server.messages).toHaveLength(1)
  })

  test("with a 4xx answer is temporary", async () => {
    await using server = await openSmtpServer()
    await using mailer = openMailer({ smtpUrl: server.url, from })
    server.answers.set("bo@example.com", 451)
    await expect(mailer.send(hello)).rejects.toThrow(MailDelayed)
    server.answers.clear()
    await mailer.send(hello)
    expect(server.messages).toHaveLength(1)
  })

  test("of the login is temporary, because the settings can be put right", async () => {
    await using server = await openSmtpServer({ login: { user: "ana", password: "right" } })
    const smtpUrl = server.url.replace("right", "wrong")
    await using mailer = openMailer({ smtpUrl, from })
    await expect(mailer.send(hello)).rejects.toThrow(MailDelayed)
  })

  test("of an absent server is temporary", async () => {
    const closed = await openSmtpServer()
    await closed[Symbol.asyncDispose]()
    await using mailer = openMailer({ smtpUrl: closed.url, from })
    await expect(mailer.send(hello)).rejects.toThrow(MailDelayed)
  })

  test("of a certificate nobody vouches for is temporary", async () => {
    await using server = await openSmtpServer({ tls: "only" })
    await using mailer = openMailer({ smtpUrl: server.url, from })
    await expect(mailer.send(hello)).rejects.toThrow(MailDelayed)
  })

  test("of a server without TLS is temporary when TLS is required", async () => {
    await using server = await openSmtpServer()
    await using mailer = openMailer({ smtpUrl: `${server.url}?tls=required`, from })
    await expect(mailer.send(hello)).rejects.toThrow(MailDelayed)
    expect(server.messages).toHaveLength(0)
  })
})

describe("a slow server", () => {
  test("that never greets is left in time", async () => {
    await using server = await openTalker(() => {})
    const timeouts = { greetingMs: 100 }
    await using mailer = openMailer({ smtpUrl: server.url, from, timeouts })
    const startMs = elapsedMs()
    await expect(mailer.send(hello)).rejects.toThrow(MailDelayed)
    expect(elapsedMs() - startMs).toBeLessThan(3_000)
  })

  test("that falls silent is left in time", async () => {
    await using server = await openTalker((write) => write("220 hi\r\n"))
    const timeouts = { socketMs: 100 }
    await using mailer = openMailer({ smtpUrl: server.url, from, timeouts })
    await expect(mailer.send(hello)).rejects.toThrow(MailDelayed)
  })

  test("that trickles its answer is left at the deadline, and closing does not wait", async () => {
    let trickle: NodeJS.Timeout | undefined
    await using server = await openTalker((write) => {
      write("220 hi\r\n")
      trickle = setInterval(() => write("250-x\r\n"), 20)
    })
    const timeouts = { sendMs: 200 }
    const mailer = openMailer({ smtpUrl: server.url, from, timeouts })
    const startMs = elapsedMs()
    await expect(mailer.send(hello)).rejects.toThrow("took longer than 200 ms")
    await mailer[Symbol.asyncDispose]()
    clearInterval(trickle)
    expect(elapsedMs() - startMs).toBeLessThan(3_000)
  })
})

describe("a mailer", () => {
  test("without a server says so and must not be asked to send", async () => {
    await using mailer = openMailer({ smtpUrl: undefined, from })
    expect(mailer.isConfigured).toBe(false)
    await expect(mailer.send(hello)).rejects.toThrow("only when a mail server is configured")
  })

  test("finishes the mails under way before it closes and takes none after", async () => {
    await using server = await openSmtpServer()
    const mailer = openMailer({ smtpUrl: server.url, from })
    const sent = mailer.send(hello)
    await mailer[Symbol.asyncDispose]()
    await sent
    expect(server.messages).toHaveLength(1)
    await expect(mailer.send(hello)).rejects.toThrow("the mailer is closed")
  })

  test("refuses a bound of mails at once instead of queueing without end", async () => {
    await using server = await openTalker(() => {})
    const mailer = openMailer({ smtpUrl: server.url, from, timeouts: { sendMs: 200 } })
    const sent = Array.from({ length: 101 }, () => mailer.send(hello))
    const results = await Promise.allSettled(sent)
    expect(results.at(-1)).toMatchObject({
      reason: { message: expect.stringContaining("waiting") },
    })
    expect(results.every(({ status }) => status === "rejected")).toBe(true)
    await mailer[Symbol.asyncDispose]()
  })

  test.each([
    "http://x",
    "smtp://",
    "smtp://a%zz:b@x",
    "smtp://x?tls=maybe",
    "smtp://x?pool=false",
  ])("is not opened for %s", (smtpUrl) => {
    expect(() => openMailer({ smtpUrl, from })).toThrow(StartError)
  })

  test.each(["", "Hedgerow", "a@b, c@d", "A <a@b> x"])("has no sender such as %j", (sender) => {
    expect(() => openMailer({ smtpUrl: "smtp://x", from: sender })).toThrow(/EMAIL_FROM/)
  })

  test("shows no password when its address is wrong", () => {
    const open = () => openMailer({ smtpUrl: "smtp://ana:secret@x?tls=maybe", from })
    expect(open).not.toThrow(/secret/)
  })
})

/** A server that says what the test wants, whatever the client says. */
async function openTalker(talk: (write: (text: string) => void) => unknown) {
  const sockets = new Set<{ destroy(): void }>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.resume()
    talk((text) => socket.write(text))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    url: `smtp://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
