/** What capture answers, over real HTTP, and what is in the log afterwards. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  NOW,
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

describe("events", () => {
  const paths = ["/e", "/i/v0/e", "/capture", "/track", "/engage", "/batch"]

  test.each(paths.flatMap((path) => [path, `${path}/`]))("are taken at %s", async (path) => {
    const { status, json } = await send({ path, body: { ...EVENT, api_key: TOKEN } })
    expect([status, json]).toEqual([200, { status: 1 }])
    const [request] = await capture.captured()
    expect(request?.events).toEqual([{ ...EVENT, api_key: TOKEN }])
    expect(request?.head).toEqual({
      project_id: 1,
      received_at: Date.parse(NOW),
      ip: "127.0.0.1",
      sent_at: null,
      shape: "one",
      ...(path.startsWith("/engage") ? { is_engage: true } : {}),
    })
  })

  test("of one request are one record, and counted", async () => {
    const before = capture.counts.acceptedEventCount
    const batch = [EVENT, { ...EVENT, event: "$performance_event" }, EVENT]
    const sent_at = "2026-11-16T11:59:59Z"
    await send({ path: "/batch/?_=1700000000000", body: { api_key: OTHER_TOKEN, batch, sent_at } })
    const requests = await capture.captured()
    expect(requests).toHaveLength(1)
    expect(requests[0]?.events).toEqual([EVENT, EVENT])
    expect(requests[0]?.head).toMatchObject({ project_id: 2, shape: "batch", sent_at })
    expect(capture.counts.acceptedEventCount - before).toBe(2)
    expect(capture.counts.droppedEventCounts.performance_event).toBeGreaterThan(0)
  })

  test("that are all dropped leave no record and are answered as the others", async () => {
    const body = { ...EVENT, event: "$performance_event", api_key: TOKEN }
    expect((await send({ body })).status).toBe(200)
    expect(await capture.captured()).toEqual([])
  })

  test("bring the client's time in the query, and no address if they ask for none", async () => {
    await send({ path: "/e/?ip=0&_=1700000000123&ver=1.2.3", body: [{ ...EVENT, token: TOKEN }] })
    const [request] = await capture.captured()
    expect(request?.head).toMatchObject({ ip: null, sent_at: 1_700_000_000_123, shape: "array" })
  })

  test("of a beacon are answered with nothing", async () => {
    const { status, text } = await send({ path: "/e/?beacon=1", body: { ...EVENT, token: TOKEN } })
    expect([status, text]).toEqual([204, ""])
    expect(await capture.captured()).toHaveLength(1)
  })

  test("may name their token in the query", async () => {
    expect((await send({ path: `/e/?api_key=${TOKEN}`, body: EVENT })).status).toBe(200)
    expect((await send({ path: `/e/?token=${TOKEN}`, body: EVENT })).status).toBe(200)
    expect(await capture.captured()).toHaveLength(2)
  })

  test("may come by GET in the query, and not by HEAD", async () => {
    const data = encodeURIComponent(JSON.stringify({ ...EVENT, token: TOKEN }))
    expect((await send({ path: `/e/?data=${data}`, method: "GET" })).json).toEqual({ status: 1 })
    const head = await send({ path: `/e/?data=${data}`, method: "HEAD" })
    expect([head.status, head.text]).toEqual([200, ""])
    expect(await capture.captured()).toHaveLength(1)
  })

  test("on /engage need no name", async () => {
    const body = { distinct_id: "ana", $set: { plan: "free" }, token: TOKEN }
    expect((await send({ path: "/engage/", body })).status).toBe(200)
    expect((await send({ path: "/e/", body })).status).toBe(400)
    expect(await capture.captured()).toHaveLength(1)
  })
})

describe("recordings", () => {
  test.each(["/s", "/s/"])("at %s are taken, dropped and counted", async (path) => {
    const before = capture.counts.droppedEventCounts.session_recording_unsupported
    expect((await send({ path, body: "x".repeat(3_000_000) })).json).toEqual({ status: 1 })
    expect((await send({ path: `${path}?beacon=1`, body: "x" })).status).toBe(204)
    expect(capture.counts.droppedEventCounts.session_recording_unsupported).toBe(before + 2)
    expect(await capture.captured()).toEqual([])
  })
})

describe("events of the v1 protocol", () => {
  const path = "/i/v1/analytics/events"
  const uuid = "0190e1b2-aaaa-7bbb-8ccc-000000000001"
  const body = {
    created_at: "2026-11-16T11:00:00Z",
    batch: [{ ...EVENT, uuid, options: { process_person_profile: false } }],
  }

  test("are taken with a Bearer, and have a result each", async () => {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      "posthog-request-timestamp": "2026-11-16T11:59:58Z",
      "posthog-sdk-info": "posthog-node/5.67.0",
    }
    expect((await send({ path, body, headers })).json).toEqual({
      results: { [uuid]: { result: "ok" } },
    })
    const [request] = await capture.captured()
    expect(request?.head.sent_at).toBe("2026-11-16T11:59:58Z")
    expect(request?.events[0]?.properties).toEqual({
      ...EVENT.properties,
      ...{ $lib: "posthog-node", $lib_version: "5.67.0", $process_person_profile: false },
    })
  })

  test("are refused without a token, and with an unknown one", async () => {
    expect((await send({ path, body })).json).toMatchObject({ code: "missing_api_key" })
    const headers = { authorization: "Bearer phc_zoe" }
    expect((await send({ path, body, headers })).json).toMatchObject({ code: "invalid_api_key" })
  })
})

test.each([
  "/",
  "/e/x",
  "/api/projects",
  "/flags/definitions",
  "/array",
  `/array/${TOKEN}/x`,
  "/E",
])("%s is left to others", async (path) => {
  expect((await send({ path, method: "GET" })).status).toBe(418)
})
