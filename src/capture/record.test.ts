import { describe, expect, test } from "vitest"
import { stringifyExact } from "../lib/exact-json.ts"
import { decodeRecord, encodeRecord, type RecordHead } from "./record.ts"

const HEAD: RecordHead = {
  project_id: 7,
  received_at: 1_700_000_000_000,
  ip: "203.0.113.9",
  sent_at: "2026-01-01T00:00:00Z",
  shape: "batch",
}

function roundTrip(head: RecordHead, body: string) {
  return decodeRecord(Buffer.concat(encodeRecord(head, Buffer.from(body))))
}

describe("a record", () => {
  test("gives back head and events", () => {
    const events = [{ event: "a", distinct_id: "ü", properties: { "a.b": null } }]
    expect(roundTrip(HEAD, JSON.stringify({ batch: events, x: 1 }))).toEqual({ head: HEAD, events })
    expect(roundTrip({ ...HEAD, shape: "array" }, JSON.stringify(events)).events).toEqual(events)
    expect(roundTrip({ ...HEAD, shape: "one" }, JSON.stringify(events[0])).events).toEqual(events)
  })

  test("keeps numbers that a double would change", () => {
    const body = '{"event":"a","distinct_id":12345678901234567890,"properties":{"x":1e400}}'
    const { events } = roundTrip({ ...HEAD, shape: "one" }, body)
    expect(stringifyExact(events[0])).toBe(body)
  })

  test("leaves out performance events", () => {
    const body = JSON.stringify({ batch: [{ event: "$performance_event" }, { event: "a" }] })
    expect(roundTrip(HEAD, body).events).toEqual([{ event: "a" }])
  })

  test("of v1 has options, session and library back in the properties", () => {
    const event = {
      event: "a",
      uuid: "u",
      session_id: "s",
      options: { process_person_profile: false, disable_skew_correction: true },
      properties: { plan: "free", $window_id: "own", $lib_version: "own" },
    }
    const head: RecordHead = { ...HEAD, v1: { lib: "posthog-node/5.67.0" } }
    expect(roundTrip(head, JSON.stringify({ batch: [event] })).events).toEqual([
      {
        event: "a",
        uuid: "u",
        session_id: "s",
        properties: {
          plan: "free",
          $lib: "posthog-node",
          $lib_version: "own",
          $session_id: "s",
          $window_id: "own",
          $process_person_profile: false,
          $ignore_sent_at: true,
        },
      },
    ])
  })

  test("that is none, or of another version, is an error", () => {
    expect(() => decodeRecord(Buffer.alloc(0))).toThrow("cannot be read")
    expect(() => decodeRecord(Buffer.from("9{}\n{}"))).toThrow('version "9"')
    expect(() => roundTrip(HEAD, "[]")).toThrow('shape "batch"')
  })
})
