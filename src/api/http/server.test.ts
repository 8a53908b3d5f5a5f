import { request as httpRequest } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Validator } from "@seriousme/openapi-schema-validator"
import { describe, expect, test } from "vitest"
import { z } from "zod"
import { useTestApp } from "../../../test/support/app.ts"
import { type RawAnswer, sendRaw } from "../../../test/support/raw-http.ts"
import { openSmallServer } from "../../../test/support/small-server.ts"
import { newUuid } from "../../lib/ids.ts"
import { anyone } from "./access.ts"
import { endpoint } from "./endpoint.ts"

const app = useTestApp()
const NOT_FOUND = { type: "invalid_request", code: "not_found", attr: null }

/** Written whole, with the connection closed afterwards. */
function raw(head: string, headers: readonly string[] = [], body = ""): Promise<RawAnswer> {
  const lines = [head, "Connection: close", ...headers, "", body]
  return sendRaw(app.app.address, lines.join("\r\n"))
}

function problemIn(answer: RawAnswer) {
  const problem = JSON.parse(answer.body) as Record<string, unknown>
  expect(Object.keys(problem).toSorted()).toEqual(["attr", "code", "detail", "type"])
  return problem
}

describe("an unknown route", () => {
  test.each([
    "/api/nothing",
    "/api/nothing/",
    "/api",
    "/",
    "/nothing",
    "/api//organizations",
    "/%00",
  ])("%s is a 404 in the shape of every error, whatever the method", async (url) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const { status, body } = await app.call(method, url)
      expect(status).toBe(404)
      expect(body).toMatchObject(NOT_FOUND)
    }
  })

  test("is a 404 also for a method that hardly anybody knows", async () => {
    const answer = await raw("PROPFIND /api/organizations HTTP/1.1", ["Host: x"])
    expect(answer.status).toBe(404)
    expect(problemIn(answer)).toMatchObject(NOT_FOUND)
  })
})

describe("a method", () => {
  test("that a path does not have is a 405 which says what it has", async () => {
    const { status, body, headers } = await app.call("DELETE", "/api/organizations/")
    expect(status).toBe(405)
    expect(body).toMatchObject({ type: "invalid_request", code: "method_not_allowed", attr: null })
    expect(headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS")
  })

  test("TRACE is a 405, and does not repeat the request", async () => {
    const answer = await raw("TRACE /api/organizations HTTP/1.1", ["Host: x", "Cookie: hush"])
    expect(answer.status).toBe(405)
    expect(answer.body).not.toContain("hush")
  })

  test("HEAD answers as GET does, without a body", async () => {
    const { url, owner } = await app.addOrganization()
    const get = await app.get(url, owner.key)
    const head = await app.call("HEAD", url, { key: owner.key })
    expect([head.status, head.text]).toEqual([200, ""])
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)))
    expect((await fetch(`${app.app.address}${url}`, { method: "HEAD" })).status).toBe(401)
  })

  test("HEAD is a 405 where there is no GET", async () => {
    const address = `${app.app.address}/api/organizations/@current/invites/bulk`
    const { status, headers } = await fetch(address, { method: "HEAD" })
    expect([status, headers.get("allow")]).toEqual([405, "POST, OPTIONS"])
  })

  test.each(["/api/organizations", "/api/organizations/@current/", "/api/schema", "/_livez"])(
    "OPTIONS of %s tells the methods, and nothing to other origins",
    async (url) => {
      const { status, headers, text } = await app.call("OPTIONS", url, {
        headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
      })
      expect([status, text]).toEqual([204, ""])
      expect(headers.get("allow")).toContain("OPTIONS")
      const names = [...headers.keys()].filter((name) => name.startsWith("access-control-"))
      expect(names).toEqual([])
    },
  )
})

describe("every answer", () => {
  test.each([
    ["GET", "/_livez"],
    ["GET", "/api/schema"],
    ["GET", "/api/docs"],
    ["GET", "/nothing"],
    ["GET", "/api/organizations"],
    ["DELETE", "/api/organizations"],
    ["OPTIONS", "/api/organizations"],
    ["GET", "/%zz"],
  ])("to %s %s carries the security headers and a request id", async (method, url) => {
    const { headers } = await app.call(method, url)
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-security-policy": expect.stringContaining("default-src 'none'"),
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cache-control": "no-store",
      "x-request-id": expect.stringMatching(/^[\da-f-]{36}$/),
    })
    expect(headers.get("x-powered-by")).toBeNull()
  })

  test("repeats the request id that was sent, if it is a UUID", async () => {
    const sent = newUuid()
    const echo = async (id: string) =>
      (await app.call("GET", "/_livez", { headers: { "x-request-id": id } })).headers.get(
        "x-request-id",
      )
    expect(await echo(sent)).toBe(sent)
    expect(await echo("<script>")).toMatch(/^[\da-f-]{36}$/)
  })
})

