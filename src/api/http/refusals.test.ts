import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { type RawAnswer, sendRaw } from "../../../test/support/raw-http.ts"

const app = useTestApp()
const JSON_TYPE = { "content-type": "application/json" }
const MALFORMED = { type: "invalid_request", code: "parse_error", attr: null }
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

describe("a body", () => {
  async function post(body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) {
    const { key } = await app.addUser()
    const { status, body: problem } = await app.call("POST", "/api/organizations/", {
      ...{ key, body, headers },
    })
    const { type, code, attr } = problem
    return { status, type, code, attr }
  }

  test.each(["{", "{'name': 1}", "nothing", "\u0000"])("%j is malformed JSON", async (body) => {
    expect(await post(body)).toEqual({ status: 400, ...MALFORMED })
  })

  test("that is not UTF-8 is malformed", async () => {
    const latin1 = Buffer.from('{"name": "\u00e9"}', "latin1")
    expect(await post(new Uint8Array(latin1))).toEqual({ status: 400, ...MALFORMED })
  })

  test.each(["[]", "5", '"fern"', "true"])("%s is not the object that is wanted", async (body) => {
    const problem = { status: 400, type: "validation_error", code: "invalid_input", attr: null }
    expect(await post(body)).toEqual(problem)
  })

  test("null is no object either", async () => {
    expect(await post("null")).toMatchObject({ status: 400, code: "null", attr: null })
  })

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/xml",
    "banana",
    "a/b/c",
  ])("of type %s is unsupported", async (type) => {
    const problem = { status: 415, type: "invalid_request", code: "unsupported_media_type" }
    expect(await post('{"name": "x"}', { "content-type": type })).toEqual({
      ...problem,
      attr: null,
    })
  })

  test("without a type is unsupported", async () => {
    const { key } = await app.addUser()
    const headers = ["Host: x", `Authorization: Bearer ${key}`, "Content-Length: 2"]
    const answer = await raw("POST /api/organizations HTTP/1.1", headers, "{}")
    expect(answer.status).toBe(415)
    expect(problemIn(answer)).toMatchObject({ code: "unsupported_media_type" })
  })

  test("that is absent or empty lacks what is required", async () => {
    const required = { status: 400, type: "validation_error", code: "required", attr: "name" }
    expect(await post("")).toEqual(required)
    const { key } = await app.addUser()
    const { status, body } = await app.call("POST", "/api/organizations", { key })
    expect({ status, code: body.code, attr: body.attr }).toMatchObject({ code: "required" })
  })

  test.each(['{"name": "a\\u0000b"}', '{"name": "\\ud800"}', '{"name": {"\\udfff": 1}}'])(
    "%s holds what no store keeps",
    async (body) => {
      expect(await post(body)).toMatchObject({ status: 400, code: "invalid_input", attr: "name" })
    },
  )

  test("nested 65 levels deep is refused, 64 are not", async () => {
    const nested = (depth: number) =>
      `{"name": "Deep", "x": ${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`
    expect(await post(nested(65))).toMatchObject({ status: 400, code: "invalid_input", attr: null })
    expect(await post(nested(64))).toMatchObject({ status: 201 })
  })

  test("of more than 20 MB is refused before it is sent", async () => {
    const headers = ["Host: x", "Content-Type: application/json", "Content-Length: 20971521"]
    const answer = await raw("POST /api/organizations HTTP/1.1", headers, '{"name"')
    expect(answer.status).toBe(413)
    expect(problemIn(answer)).toMatchObject({ type: "invalid_request", code: "request_too_large" })
  })

  test("shorter than it says is malformed", async () => {
    const headers = ["Host: x", "Content-Type: application/json", "Transfer-Encoding: chunked"]
    const answer = await raw("POST /api/organizations HTTP/1.1", headers, "zz\r\n")
    expect(answer.status).toBe(400)
    expect(problemIn(answer)).toMatchObject(MALFORMED)
  })
})

