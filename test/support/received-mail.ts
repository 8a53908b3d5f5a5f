/** A mail as the test server got it, read back far enough for what our own mailer writes. */

export interface ReceivedMail {
  /** Envelope addresses: who the mail really went to. */
  readonly from: string
  readonly to: readonly string[]
  readonly replyTo: string | undefined
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly headers: ReadonlyMap<string, string>
  readonly raw: string
}

interface Part {
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export function parseReceivedMail(
  raw: string,
  envelope: { readonly from: string; readonly to: readonly string[] },
): ReceivedMail {
  const mail = parsePart(raw)
  const leaves = listLeaves(mail)
  const html = leaves.find((part) => part.headers.get("content-type")?.startsWith("text/html"))
  const text = leaves.find((part) => part !== html)
  return {
    ...envelope,
    replyTo: mail.headers.get("reply-to"),
    subject: decodeWords(mail.headers.get("subject") ?? ""),
    text: text ? decodeBody(text) : "",
    ...(html && { html: decodeBody(html) }),
    headers: mail.headers,
    raw,
  }
}

function parsePart(raw: string): Part {
  const end = raw.indexOf("\r\n\r\n")
  const head = (end < 0 ? raw : raw.slice(0, end)).replace(/\r\n[ \t]+/g, " ")
  const headers = new Map<string, string>()
  for (const line of head.split("\r\n")) {
    const colon = line.indexOf(":")
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return { headers, body: end < 0 ? "" : raw.slice(end + 4) }
}

function listLeaves(part: Part): Part[] {
  const boundary = /boundary="?([^";]+)/.exec(part.headers.get("content-type") ?? "")?.[1]
  if (boundary === undefined) return [part]
  const inner = part.body.split(`--${boundary}`).slice(1, -1)
  return inner.flatMap((text) => listLeaves(parsePart(text.replace(/^\r\n/, ""))))
}

function decodeBody(part: Part): string {
  const encoding = part.headers.get("content-transfer-encoding")?.toLowerCase()
  if (encoding === "base64") return Buffer.from(part.body, "base64").toString().trimEnd()
  const body = encoding === "quoted-printable" ? decodeQuotedPrintable(part.body) : part.body
  return body.replaceAll("\r\n", "\n").trimEnd()
}

function decodeQuotedPrintable(text: string): string {
  return decodeBytes(text.replace(/=\r\n/g, ""), "=")
}

/** RFC 2047: =?utf-8?Q?…?= and =?utf-8?B?…?=; white space between two such words is not text. */
function decodeWords(text: string): string {
  const joined = text.replace(/\?=\s+=\?/g, "?==?")
  return joined.replace(/=\?[^?]+\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) => {
    if (kind.toLowerCase() === "b") return Buffer.from(word, "base64").toString()
    return decodeBytes(word.replaceAll("_", " "), "=")
  })
}

function decodeBytes(text: string, mark: string): string {
  const bytes = text.replace(new RegExp(`${mark}([0-9a-f]{2})`, "gi"), (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, "latin1").toString()
}