describe("the frame's own routes", () => {
  test("/_livez and /_readyz say that all is well", async () => {
    for (const url of ["/_livez", "/_readyz", "/_livez/"]) {
      const { status, body } = await app.get(url)
      expect([status, body]).toEqual([200, { status: "ok" }])
    }
  })

  test("/metrics counts requests by endpoint, method and status", async () => {
    await app.get("/api/organizations")
    const { headers, text } = await app.get("/metrics")
    expect(headers.get("content-type")).toContain("text/plain")
    expect(text).toMatch(
      /hedgerow_http_requests_total\{endpoint="organizations_list",method="GET",status="401"\} \d/,
    )
    expect(text).toContain(
      'hedgerow_http_request_seconds_bucket{le="0.01",endpoint="organizations_list"}',
    )
    expect(text).toContain("process_cpu_seconds_total")
  })

  test("/api/schema is a valid OpenAPI document of every endpoint", async () => {
    const { body } = await app.get("/api/schema/")
    const { valid, errors } = await new Validator().validate(body)
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(body.paths["/api/organizations/{id}"].patch.operationId).toBe(
      "organizations_update_partial",
    )
  })

  test("/api/docs is a page that needs no script", async () => {
    const { headers, text } = await app.get("/api/docs")
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(text).toMatch(/^<!doctype html>/i)
    expect(text).not.toMatch(/<script|\son\w+=|javascript:/i)
    const style = await app.get("/api/docs/style.css")
    expect(style.headers.get("content-type")).toBe("text/css; charset=utf-8")
  })
})

describe("when not all is well", () => {
  test.each([
    ["says no", async () => false],
    ["fails", () => Promise.reject(new Error("hush"))],
    ["hangs", () => new Promise<boolean>(() => {})],
  ])("/_readyz is not 200 while the store %s", async (_how, isReady) => {
    const server = await openSmallServer({ services: app.app.services, endpoints: [], isReady })
    const { status, body } = await server.call("GET", "/_readyz")
    expect(status).toBeGreaterThanOrEqual(500)
    expect(body.detail).not.toContain("hush")
    expect((await server.call("GET", "/_livez")).status).toBe(200)
    await server.close()
  })

  test("a bug is a 500 with the request's id and nothing inside", async () => {
    const broken = endpoint({
      ...{ name: "broken", method: "GET", path: "/api/broken", tag: "Test", summary: "Breaks." },
      ...{ access: anyone, scope: null, reply: z.object({}) },
      handle: () => Promise.reject(new Error("hush")),
    })
    const server = await openSmallServer({ services: app.app.services, endpoints: [broken] })
    const { status, body, text, headers } = await server.call("GET", "/api/broken")
    expect(status).toBe(500)
    expect(body).toMatchObject({ type: "server_error", code: "error", attr: null })
    expect(body.detail).toContain(headers.get("x-request-id"))
    expect(text).not.toContain("hush")
    await server.close()
  })

  test("what arrives on an open connection while the server closes is still served", async () => {
    const slow = endpoint({
      ...{ name: "slow", method: "GET", path: "/api/slow", tag: "Test", summary: "Waits." },
      ...{ access: anyone, scope: null, reply: z.object({ is_done: z.boolean() }) },
      handle: async () => {
        await sleep(300)
        return { is_done: true }
      },
    })
    const server = await openSmallServer({ services: app.app.services, endpoints: [slow] })
    const first = bodyOf(`${server.address}/api/slow`)
    await sleep(100)
    const closing = server.close()
    expect(await first).toBe('{"is_done":true}')
    await closing
    await expect(bodyOf(`${server.address}/api/slow`)).rejects.toThrow()
  })
})

function bodyOf(address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(address, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (chunk: string) => {
        text += chunk
      })
      response.on("end", () => resolve(text))
    })
    request.on("error", reject)
    request.end()
  })
}
