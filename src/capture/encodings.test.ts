/** Every shape of body, in every encoding, over every transport: the same events come out. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import LZString from "lz-string"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openTestCapture, type TestCapture, TOKEN } from "./test-capture.ts"

let capture: TestCapture
beforeAll(async () => {
  capture = await openTestCapture()
})
afterAll(() => capture[Symbol.asyncDispose]())

const EVENT = {
  event: "bought ü日",
  distinct_id: "ana",
  properties: { note: "a+b & c=d ~~~???>>>" },
}
const SHAPES = {
  one: { ...EVENT, api_key: TOKEN },
  array: [{ ...EVENT, token: TOKEN }, EVENT],
  batch: { api_key: TOKEN, batch: [EVENT, EVENT, EVENT] },
} as const

/** What an SDK does to the text, and what it declares. */
const ENCODINGS: Record<string, { declared?: string; encode: (text: string) => Buffer }> = {
  plain: { encode: (text) => Buffer.from(text) },
  "plain with a mark and spaces": { encode: (text) => Buffer.from(`\ufeff \n\t${text}\n`) },
  gzip: { declared: "gzip", encode: (text) => gzipSync(text) },
  "gzip-js": { declared: "gzip-js", encode: (text) => gzipSync(text) },
  "gzip, undeclared": { encode: (text) => gzipSync(text) },
  deflate: { declared: "deflate", encode: (text) => deflateSync(text) },
  "raw deflate": { declared: "deflate", encode: (text) => deflateRawSync(text) },
  br: { declared: "br", encode: (text) => brotliCompressSync(text) },
  base64: { declared: "base64", encode: (text) => Buffer.from(base64(text)) },
  "base64, undeclared": { encode: (text) => Buffer.from(base64(text)) },
  "base64 for addresses": {
    encode: (text) => Buffer.from(Buffer.from(text).toString("base64url")),
  },
  "base64 of gzip": {
    declared: "gzip",
    encode: (text) => Buffer.from(gzipSync(text).toString("base64")),
  },
  lz64: { declared: "lz64", encode: (text) => Buffer.from(LZString.compressToBase64(text)) },
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64")
}

interface Encoded {
  readonly data: Buffer
  readonly declared: string | undefined
}

interface Request {
  readonly query?: string
  readonly init: RequestInit
}

const FORM = { "content-type": "application/x-www-form-urlencoded" }

/** How the data travels. Percent-encoding holds text only, so bytes go as base64 there. */
const TRANSPORTS: Record<string, (encoded: Encoded) => Request | undefined> = {
  "a body and the query": ({ data, declared }) => ({
    ...(declared === undefined ? {} : { query: `compression=${declared}` }),
    init: post(data, { "content-type": "text/plain" }),
  }),
  "a body and a header": ({ data, declared }) => ({
    init: post(data, declared === undefined ? {} : { "content-encoding": declared }),
  }),
  "a form": ({ data, declared }) => {
    const fields = new URLSearchParams({ data: asText(data) })
    if (declared !== undefined) fields.set("compression", declared)
    return { init: post(Buffer.from(`${fields}`), FORM) }
  },
  "a form whose plus is not escaped": ({ data, declared }) => ({
    query: `compression=${declared ?? ""}`,
    init: post(
      Buffer.from(`data=${asText(data).replaceAll("=", "%3D").replaceAll("&", "%26")}`),
      FORM,
    ),
  }),
  "a gzipped form": ({ data, declared }) => {
    const fields = new URLSearchParams({ data: asText(data) })
    if (declared !== undefined) fields.set("compression", declared)
    return { init: post(gzipSync(`${fields}`), { ...FORM, "content-encoding": "gzip" }) }
  },
  "a form of parts": ({ data, declared }) => {
    const form = new FormData()
    form.set("data", new Blob([new Uint8Array(data)]), "blob")
    if (declared !== undefined) form.set("compression", declared)
    return { init: { method: "POST", body: form } }
  },
  "the address": ({ data, declared }) => ({
    query: `compression=${declared ?? ""}&data=${encodeURIComponent(asText(data))}`,
    init: { method: "GET" },
  }),
}

