/**
 * A real SMTP server on loopback that keeps what it receives. `answers` makes it refuse a recipient with a
 * reply code, at once and until the entry is removed.
 */
import type { AddressInfo } from "node:net"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from "smtp-server"
import { parseReceivedMail, type ReceivedMail } from "./received-mail.ts"

export interface SmtpTestServer extends AsyncDisposable {
  /** For `SMTP_URL`, credentials included. */
  readonly url: string
  readonly port: number
  /** In order of arrival. */
  readonly messages: ReceivedMail[]
  /** Recipient → reply code, such as 550 or 451. */
  readonly answers: Map<string, number>
  /** Connections so far. */
  readonly connectionCount: number
}

export interface SmtpTestOptions {
  readonly login?: { readonly user: string; readonly password: string }
  /** "offered" is STARTTLS, "only" is TLS from the first byte; the certificate is self-signed. */
  readonly tls?: "none" | "offered" | "only"
}

export async function openSmtpServer(options: SmtpTestOptions = {}): Promise<SmtpTestServer> {
  const { login, tls = "none" } = options
  const messages: ReceivedMail[] = []
  const answers = new Map<string, number>()
  let connectionCount = 0

  const server = new SMTPServer({
    ...serverOptions(options),
    onConnect(_session, done) {
      connectionCount += 1
      done()
    },
    onAuth({ username, password }, _session, done) {
      const isRight = username === login?.user && password === login?.password
      done(isRight ? null : new Error("wrong user or password"), isRight ? { user: username } : {})
    },
    onRcptTo({ address }, _session, done) {
      const responseCode = answers.get(address)
      done(responseCode ? Object.assign(new Error("not this address"), { responseCode }) : null)
    },
    onData(stream, { envelope }, done) {
      readText(stream).then((raw) => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        messages.push(parseReceivedMail(raw, { from, to }))
        done()
      }, done)
    },
  })
  // A client that hangs up in the middle is no fault of the test.
  server.on("error", () => {})
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.server.address() as AddressInfo
  const credentials = login
    ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`
    : ""
  return {
    url: `${tls === "only" ? "smtps" : "smtp"}://${credentials}127.0.0.1:${port}`,
    port,
    messages,
    answers,
    get connectionCount() {
      return connectionCount
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

function serverOptions({ login, tls = "none" }: SmtpTestOptions): SMTPServerOptions {
  const disabledCommands = [...(login ? [] : ["AUTH"]), ...(tls === "none" ? ["STARTTLS"] : [])]
  return {
    secure: tls === "only",
    disabledCommands,
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
  }
}

async function readText(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
