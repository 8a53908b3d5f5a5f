import { describe, expect, test } from "vitest"
import type { DomainError } from "../lib/errors.ts"
import { checkEvents, openEnvelope, parseToken } from "./envelope.ts"

const EVENT = { event: "signed up", distinct_id: "ana" }

function refusalOf(work: () => unknown): Pick<DomainError, "code" | "message"> {
  try {
    work()
  } catch (error) {
    const { code, message } = error as DomainError
    return { code, message }
  }
  throw new Error("nothing was refused")
}

describe("the shape of a request", () => {
  test.each([
    ["one", EVENT],
    ["array", [EVENT]],
    ["batch", { batch: [EVENT], api_key: "phc_a" }],
    ["one", { ...EVENT, batch: "b-17" }],
  ])("is %s for %j", (shape, body) => {
    expect(openEnvelope(body)).toMatchObject({ shape, events: { length: 1 } })
  })

  test.each([
    [[], "no_data"],
    [{ batch: [] }, "no_data"],
    [{ batch: {} }, "invalid_payload"],
    [{ batch: null }, "invalid_payload"],
    ["text", "invalid_payload"],
    [null, "invalid_payload"],
    [3, "invalid_payload"],
  ])("of %j is refused as %s", (body, code) => {
    expect(refusalOf(() => openEnvelope(body)).code).toBe(code)
  })

  test("gives the sent_at of the object at the top, as text or number", () => {
    expect(openEnvelope({ batch: [EVENT], sent_at: "2026-01-01T00:00:00Z" }).sentAt).toBe(
      "2026-01-01T00:00:00Z",
    )
    expect(openEnvelope({ ...EVENT, sent_at: 1_700_000_000 }).sentAt).toBe(1_700_000_000)
    expect(openEnvelope({ ...EVENT, sent_at: {} }).sentAt).toBeNull()
    expect(openEnvelope([{ ...EVENT, sent_at: "2026-01-01T00:00:00Z" }]).sentAt).toBeNull()
  })
})

describe("the token", () => {
  test.each([
    [{ ...EVENT, token: "t" }],
    [{ ...EVENT, $token: "t" }],
    [{ ...EVENT, api_key: "t" }],
    [{ ...EVENT, properties: { token: "t" } }],
    [[{ ...EVENT, token: "t" }, EVENT, { ...EVENT, api_key: "t" }]],
    [{ batch: [EVENT], api_key: "t" }],
    [{ batch: [EVENT], token: "t" }],
    [{ batch: [{ ...EVENT, token: "t" }] }],
    [{ batch: [{ ...EVENT, properties: { token: "of the app" } }], api_key: "t" }],
    [{ ...EVENT, token: null, properties: { token: "t" } }],
  ])("is found in %j", (body) => {
    expect(openEnvelope(body).token).toBe("t")
  })

  test("is undefined when no event names one", () => {
    expect(openEnvelope([EVENT, 3, null]).token).toBeUndefined()
  })

  test("must be the same in all events", () => {
    const events = [
      { ...EVENT, token: "a" },
      { ...EVENT, token: "b" },
    ]
    expect(refusalOf(() => openEnvelope(events)).code).toBe("inconsistent_api_keys")
    expect(refusalOf(() => openEnvelope({ batch: events })).code).toBe("inconsistent_api_keys")
  })

  test.each([
    [undefined, "missing_api_key", "names no project token"],
    [null, "missing_api_key", "names no project token"],
    ["", "invalid_api_key", "empty"],
    ["x".repeat(65), "invalid_api_key", "longer than 64"],
    ["phc_ä", "invalid_api_key", "ASCII"],
    ["phc_\u0000", "invalid_api_key", "ASCII"],
    ["phx_secret", "invalid_api_key", "personal API key"],
    [3, "invalid_api_key", "string"],
    [{ a: 1 }, "invalid_api_key", "string"],
  ])("%j is refused as %s", (token, code, reason) => {
    const refused = refusalOf(() => parseToken(token))
    expect(refused).toMatchObject({ code, message: expect.stringContaining(reason) })
    if (typeof token === "string" && token !== "") expect(refused.message).not.toContain(token)
  })

  test("of 64 characters is taken", () => {
    expect(parseToken("x".repeat(64))).toBe("x".repeat(64))
  })
})

describe("an event", () => {
  test.each([
    [{ event: "a", distinct_id: "b" }],
    [{ event: "a", $distinct_id: "b" }],
    [{ event: "a", distinct_id: null, properties: { distinct_id: "b" } }],
    [{ event: "a", distinct_id: 0 }],
    [{ event: "a", distinct_id: false }],
    [{ event: "a", distinct_id: { id: 3 } }],
    [{ event: { kind: "a" }, distinct_id: "b" }],
    [{ event: ["a"], distinct_id: "b" }],
    [{ event: "a", distinct_id: "b", uuid: "" }],
    [{ event: "a", distinct_id: "b", uuid: null, properties: null, $set: null, $set_once: null }],
    [{ event: "a", distinct_id: "b", uuid: "0190E1B2-AAAA-7bbb-8ccc-000000000001" }],
    [{ event: "a", distinct_id: "b", $set: {}, $set_once: {}, properties: { $set: 3 } }],
  ])("%j is taken", (event) => {
    expect(checkEvents([event], false)).toBe(0)
  })

  test.each([
    ["text", "it must be an object"],
    [null, "it must be an object"],
    [[EVENT], "it must be an object"],
    [{ distinct_id: "b" }, "event is missing"],
    [{ event: null, distinct_id: "b" }, "event is missing"],
    [{ event: "", distinct_id: "b" }, "event is empty; give the event a name"],
    [{ event: "a" }, "distinct_id is missing"],
    [{ event: "a", distinct_id: null, properties: {} }, "distinct_id is missing"],
    [{ event: "a", properties: { distinct_id: null } }, "distinct_id is missing"],
    [{ event: "a", distinct_id: "" }, "distinct_id is empty"],
    [{ event: "a", distinct_id: "", $distinct_id: "b" }, "distinct_id is empty"],
    [{ event: "a", properties: { distinct_id: "" } }, "distinct_id is empty"],
    [{ ...EVENT, uuid: "17" }, "uuid is not a UUID"],
    [{ ...EVENT, uuid: 17 }, "uuid is not a UUID"],
    [{ ...EVENT, properties: "a" }, "properties must be an object"],
    [{ ...EVENT, properties: [] }, "properties must be an object"],
    [{ ...EVENT, $set: [] }, "$set must be an object"],
    [{ ...EVENT, $set_once: "a" }, "$set_once must be an object"],
  ])("%j is refused: %s", (event, fault) => {
    expect(refusalOf(() => checkEvents([EVENT, EVENT, event, 3], false))).toEqual({
      code: "invalid_event",
      message: `Event 3 of 4: ${fault}.`,
    })
  })

  test("without a name is an $identify on /engage, where an empty name is still none", () => {
    expect(checkEvents([{ distinct_id: "b", $set: {} }], true)).toBe(0)
    expect(() => checkEvents([{ event: "", distinct_id: "b" }], true)).toThrow("event is empty")
  })

  test("of performance is counted, to be dropped", () => {
    expect(checkEvents([{ ...EVENT, event: "$performance_event" }, EVENT], false)).toBe(1)
  })
})
