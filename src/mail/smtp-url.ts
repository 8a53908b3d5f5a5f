/**
 * `SMTP_URL`, read: smtp:// (port 587, STARTTLS when the server offers it) or smtps:// (port 465, TLS from the
 * first byte), credentials percent-encoded in front of the host. `?tls=required` sends nothing in the clear,
 * `?tls=unverified` accepts any certificate, for a relay in one's own network.
 */
import { StartError } from "../lib/errors.ts"

const SUBMISSION_PORT = 587
const SUBMISSION_TLS_PORT = 465

export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly auth?: { readonly user: string; readonly pass: string }
  readonly requireTLS: boolean
  readonly tls: { readonly rejectUnauthorized: boolean }
}

export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !["smtp:", "smtps:"].includes(url.protocol) || !url.hostname) {
    throw wrongUrl("is no mail server; use smtp://user:password@mail.example.com:587")
  }
  const secure = url.protocol === "smtps:"
  const auth = parseCredentials(url)
  const tls = parseTls(url)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? SUBMISSION_TLS_PORT : SUBMISSION_PORT) : Number(url.port),
    secure,
    ...(auth && { auth }),
    requireTLS: tls === "required",
    tls: { rejectUnauthorized: tls !== "unverified" },
  }
}

function parseCredentials(url: URL): SmtpServer["auth"] {
  if (url.username === "" && url.password === "") return undefined
  try {
    return { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
  } catch {
    throw wrongUrl("has a user or password that is not percent-encoded; write % as %25")
  }
}

function parseTls(url: URL): string | undefined {
  for (const name of url.searchParams.keys()) {
    if (name !== "tls") throw wrongUrl(`has an unknown option "${name}"; the only one is tls`)
  }
  const tls = url.searchParams.get("tls") ?? undefined
  if (tls !== undefined && tls !== "required" && tls !== "unverified") {
    throw wrongUrl(`has tls=${tls}; use tls=required or tls=unverified`)
  }
  return tls
}

/** The value is never shown: it may hold a password. */
function wrongUrl(problem: string): StartError {
  return new StartError(`setting SMTP_URL ${problem}`)
}
