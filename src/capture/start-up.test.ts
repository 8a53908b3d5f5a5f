/** What SDKs ask when they start. */
import { runInNewContext } from "node:vm"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { NOW, openTestCapture, type TestCapture, TOKEN } from "./test-capture.ts"

let capture: TestCapture
beforeAll(async () => {
  capture = await openTestCapture()
})
afterAll(() => capture[Symbol.asyncDispose]())

const QUESTION = { token: TOKEN, distinct_id: "ana", groups: {} }

async function ask(path: string, body: string | Buffer | undefined = JSON.stringify(QUESTION)) {
  const response = await fetch(capture.url + path, { method: "POST", body })
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}

describe("flags", () => {
  test.each(["/flags/?v=2", "/flags?v=2"])("at %s are none, in the newer form", async (path) => {
    const { status, json } = await ask(path)
    expect(status).toBe(200)
    expect(json).toEqual({
      flags: {},
      errorsWhileComputingFlags: false,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      evaluatedAt: Date.parse(NOW),
    })
  })

  test("come with settings when asked", async () => {
    const { json } = await ask("/flags/?v=2&config=true")
    expect(json).toMatchObject({ flags: {}, sessionRecording: false, surveys: false, siteApps: [] })
  })

  test.each([
    ["/flags/?v=1", { featureFlags: {}, featureFlagPayloads: {} }],
    ["/flags/", { featureFlags: {}, featureFlagPayloads: {} }],
    ["/decide/?v=3", { featureFlags: {}, featureFlagPayloads: {}, sessionRecording: false }],
    ["/decide?v=2", { featureFlags: {} }],
    ["/decide", { featureFlags: [] }],
  ])("at %s have the older form", async (path, expected) => {
    const { status, json } = await ask(path)
    expect(status).toBe(200)
    expect(json).toMatchObject({ ...expected, errorsWhileComputingFlags: false })
  })

  test("are asked for in all encodings of events", async () => {
    const text = JSON.stringify(QUESTION)
    const base64 = encodeURIComponent(Buffer.from(text).toString("base64"))
    expect((await ask("/flags/?v=2&compression=base64", `data=${base64}`)).status).toBe(200)
    expect((await ask("/flags/?v=2&compression=gzip-js", gzipSync(text))).status).toBe(200)
    const query = await fetch(`${capture.url}/flags/?v=2&token=${TOKEN}&distinct_id=ana`)
    expect(query.status).toBe(200)
  })

  test.each([
    [{ distinct_id: "ana" }, 401, "missing_api_key"],
    [{ token: "phc_zoe", distinct_id: "ana" }, 401, "invalid_api_key"],
    [{ token: "phx_a", distinct_id: "ana" }, 401, "invalid_api_key"],
    [{ token: TOKEN }, 400, "missing_distinct_id"],
    [{ token: TOKEN, distinct_id: "" }, 400, "missing_distinct_id"],
    [{ token: TOKEN, distinct_id: null }, 400, "missing_distinct_id"],
  ])("asked for with %j are %s %s", async (question, status, code) => {
    for (const path of ["/flags/?v=2", "/decide/?v=3"]) {
      const answer = await ask(path, JSON.stringify(question))
      expect([answer.status, answer.json.code]).toEqual([status, code])
    }
  })
})

describe("settings of the browser SDK", () => {
  test("are JSON, and turn off what is not taken", async () => {
    const response = await fetch(`${capture.url}/array/${TOKEN}/config?ip=1`)
    expect(response.headers.get("content-type")).toContain("application/json")
    expect(await response.json()).toMatchObject({
      token: TOKEN,
      supportedCompression: ["gzip", "gzip-js"],
      hasFeatureFlags: false,
      sessionRecording: false,
      analytics: { endpoint: "/i/v0/e/" },
    })
  })

  test("are a script that any page may load", async () => {
    const response = await fetch(`${capture.url}/array/${TOKEN}/config.js`)
    expect(response.headers.get("content-type")).toContain("text/javascript")
    expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin")
    const window: { _POSTHOG_REMOTE_CONFIG?: Record<string, unknown> } = {}
    runInNewContext(await response.text(), { window })
    const json = await (await fetch(`${capture.url}/array/${TOKEN}/config`)).json()
    expect(JSON.parse(JSON.stringify(window._POSTHOG_REMOTE_CONFIG))).toEqual({
      [TOKEN]: { config: json, siteApps: [] },
    })
  })

  test.each(["phc_zoe", "phx_a", "%00", "x".repeat(99)])(
    "of the token %s are not found",
    async (token) => {
      for (const name of ["config", "config.js"]) {
        const response = await fetch(`${capture.url}/array/${token}/${name}`)
        expect(response.status).toBe(404)
        expect(await response.json()).toMatchObject({ type: "invalid_request", code: "not_found" })
      }
    },
  )
})

test.each(["/static/surveys.js", "/static/1.445.5/recorder.js?v=1.445.5"])(
  "posthog-js finds an empty script at %s, so that it has nothing to complain about",
  async (path) => {
    await using capture = await openTestCapture()
    const response = await fetch(`${capture.url}${path}`, {
      headers: { origin: "http://shop.test" },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toContain("javascript")
    expect(response.headers.get("access-control-allow-origin")).toBe("http://shop.test")
    expect(await response.text()).toBe("")
  },
)
