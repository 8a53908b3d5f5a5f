/** HTTP itself: origins, connections, limits, bombs, clients that are slow or go away. */
import { Agent, request as httpRequest } from "node:http"
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openTestCapture, type TestCapture, TOKEN } from "./test-capture.ts"

let capture: TestCapture
beforeAll(async () => {
  capture = await openTestCapture()
})
afterAll(() => capture[Symbol.asyncDispose]())

const MEGABYTE = 1024 * 1024
const EVENT = { event: "a", distinct_id: "ana", api_key: TOKEN }
const BODY = JSON.stringify(EVENT)
const ORIGIN = "https://shop.example"

function post(path: string, body: string | Uint8Array<ArrayBuffer>, headers = {}) {
  return fetch(capture.url + path, { method: "POST", body, headers })
}

function eventOf(sizeBytes: number): string {
  const frame = JSON.stringify({ ...EVENT, properties: { x: "" } })
  return JSON.stringify({ ...EVENT, properties: { x: "x".repeat(sizeBytes - frame.length) } })
}

describe("any origin", () => {
  test.each([
    "/e/",
    "/batch",
    "/flags/",
    "/decide",
    "/s/",
    "/i/v1/analytics/events",
    "/array/x/config.js",
  ])("may send to %s after asking", async (path) => {
    const response = await fetch(capture.url + path, {
      method: "OPTIONS",
      headers: {
        origin: ORIGIN,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type, x-anything",
      },
    })
    expect([response.status, await response.text()]).toEqual([204, ""])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-credentials": "true",
      "access-control-allow-headers": "content-type, x-anything",
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-max-age": "86400",
      vary: "origin",
    })
  })

  test("may read the answer, and the time to wait in a refusal", async () => {
    const response = await post("/e/", BODY, { origin: ORIGIN })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "retry-after",
    })
  })

  test("is not spoken of to clients that are no pages", async () => {
    expect((await post("/e/", BODY)).headers.has("access-control-allow-origin")).toBe(false)
  })
})

