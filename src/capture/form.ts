/** Fields of query strings and of form bodies, urlencoded or multipart. Only the asked ones are decoded. */
import { refusal } from "./refusal.ts"

/** The first field of this name, decoded; undefined when there is none. */
export function findField(text: string, name: string): string | undefined {
  const raw = findRawField(text, name)
  if (raw === undefined) return undefined
  const isPlain = !raw.includes("%") && !raw.includes("+")
  return isPlain ? raw : decodeField(raw, name)
}

function findRawField(text: string, name: string): string | undefined {
  let start = text.indexOf(`${name}=`)
  // Most often it is the first one, or there is none; else the name may be the end of a longer one.
  if (start > 0) {
    start = text.indexOf(`&${name}=`)
    if (start !== -1) start += 1
  }
  if (start === -1) return undefined
  const end = text.indexOf("&", start)
  return text.slice(start + name.length + 1, end === -1 ? undefined : end)
}

function decodeField(raw: string, name: string): string {
  try {
    return decodeURIComponent(raw.replaceAll("+", " "))
  } catch {
    throw refusal("invalid_payload", `The field "${name}" is not percent-encoded UTF-8.`, name)
  }
}

export interface Form {
  readonly data: Buffer | undefined
  readonly compression: string | undefined
  readonly token: string | undefined
}

/** Undefined when the body is no form, whatever its type says: many clients send JSON as a form. */
export function parseForm(body: Buffer, contentType: string): Form | undefined {
  if (MULTIPART.test(contentType)) return parseMultipart(body, contentType)
  const isNamed = body.subarray(0, DATA_START.length).equals(DATA_START)
  if (!isNamed && !URLENCODED.test(contentType)) return undefined
  if (body.length > URLENCODED_MAX_BYTES) {
    throw refusal("request_too_large", "The form is larger than 4 MB; send its data as the body.")
  }
  const text = swapBytes(body, PLUS, SPACE).toString("utf8")
  const data = findField(text, "data")
  const token = findField(text, "api_key") ?? findField(text, "token")
  if (data === undefined && token === undefined) return undefined
  return {
    data: data === undefined ? undefined : Buffer.from(data),
    compression: findField(text, "compression"),
    token,
  }
}

/** Percent-encoding is slow to undo, and nobody needs it for much. */
const URLENCODED_MAX_BYTES = 4 * 1024 * 1024

export const PLUS = 0x2b
export const SPACE = 0x20

/** The same bytes with one value for another; on text with millions of them a replacement takes a second. */
export function swapBytes(bytes: Buffer, from: number, to: number): Buffer {
  const first = bytes.indexOf(from)
  if (first === -1) return bytes
  const swapped = Buffer.from(bytes)
  for (let index = first; index < swapped.length; index++) {
    if (swapped[index] === from) swapped[index] = to
  }
  return swapped
}

const MULTIPART = /^\s*multipart\/form-data\b/i
const URLENCODED = /^\s*application\/x-www-form-urlencoded\b/i
const DATA_START = Buffer.from("data=")

const PARTS_MAX = 32
const PART_HEADERS_MAX_BYTES = 4_096
const LINE_END = Buffer.from("\r\n\r\n")

function parseMultipart(body: Buffer, contentType: string): Form {
  const parts = listParts(body, boundaryOf(contentType))
  const text = (name: string) => parts.get(name)?.toString("utf8")
  return {
    data: parts.get("data"),
    compression: text("compression"),
    token: text("api_key") ?? text("token"),
  }
}

function boundaryOf(contentType: string): Buffer {
  const [, quoted, bare] = /boundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) {
    throw refusal("invalid_payload", "The multipart Content-Type has no boundary.")
  }
  return Buffer.from(`--${boundary}`, "latin1")
}

/** By name, the first part of each; what stands before the first boundary is nobody's. */
function listParts(body: Buffer, boundary: Buffer): Map<string, Buffer> {
  const parts = new Map<string, Buffer>()
  let start = body.indexOf(boundary)
  for (let count = 0; start !== -1; count++) {
    if (count > PARTS_MAX) {
      throw refusal("invalid_payload", `The form has more than ${PARTS_MAX} fields.`)
    }
    const from = start + boundary.length
    const next = body.indexOf(boundary, from)
    if (next === -1) break
    addPart(parts, body.subarray(from, next))
    start = next
  }
  return parts
}

function addPart(parts: Map<string, Buffer>, part: Buffer): void {
  const end = part.subarray(0, PART_HEADERS_MAX_BYTES).indexOf(LINE_END)
  if (end === -1) return
  const headers = part.subarray(0, end).toString("latin1")
  const [, quoted, bare] = /;\s*name=(?:"([^"]*)"|([^\s;]+))/i.exec(headers) ?? []
  const name = quoted ?? bare
  // The line end before the next boundary belongs to the boundary.
  const value = part.subarray(
    end + LINE_END.length,
    Math.max(end + LINE_END.length, part.length - 2),
  )
  if (name !== undefined && !parts.has(name)) parts.set(name, value)
}
