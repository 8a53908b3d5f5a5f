/** What capture refuses, over real HTTP: the answer says why, and nothing is in the log. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { LogFullError } from "../log/log.ts"
import {
  OTHER_TOKEN,
  openTestCapture,
  type Sent,
  sendTo,
  type TestCapture,
  TOKEN,
} from "./test-capture.ts"

let capture: TestCapture
beforeAll(async () => {
  capture = await openTestCapture()
})
afterAll(() => capture[Symbol.asyncDispose]())

const EVENT = { event: "signed up", distinct_id: "ana", properties: { plan: "free" } }
const send = (sent: Sent) => sendTo(capture, sent)

describe("refusals", () => {
  const rows: [what: string, sent: Sent, status: number, code: string, detail: string][] = [
    ["no token", { body: EVENT }, 401, "missing_api_key", "names no project token"],
    [
      "an unknown token",
      { body: { ...EVENT, token: "phc_zoe" } },
      401,
      "invalid_api_key",
      "No project",
    ],
    ["an empty token", { body: { ...EVENT, token: "" } }, 401, "invalid_api_key", "empty"],
    ["a personal key", { body: { ...EVENT, token: "phx_a" } }, 401, "invalid_api_key", "personal"],
    ["a token that is no text", { body: { ...EVENT, token: 1 } }, 401, "invalid_api_key", "string"],
    [
      "tokens that disagree",
      {
        body: [
          { ...EVENT, token: TOKEN },
          { ...EVENT, token: OTHER_TOKEN },
        ],
      },
      401,
      "inconsistent_api_keys",
      "different",
    ],
    ["text", { body: "certainly not" }, 400, "invalid_payload", "not JSON"],
    ["broken JSON", { body: '{"event":' }, 400, "invalid_payload", "not JSON"],
    ["nothing", { body: "" }, 400, "no_data", "no event"],
    ["nothing by GET", { method: "GET" }, 400, "no_data", "no event"],
    [
      "an empty batch",
      { path: "/batch", body: { api_key: TOKEN, batch: [] } },
      400,
      "no_data",
      "no event",
    ],
    ["an empty list", { body: [] }, 400, "no_data", "no event"],
    [
      "an unknown coding",
      { body: { ...EVENT, token: TOKEN }, headers: { "content-encoding": "zstd" } },
      400,
      "invalid_payload",
      '"zstd"',
    ],
    [
      "one bad event",
      { path: "/batch", body: { api_key: TOKEN, batch: [EVENT, EVENT, { event: "a" }, EVENT, 3] } },
      400,
      "invalid_event",
      "Event 3 of 5: distinct_id is missing.",
    ],
  ]

  test.each(rows)("%s is refused and leaves nothing", async (_what, sent, status, code, detail) => {
    const before = capture.counts.refusedRequestCounts[code as "no_data"]
    const answer = await send({
      ...sent,
      headers: { origin: "https://a.example", ...sent.headers },
    })
    expect(answer.json).toEqual({
      type: status === 401 ? "authentication_error" : "validation_error",
      ...{ code, detail: expect.stringContaining(detail), attr: null },
    })
    expect(answer.status).toBe(status)
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://a.example")
    expect(await capture.captured()).toEqual([])
    expect(capture.counts.refusedRequestCounts[code as "no_data"]).toBe(before + 1)
  })

  test.each([
    ["/e/", "PUT", "GET, HEAD, POST, OPTIONS"],
    ["/flags", "DELETE", "GET, HEAD, POST, OPTIONS"],
    ["/i/v1/analytics/events", "GET", "POST, OPTIONS"],
    [`/array/${TOKEN}/config`, "POST", "GET, HEAD, OPTIONS"],
  ])("%s takes no %s", async (path, method, allow) => {
    const answer = await send({ path, method })
    expect(answer.status).toBe(405)
    expect(answer.headers.get("allow")).toBe(allow)
    expect(answer.json).toMatchObject({ type: "invalid_request", code: "method_not_allowed" })
  })

  test("a full log is 503, worth another try", async () => {
    await using full = await openTestCapture({
      append: () => Promise.reject(new LogFullError("budget")),
    })
    const answer = await sendTo(full, { body: { ...EVENT, token: TOKEN } })
    expect(answer.status).toBe(503)
    expect(answer.headers.get("retry-after")).toBe("5")
    expect(answer.json).toMatchObject({ type: "server_error", code: "unavailable", attr: null })
  })

  test("a database that is away is 503 for a token that nobody asked about before", async () => {
    const outage = Object.assign(new Error("connect"), { code: "ECONNREFUSED", syscall: "connect" })
    await using away = await openTestCapture({ findProject: () => Promise.reject(outage) })
    const answer = await sendTo(away, { body: { ...EVENT, token: TOKEN } })
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"])
  })

  test("a bug is 500 with a request id and nothing else", async () => {
    await using broken = await openTestCapture({
      append: () => Promise.reject(new Error("secret inner detail")),
    })
    const answer = await sendTo(broken, { body: { ...EVENT, token: TOKEN } })
    expect(answer.status).toBe(500)
    expect(answer.json).toMatchObject({ type: "server_error", code: "error", attr: null })
    expect(answer.text).toContain(answer.headers.get("x-request-id") ?? "no id")
    expect(answer.text).not.toContain("secret")
    expect(broken.counts.refusedRequestCounts.error).toBe(1)
  })
})