describe("a connection", () => {
  test("serves on after each kind of refusal", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sockets = new Set<Socket | null>()
    const status = (method: string, path: string, body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const request = httpRequest(capture.url + path, { method, agent }, (response) => {
          sockets.add(request.socket)
          response.resume().on("end", () => resolve(response.statusCode))
        })
        request.on("error", reject).end(body)
      })
    expect(await status("POST", "/e/", "{")).toBe(400)
    expect(await status("POST", "/e/", '{"event":"a","distinct_id":"b"}')).toBe(401)
    expect(await status("PUT", "/e/", BODY)).toBe(405)
    expect(await status("OPTIONS", "/e/", "")).toBe(204)
    expect(await status("POST", "/e/", BODY)).toBe(200)
    expect(sockets.size).toBe(1)
    agent.destroy()
  })

  test("may carry several requests at once, answered in their order", async () => {
    const one = (body: string) =>
      `POST /e HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const text = await talk(`${one(BODY)}${one("{")}${one(BODY)}${one("[]")}`, 4)
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    expect(statuses).toEqual(["200", "400", "200", "400"])
  })

  test("may send in chunks", async () => {
    const half = Math.floor(BODY.length / 2)
    const chunks = [BODY.slice(0, half), BODY.slice(half), ""]
      .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
      .join("")
    const text = await talk(
      `POST /e HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`,
      1,
    )
    expect(text).toContain("HTTP/1.1 200")
  })

  test("is closed after its answer when the server is closing", async () => {
    await using closing = await openTestCapture({ isClosing: () => true })
    const response = await fetch(`${closing.url}/e/`, { method: "POST", body: BODY })
    expect([response.status, response.headers.get("connection")]).toEqual([200, "close"])
  })

  /** Sends raw text and collects until as many answers have come. */
  function talk(text: string, answerCount: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(capture.port, "127.0.0.1", () => socket.write(text))
      let received = ""
      socket.setEncoding("utf8").on("error", reject)
      socket.on("data", (chunk: string) => {
        received += chunk
        const bodies = received.split(/\r\n\r\n\{/).length - 1
        if (bodies >= answerCount) socket.end(() => resolve(received))
      })
    })
  }
})

describe("a client that goes away", () => {
  test("leaves nothing behind", async () => {
    await using own = await openTestCapture()
    const socket = connect(own.port, "127.0.0.1", () => {
      socket.write(
        `POST /e HTTP/1.1\r\nhost: x\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY.slice(5)}`,
      )
    })
    await new Promise((resolve) => own.server.once("request", resolve))
    socket.destroy()
    await expect.poll(() => own.counts.refusedRequestCounts.aborted).toBe(1)
    expect(await own.captured()).toEqual([])
    expect((await fetch(`${own.url}/e/`, { method: "POST", body: BODY })).status).toBe(200)
  })
})

describe("an answer", () => {
  test("comes when the record is on disk, and not before", async () => {
    let finish = () => {}
    const appended = new Promise<number>((resolve) => {
      finish = () => resolve(0)
    })
    let isAppending = false
    await using slow = await openTestCapture({
      append: () => {
        isAppending = true
        return appended
      },
    })
    let isAnswered = false
    const answer = fetch(`${slow.url}/e/`, { method: "POST", body: BODY }).then(({ status }) => {
      isAnswered = true
      return status
    })
    await expect.poll(() => isAppending).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(isAnswered).toBe(false)
    finish()
    expect(await answer).toBe(200)
  })

  test("that nobody waits for any more does no harm", async () => {
    let finish = () => {}
    const appended = new Promise<number>((resolve) => {
      finish = () => resolve(0)
    })
    await using slow = await openTestCapture({ append: () => appended })
    const leaving = new AbortController()
    const { signal } = leaving
    const answer = fetch(`${slow.url}/e/`, { method: "POST", body: BODY, signal })
    await new Promise((resolve) => slow.server.once("request", resolve))
    leaving.abort()
    await expect(answer).rejects.toThrow()
    finish()
    await expect
      .poll(() => slow.counts.acceptedRequestCount + slow.counts.refusedRequestCounts.aborted)
      .toBe(1)
    expect((await fetch(`${slow.url}/e/`, { method: "POST", body: BODY })).status).toBe(200)
  })
})

describe("limits", () => {
  test.each([
    ["/e/", 2],
    ["/batch/", 20],
    ["/flags/", 2],
    ["/s/", 25],
    ["/i/v1/analytics/events", 20],
  ])("%s takes bodies of %s MB and no byte more", async (path, megabytes) => {
    const fits = await post(path, new Uint8Array(megabytes * MEGABYTE).fill(0x20))
    expect(fits.status).not.toBe(413)
    const large = await post(path, new Uint8Array(megabytes * MEGABYTE + 1), { origin: ORIGIN })
    expect(large.status).toBe(413)
    expect(large.headers.get("access-control-allow-origin")).toBe(ORIGIN)
    expect(await large.json()).toMatchObject({ type: "invalid_request", code: "request_too_large" })
  })

  test("hold for bodies that do not say how long they are", async () => {
    const chunk = new Uint8Array(MEGABYTE).fill(0x20)
    let left = 4
    const body = new ReadableStream({
      pull: (controller) => {
        if (left-- > 0) controller.enqueue(chunk)
        else controller.close()
      },
    })
    const init = { method: "POST", body, duplex: "half" } as RequestInit
    const response = await fetch(`${capture.url}/e/`, init)
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: "request_too_large" })
  })

  test("refuse a declared length before anything is sent", async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { "content-length": `${21 * MEGABYTE}` }
      const request = httpRequest(
        `${capture.url}/batch`,
        { method: "POST", headers },
        (response) => {
          resolve(response.statusCode)
          request.destroy()
        },
      )
      request.on("error", reject).flushHeaders()
    })
    expect(status).toBe(413)
  })

  test("allow an event of 1 MB and no more, and name the one at fault", async () => {
    expect((await post("/e/", eventOf(MEGABYTE))).status).toBe(200)
    expect((await post("/e/", eventOf(MEGABYTE + 1))).status).toBe(413)
    const batch = `{"batch":[${BODY},${eventOf(MEGABYTE)},${eventOf(MEGABYTE + 1)}]}`
    const response = await post("/batch/", batch)
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ detail: "Event 3 of 3: it is larger than 1 MB." })
  })

  test("allow 100 levels of JSON", async () => {
    const nested = (levels: number) =>
      `${BODY.slice(0, -1)},"x":${"[".repeat(levels)}${"]".repeat(levels)}}`
    expect((await post("/e/", nested(99))).status).toBe(200)
    expect((await post("/e/", nested(100))).status).toBe(400)
    expect((await post("/e/", nested(500_000))).status).toBe(400)
  })
})