describe("the order of complaints", () => {
  const body = { body: "{", headers: JSON_TYPE }

  test("who calls is asked before the body is read", async () => {
    const { status, body: problem } = await app.call("POST", "/api/organizations", body)
    expect([status, problem.code]).toEqual([401, "not_authenticated"])
  })

  test("then the key's scope, then the place, then the level, then the body", async () => {
    const { id, url } = await app.addOrganization()
    const member = await app.addMember(id)
    const admin = await app.addMember(id, "admin")
    const reader = await app.addKey(member.id, { scopes: ["organization:read"] })
    const patch = async (at: string, key: string) =>
      (await app.call("PATCH", at, { key, ...body })).status
    expect(await patch("/api/organizations/nothing", reader)).toBe(403)
    expect(await patch("/api/organizations/nothing", admin.key)).toBe(404)
    expect(await patch(url, member.key)).toBe(403)
    expect(await patch(url, admin.key)).toBe(400)
  })
})

describe("an address", () => {
  test.each(["/api/organizations/%zz", "/api/organizations/%ed%a0%80/", "/%"])(
    "%s that cannot be decoded is a 400 with all headers",
    async (url) => {
      const { status, body, headers } = await app.call("GET", url)
      expect(status).toBe(400)
      expect(body).toMatchObject(MALFORMED)
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      expect(headers.get("x-request-id")).toBe(headers.get("x-request-id")?.toLowerCase())
    },
  )

  test.each(["%00", "x".repeat(600), "x".repeat(8_000), "%F0%9F%8C%BF", "null", "1"])(
    "with the id %.20s is an organization that nobody has",
    async (id) => {
      const { key } = await app.addUser()
      const { status, body } = await app.get(`/api/organizations/${id}/`, key)
      expect(status).toBe(404)
      expect(body).toMatchObject(NOT_FOUND)
      expect((await app.get(`/api/organizations/${id}/`)).status).toBe(401)
    },
  )

  test("with a null character in another id is not found", async () => {
    const { key } = await app.addUser()
    expect((await app.get("/api/personal_api_keys/a%00b", key)).status).toBe(404)
  })

  test.each(["limit=%00", "offset=%00", "x=%00", "limit=%ed%a0%80", "%zz=%zz"])(
    "with ?%s is not the list's concern",
    async (query) => {
      const { owner } = await app.addOrganization()
      expect((await app.get(`/api/organizations?${query}`, owner.key)).status).toBe(200)
    },
  )

  test("in full on the request line is understood as its path", async () => {
    const { owner } = await app.addOrganization()
    const headers = ["Host: garden.example", `Authorization: Bearer ${owner.key}`]
    const line = "GET http://evil.example/api/organizations?limit=1&offset=1 HTTP/1.1"
    const answer = await raw(line, headers)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toMatchObject({
      previous: "http://garden.example/api/organizations?limit=1",
    })
  })
})

describe("what is hardly HTTP", () => {
  test.each([
    ["nonsense", "hello\r\n\r\n", 400, "parse_error"],
    ["a broken header", "GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n", 400, "parse_error"],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
      "parse_error",
    ],
    [
      "a huge header",
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      431,
      "headers_too_large",
    ],
    [
      "a huge address",
      `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      "headers_too_large",
    ],
  ])("%s is answered in the shape of every error", async (_what, text, status, code) => {
    const answer = await sendRaw(app.app.address, text)
    expect(answer.status).toBe(status)
    expect(problemIn(answer)).toMatchObject({ type: "invalid_request", code, attr: null })
    expect(answer.headers["content-type"]).toContain("application/json")
  })

  test("a request without a host is served", async () => {
    for (const version of ["1.0", "1.1"]) {
      expect((await raw(`GET /_livez HTTP/${version}`)).status).toBe(200)
    }
  })

  test("an unknown expectation is not met, and not held against the request", async () => {
    const answer = await raw("GET /_livez HTTP/1.1", ["Host: x", "Expect: miracles"])
    expect(answer.status).toBe(200)
  })
})
