/**
 * Sends one mail at a time through a small pool of SMTP connections. Without a server it is a mailer that is
 * not configured: callers ask `isConfigured` before they plan a mail. It never retries: the job runner does.
 */
import assert from "node:assert/strict"
import {
  createTransport,
  type Mail,
  type SMTPPoolOptions,
  type SMTPPoolSentMessageInfo,
} from "nodemailer"
import { headerText, isMailAddress, parseSender, type Sender } from "./address.ts"
import { asMailError, MailDelayed, MailRejected } from "./mail-errors.ts"
import { parseSmtpUrl } from "./smtp-url.ts"

const MAX_CONNECTIONS = 2
const MAX_MAILS_PER_CONNECTION = 100
const MAX_REQUEUES = 1
const MAX_PENDING_MAILS = 100
const MAX_BODY_CHARS = 256 * 1024
const CLOSE_GRACE_MS = 3_000

export interface Message {
  /** One bare address; so is `replyTo`. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly replyTo?: string
}

export interface Mailer extends AsyncDisposable {
  readonly isConfigured: boolean
  /** Resolves when the server has taken the message; throws MailRejected or MailDelayed. */
  send(message: Message): Promise<void>
}

interface MailTimeouts {
  /** Name lookup, connection, greeting and TLS together. */
  readonly connectMs: number
  readonly greetingMs: number
  /** Silence inside a conversation. */
  readonly socketMs: number
  /** The whole of one `send`, so that a server that trickles its answers cannot hold it. */
  readonly sendMs: number
}

const DEFAULT_TIMEOUTS: MailTimeouts = {
  connectMs: 10_000,
  greetingMs: 10_000,
  socketMs: 20_000,
  sendMs: 60_000,
}

export interface MailSettings {
  readonly smtpUrl: string | undefined
  readonly from: string
  readonly timeouts?: Partial<MailTimeouts>
}

export function openMailer({ smtpUrl, from, timeouts }: MailSettings): Mailer {
  if (smtpUrl === undefined) return new NoMailer()
  const limits = { ...DEFAULT_TIMEOUTS, ...timeouts }
  return new SmtpMailer(poolOptions(smtpUrl, limits), parseSender(from), limits.sendMs)
}

class NoMailer implements Mailer {
  readonly isConfigured = false

  async send(): Promise<void> {
    assert.fail("a mail is sent only when a mail server is configured")
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

type PoolOptions = SMTPPoolOptions & { readonly pool: true }

class SmtpMailer implements Mailer {
  readonly isConfigured = true
  readonly #options: PoolOptions
  readonly #sender: Sender
  readonly #sendMs: number
  readonly #pending = new Set<Promise<unknown>>()
  #pool: Mail<SMTPPoolSentMessageInfo, SMTPPoolOptions> | undefined
  #isClosed = false

  constructor(options: PoolOptions, sender: Sender, sendMs: number) {
    this.#options = options
    this.#sender = sender
    this.#sendMs = sendMs
  }

  async send(message: Message): Promise<void> {
    const mail = composeMail(message, this.#sender)
    if (this.#isClosed) throw new MailDelayed("the mailer is closed")
    if (this.#pending.size >= MAX_PENDING_MAILS) {
      throw new MailDelayed(`${MAX_PENDING_MAILS} mails are already waiting for the mail server`)
    }
    this.#pool ??= createTransport(this.#options)
    const delivery = this.#pool.sendMail(mail)
    this.#pending.add(delivery)
    try {
      await this.#withDeadline(delivery)
    } catch (error) {
      throw asMailError(error)
    } finally {
      this.#pending.delete(delivery)
    }
  }

  /** Mails under way get a moment to finish; then every connection is cut. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    const grace = AbortSignal.timeout(CLOSE_GRACE_MS)
    const isOver = new Promise((resolve) => grace.addEventListener("abort", resolve))
    if (this.#pending.size > 0) await Promise.race([Promise.allSettled(this.#pending), isOver])
    this.#pool?.close({ force: true })
  }

  async #withDeadline(delivery: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        // One mail cannot be taken back from the pool; the others under way are delayed with it.
        this.#pool?.close({ force: true })
        this.#pool = undefined
        reject(new MailDelayed(`the mail server took longer than ${this.#sendMs} ms`))
      }, this.#sendMs)
    })
    try {
      await Promise.race([delivery, deadline])
    } finally {
      clearTimeout(timer)
    }
  }
}

function poolOptions(smtpUrl: string, timeouts: MailTimeouts): PoolOptions {
  return {
    ...parseSmtpUrl(smtpUrl),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    maxMessages: MAX_MAILS_PER_CONNECTION,
    maxRequeues: MAX_REQUEUES,
    dnsTimeout: timeouts.connectMs,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.socketMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function composeMail(message: Message, sender: Sender) {
  const { to, replyTo } = message
  for (const address of replyTo === undefined ? [to] : [to, replyTo]) {
    if (!isMailAddress(address)) {
      throw new MailRejected(`"${headerText(address)}" is not one bare mail address`)
    }
  }
  if (message.text.length + message.html.length > MAX_BODY_CHARS) {
    throw new MailRejected(`the mail is longer than ${MAX_BODY_CHARS} characters`)
  }
  return {
    // Objects, because nodemailer would read a text as a list of addresses.
    from: { ...sender },
    to: { name: "", address: to },
    ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
    subject: headerText(message.subject),
    text: message.text,
    html: message.html,
    headers: { "Auto-Submitted": "auto-generated" },
  }
}