function post(body: Buffer, headers: Record<string, string>): RequestInit {
  return { method: "POST", body: new Uint8Array(body), headers }
}

function asText(data: Buffer): string {
  const text = data.toString("utf8")
  return Buffer.from(text).equals(data) ? text : data.toString("base64")
}

/** JSON with a bare plus in a form is JSON with a space: nobody can tell. */
function isAmbiguous(transport: string, encoding: string): boolean {
  return transport.includes("not escaped") && encoding.startsWith("plain")
}

describe.each(Object.entries(TRANSPORTS))("through %s", (transport, carry) => {
  const encodings = Object.entries(ENCODINGS).filter(([name]) => !isAmbiguous(transport, name))

  test.each(encodings)("%s is understood", async (_name, { declared, encode }) => {
    for (const [shape, body] of Object.entries(SHAPES)) {
      const request = carry({ data: encode(JSON.stringify(body)), declared })
      if (request === undefined) continue
      const response = await fetch(`${capture.url}/e/?${request.query ?? ""}`, request.init)
      expect([shape, response.status, await response.text()]).toEqual([shape, 200, '{"status":1}'])
      const [captured] = await capture.captured()
      expect(captured?.head.shape).toBe(shape)
      expect(captured?.events).toEqual("batch" in body ? body.batch : [body].flat())
    }
  })
})

describe("what is odd but seen", () => {
  test.each<[string, Buffer, Record<string, string>]>([
    ["JSON sent as a form, as curl does", Buffer.from(JSON.stringify(SHAPES.one)), FORM],
    [
      "base64 sent as a form without a field",
      Buffer.from(base64(JSON.stringify(SHAPES.one))),
      FORM,
    ],
    [
      "JSON whose gzip a proxy has undone",
      Buffer.from(JSON.stringify(SHAPES.one)),
      { "content-encoding": "gzip" },
    ],
    [
      "JSON that was packed twice",
      gzipSync(gzipSync(JSON.stringify(SHAPES.one))),
      { "content-encoding": "gzip, gzip" },
    ],
  ])("%s is understood", async (_what, body, headers) => {
    const response = await fetch(`${capture.url}/e/`, post(body, headers))
    expect(response.status).toBe(200)
    expect((await capture.captured())[0]?.events).toEqual([SHAPES.one])
  })

  test("a form may name the token beside the data", async () => {
    const fields = new URLSearchParams({ api_key: TOKEN, data: base64(JSON.stringify(EVENT)) })
    const response = await fetch(`${capture.url}/e/`, post(Buffer.from(`${fields}`), FORM))
    expect(response.status).toBe(200)
    expect(await capture.captured()).toHaveLength(1)
  })

  test.each<[string, Buffer, string]>([
    ["gzip that is cut off", gzipSync(JSON.stringify(SHAPES.one)).subarray(0, 40), ""],
    ["gzip with a wrong checksum", flipped(gzipSync(JSON.stringify(SHAPES.one)), -6), ""],
    ["deflate that is none", Buffer.from([1, 2, 3, 4]), "deflate"],
    [
      "lz64 that is cut off",
      Buffer.from(LZString.compressToBase64("{}".repeat(99)).slice(0, 9)),
      "lz64",
    ],
    ["bytes", Buffer.from([0xff, 0xfe, 0x00]), ""],
  ])("%s is refused", async (_what, body, compression) => {
    const response = await fetch(`${capture.url}/e/?compression=${compression}`, post(body, {}))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: "invalid_payload" })
    expect(await capture.captured()).toEqual([])
  })
})

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8((copy.at(at) ?? 0) ^ 1, copy.length + at)
  return copy
}
