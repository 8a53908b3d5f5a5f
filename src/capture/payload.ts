/**
 * From the bytes of a request to the bytes of its JSON, in three steps that each may have nothing to do:
 * 1. what the transport did (Content-Encoding),
 * 2. the form field `data`, or the query's,
 * 3. what the SDK did (gzip, deflate, lz64, base64; declared, or seen from the first bytes).
 */
import { type Packing, unpack, unpackLz64Bytes } from "./decompress.ts"
import { findField, PLUS, parseForm, SPACE, swapBytes } from "./form.ts"
import { refusal } from "./refusal.ts"

export interface Encoded {
  readonly body: Buffer
  readonly query: string
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
}

export interface Payload {
  readonly json: Buffer
  /** The token of a form field, for events that bring none. */
  readonly formToken: string | undefined
}

/** Nobody packs more often than this on purpose. */
const LAYERS_MAX = 4

export function readPayload(encoded: Encoded): Payload | Promise<Payload> {
  const { body, contentEncoding } = encoded
  if (contentEncoding === undefined && isJsonStart(body))
    return { json: body, formToken: undefined }
  return unwrap(encoded)
}

async function unwrap(encoded: Encoded): Promise<Payload> {
  const codings = codingsOf(encoded.contentEncoding)
  const body = withoutMark(await undoTransport(encoded.body, codings))
  const form =
    isJsonStart(body) || isGzip(body) ? undefined : parseForm(body, encoded.contentType ?? "")
  const data = form === undefined ? body : (form.data ?? EMPTY)
  const inner = data.length > 0 ? data : Buffer.from(findField(encoded.query, "data") ?? "")
  if (inner.length === 0) throw refusal("no_data", "The request holds no event.")
  const declared =
    form?.compression ??
    findField(encoded.query, "compression") ??
    codings.find((coding) => SDK_CODINGS.has(coding))
  return { json: await undoSdk(inner, declared), formToken: form?.token }
}

const EMPTY = Buffer.alloc(0)

/** What SDKs write into Content-Encoding too, though it is none; undone with what they did. */
const SDK_CODINGS: ReadonlySet<string> = new Set(["lz64", "base64"])
const NO_CODINGS: ReadonlySet<string> = new Set(["", "identity", "none", ...SDK_CODINGS])

/** The last one was done last, so it is undone first. */
function codingsOf(header: string | undefined): string[] {
  if (header === undefined) return []
  const codings = header.split(",", LAYERS_MAX + 1).map((coding) => coding.trim().toLowerCase())
  if (codings.length > LAYERS_MAX) {
    throw refusal("invalid_payload", `Content-Encoding names more than ${LAYERS_MAX} codings.`)
  }
  return codings.reverse()
}

async function undoTransport(body: Buffer, codings: readonly string[]): Promise<Buffer> {
  let bytes = body
  for (const coding of codings) {
    if (NO_CODINGS.has(coding)) continue
    const packing = packingOf(coding, bytes)
    if (packing === undefined) {
      const known = "gzip, deflate, br, base64 and lz64"
      throw refusal("invalid_payload", `Content-Encoding "${coding}" is not known; use ${known}.`)
    }
    if (packing !== "none") bytes = await unpack(packing, bytes)
  }
  return bytes
}

/** "none" for gzip that is none any more: proxies unpack bodies and forget the header. */
function packingOf(coding: string, bytes: Buffer): Packing | "none" | undefined {
  switch (coding) {
    case "gzip":
    case "x-gzip":
    case "gzip-js":
      return isGzip(bytes) ? "gzip" : "none"
    case "deflate":
      if (isGzip(bytes)) return "gzip"
      return isZlib(bytes) ? "deflate" : isJsonStart(bytes) ? "none" : "raw_deflate"
    case "br":
      return "br"
    default:
      return undefined
  }
}

async function undoSdk(data: Buffer, declared: string | undefined): Promise<Buffer> {
  let bytes = data
  let hint = declared?.toLowerCase()
  for (let layer = 0; layer < LAYERS_MAX; layer++) {
    bytes = withoutMark(bytes)
    if (isGzip(bytes)) bytes = await unpack("gzip", bytes)
    else if (hint === "br" && !isBase64(bytes)) {
      hint = undefined
      bytes = await unpack("br", bytes)
    } else if (isJsonStart(bytes)) return bytes
    else if (hint === "lz64") {
      hint = undefined
      bytes = unpackLz64Bytes(bytes)
    } else if (isBase64(bytes)) bytes = fromBase64(bytes)
    else if (hint === "deflate") {
      hint = undefined
      bytes = await unpack(isZlib(bytes) ? "deflate" : "raw_deflate", bytes)
    } else return bytes
  }
  return bytes
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** The method, and a checksum over the first two bytes. */
function isZlib(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
}

const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b

function isJsonStart(bytes: Buffer): boolean {
  const first = bytes[0]
  if (first === OPEN_OBJECT || first === OPEN_LIST) return true
  let index = 0
  while (isSpace(bytes[index])) index += 1
  return bytes[index] === OPEN_OBJECT || bytes[index] === OPEN_LIST
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Without a byte order mark. */
function withoutMark(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return isMarked ? bytes.subarray(3) : bytes
}

const BASE64_SEEN_BYTES = 64
const BASE64 = /^[A-Za-z0-9+/_\-=\s]+$/

function isBase64(bytes: Buffer): boolean {
  return BASE64.test(bytes.toString("latin1", 0, BASE64_SEEN_BYTES))
}

/** A plus that went through a form is a space. */
function fromBase64(bytes: Buffer): Buffer {
  return Buffer.from(swapBytes(bytes, SPACE, PLUS).toString("latin1"), "base64")
}
