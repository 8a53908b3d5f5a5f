/** Small bodies that unpack to a lot: refused early, cheaply, and to nobody else's harm. */
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openTestCapture, type TestCapture, TOKEN } from "./test-capture.ts"

let capture: TestCapture
beforeAll(async () => {
  capture = await openTestCapture()
})
afterAll(() => capture[Symbol.asyncDispose]())

const MEGABYTE = 1024 * 1024
const BODY = JSON.stringify({ event: "a", distinct_id: "ana", api_key: TOKEN })

const SPACES = Buffer.alloc(64 * MEGABYTE, 0x20)
const GZIP = gzipSync(SPACES)
const BOMBS: Record<string, { path?: string; body: Buffer }> = {
  gzip: { body: GZIP },
  "gzip in gzip": { body: gzipSync(GZIP) },
  "base64 of gzip in a form": {
    body: Buffer.from(`data=${encodeURIComponent(GZIP.toString("base64"))}`),
  },
  lz64: { path: "/e/?compression=lz64", body: Buffer.from(lz64Bomb(6_600)) },
}

/** One letter, then codes that each mean "the last phrase and its first letter": the output grows by squares. */
function lz64Bomb(codeCount: number): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  const bits: number[] = []
  const write = (value: number, width: number) => {
    for (let bit = 0; bit < width; bit++) bits.push((value >> bit) & 1)
  }
  write(0, 2)
  write("x".charCodeAt(0), 8)
  let room = 4
  let width = 3
  for (let code = 4; code < 4 + codeCount; code++) {
    write(code, width)
    if (--room === 0) room = 2 ** width++
  }
  write(2, width)
  const signs = Array.from({ length: Math.ceil(bits.length / 6) }, (_, index) => {
    const six = [0, 1, 2, 3, 4, 5].map((offset) => bits[index * 6 + offset] ?? 0)
    return alphabet.charAt(Number.parseInt(six.join(""), 2))
  })
  return signs.join("")
}

function post(body: string | Buffer, path = "/e/") {
  return fetch(capture.url + path, { method: "POST", body: new Uint8Array(Buffer.from(body)) })
}

describe("a bomb", () => {
  test.each(Object.entries(BOMBS))("of %s is refused, with little memory", async (_name, bomb) => {
    expect(bomb.body.length).toBeLessThan(100_000)
    await post(BODY)
    await capture.captured()
    const before = process.memoryUsage.rss()
    const response = await post(bomb.body, bomb.path)
    const grownBytes = process.memoryUsage.rss() - before
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: "request_too_large" })
    // Twice the bound: what was unpacked until it was too much, and what the collector has not seen yet.
    expect(grownBytes).toBeLessThan(120 * MEGABYTE)
    expect(await capture.captured()).toEqual([])
  })

  test("does not hold up the acks of others", async () => {
    const order: number[] = []
    const note = async (request: Promise<Response>) => order.push((await request).status)
    const bombs = Array.from({ length: 10 }, () => note(post(GZIP)))
    const acks = Array.from({ length: 10 }, () => note(post(BODY)))
    await Promise.all([...bombs, ...acks])
    expect(order.filter((status) => status === 200)).toHaveLength(10)
    expect(order.filter((status) => status === 413)).toHaveLength(10)
    expect(order.at(-1)).toBe(413)
    expect(await capture.captured()).toHaveLength(10)
  })
})
