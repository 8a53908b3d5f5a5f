import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, test } from "vitest"
import { HeldBytes, readBody } from "./body.ts"

const MEGABYTE = 1024 * 1024

/** Sends one request and gives what `read` makes of it. */
async function received<T>(body: Uint8Array<ArrayBuffer>, read: (request: IncomingMessage) => T) {
  const results: T[] = []
  const server = createServer((request, response) => {
    results.push(read(request))
    Promise.resolve(results[0]).then(
      () => response.end(),
      () => request.resume() && response.end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}`, { method: "POST", body })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return results[0] as T
}

describe("held bytes", () => {
  test("are those of bodies that were read and not given back", async () => {
    const held = new HeldBytes()
    const body = await received(new Uint8Array(3 * MEGABYTE), (request) =>
      readBody(request, 4 * MEGABYTE, held),
    )
    expect(body).toHaveLength(3 * MEGABYTE)
    expect(held.bytes).toBe(3 * MEGABYTE)
  })

  test("are given back when a body is refused", async () => {
    const held = new HeldBytes()
    const reading = received(new Uint8Array(3 * MEGABYTE), (request) => {
      request.headers["content-length"] = undefined
      request.headers["transfer-encoding"] = "chunked"
      return Promise.resolve(readBody(request, 2 * MEGABYTE, held)).catch((error) => error)
    })
    expect(await reading).toMatchObject({ code: "request_too_large" })
    expect(held.bytes).toBe(0)
  })

  test("have a bound, beyond which bodies wait for a better time", () => {
    const held = new HeldBytes()
    held.take(256 * MEGABYTE)
    expect(() => held.take(1)).toThrow(expect.objectContaining({ kind: "unavailable" }))
    held.give(1)
    held.take(1)
  })
})
