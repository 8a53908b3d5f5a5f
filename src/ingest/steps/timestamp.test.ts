import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { ingestEvents } from "../../../test/support/ingest-events.ts"
import { parseExact } from "../../lib/exact-json.ts"
import type { JsonObject, JsonValue } from "../../lib/json.ts"

/** The time of an event that is received at `now`, as the columnar store gets it. */
function stamped(event: JsonObject, { now, sentAt }: { now: string; sentAt?: string | number }) {
  const head = { received_at: Date.parse(now), sent_at: sentAt ?? null }
  const { rows, warnings } = ingestEvents([{ event: "e", distinct_id: "a", ...event }], head)
  return { timestamp: rows[0]?.timestamp, warnings: warnings.map(({ type }) => type) }
}

const noon = "2026-01-02T12:00:00.000Z"
const atNoon = (event: JsonObject, sentAt?: string) =>
  stamped(event, { now: noon, ...(sentAt === undefined ? {} : { sentAt }) })

describe("worked cases of timestamps", () => {
  test("the client's clock is put right by what it says when sending", () => {
    const event = { timestamp: "2021-10-30T03:02:00Z" }
    const { timestamp } = stamped(event, {
      now: "2021-10-29T01:44:00Z",
      sentAt: "2021-10-30T03:12:00Z",
    })
    expect(timestamp).toBe("2021-10-29 01:34:00.000000")
  })

  test("an offset counts back from now and wins over everything", () => {
    expect(atNoon({ offset: 6000 }).timestamp).toBe("2026-01-02 11:59:54.000000")
    const both = { offset: 6000, timestamp: "2026-01-01T00:00:00Z" }
    expect(atNoon(both, noon).timestamp).toBe("2026-01-02 11:59:54.000000")
  })

  test("a clock ten seconds fast makes events ten seconds earlier", () => {
    const event = { timestamp: "2026-01-02T11:00:00Z" }
    expect(atNoon(event, "2026-01-02T12:00:10Z").timestamp).toBe("2026-01-02 10:59:50.000000")
  })

  test("$ignore_sent_at takes the timestamp as given", () => {
    const event = { timestamp: "2026-01-02T11:00:00Z", properties: { $ignore_sent_at: true } }
    expect(atNoon(event, "2026-01-02T12:00:10Z").timestamp).toBe("2026-01-02 11:00:00.000000")
  })

  test("what is more than 23 hours ahead is now", () => {
    expect(atNoon({ timestamp: "2026-01-03T13:30:00Z" }).timestamp).toBe(
      "2026-01-02 12:00:00.000000",
    )
    expect(atNoon({ timestamp: "2026-01-03T11:00:00Z" }).timestamp).toBe(
      "2026-01-03 11:00:00.000000",
    )
    expect(atNoon({ timestamp: "2026-01-03T11:00:00.001Z" }).timestamp).toBe(
      "2026-01-02 12:00:00.000000",
    )
  })

  test("what is no time is now, with a warning", () => {
    expect(atNoon({ timestamp: "notISO" })).toEqual({
      timestamp: "2026-01-02 12:00:00.000000",
      warnings: ["ignored_invalid_timestamp"],
    })
    expect(atNoon({})).toEqual({ timestamp: "2026-01-02 12:00:00.000000", warnings: [] })
  })

  test("years that no store keeps are the epoch", () => {
    expect(atNoon({ timestamp: "-000001-01-01T00:00:00Z" }).timestamp).toBe(
      "1970-01-01 00:00:00.000000",
    )
    expect(atNoon({ timestamp: "+012026-01-01T00:00:00Z" }).timestamp).toBe(
      "2026-01-02 12:00:00.000000",
    )
    expect(atNoon({ offset: 1e300 }).timestamp).toBe("1970-01-01 00:00:00.000000")
    expect(atNoon({ offset: -1e300 }).timestamp).toBe("2026-01-02 12:00:00.000000")
  })
})

test.each([
  ["2021-10-29T01:02:03.456Z", "2021-10-29 01:02:03.456000"],
  ["2021-10-29T01:02:03.456789Z", "2021-10-29 01:02:03.456789"],
  ["2021-10-29T01:02:03.456789123Z", "2021-10-29 01:02:03.456789"],
  ["2021-10-29T01:02:03", "2021-10-29 01:02:03.000000"],
  ["2021-10-29 01:02:03", "2021-10-29 01:02:03.000000"],
  ["2021-10-29T01:02", "2021-10-29 01:02:00.000000"],
  ["2021-10-29T01:02:03+03", "2021-10-28 22:02:03.000000"],
  ["2021-10-29T01:02:03.5-0330", "2021-10-29 04:32:03.500000"],
  ["2021-10-29T01:02:03+03:00", "2021-10-28 22:02:03.000000"],
  ["2021-10-29", "2021-10-29 00:00:00.000000"],
  ["2021-10", "2021-10-01 00:00:00.000000"],
  ["20211029T010203Z", "2021-10-29 01:02:03.000000"],
  ["2021/10/29", "2021-10-29 00:00:00.000000"],
  ["2021/10/29 01:02:03", "2021-10-29 01:02:03.000000"],
  ["10/29/2021", "2021-10-29 00:00:00.000000"],
  ["Fri, 29 Oct 2021 01:02:03 GMT", "2021-10-29 01:02:03.000000"],
  ["29 Oct 2021 01:02:03 +0300", "2021-10-28 22:02:03.000000"],
  ["1635469323", "2021-10-29 01:02:03.000000"],
  ["1635469323456", "2021-10-29 01:02:03.456000"],
  ["1635469323.25", "2021-10-29 01:02:03.250000"],
  [1635469323, "2021-10-29 01:02:03.000000"],
  [1635469323456, "2021-10-29 01:02:03.456000"],
  ["0099-12-31T23:59:59.999Z", "0099-12-31 23:59:59.999000"],
  ["2024-02-29T00:00:00.000Z", "2024-02-29 00:00:00.000000"],
])("%s is read as %s", (timestamp, expected) => {
  expect(atNoon({ timestamp })).toEqual({ timestamp: expected, warnings: [] })
})

test.each([
  ...["", "2021-13-01", "2021-02-29T00:00:00.000Z", "2021-04-31", "2021-10-29T24:00:00.000Z"],
  ...["2021-10-29T01:60:00Z", "2021-1a-29T01:02:03.456Z", "yesterday", "12", "9".repeat(70)],
  ...[true, { a: 1 }, [2021]],
])("%j is no time", (timestamp) => {
  expect(atNoon({ timestamp }).warnings).toEqual(["ignored_invalid_timestamp"])
})

test("any moment comes back as it was sent, to the millisecond", () => {
  const between = { min: new Date("0001-01-01T00:00:00Z"), max: new Date(noon) }
  fc.assert(
    fc.property(fc.date({ ...between, noInvalidDate: true }), (date) => {
      const text = date.toISOString()
      const expected = `${text.slice(0, 10)} ${text.slice(11, 23)}000`
      expect(atNoon({ timestamp: text }).timestamp).toBe(expected)
    }),
  )
})

test("microseconds survive the correction of the clock", () => {
  const event = { timestamp: "2026-01-02T11:00:00.000123Z" }
  expect(atNoon(event, "2026-01-02T12:00:00.000456Z").timestamp).toBe("2026-01-02 10:59:59.999667")
})

test("a sent_at that is no time corrects nothing", () => {
  const event = { timestamp: "2026-01-02T11:00:00Z" }
  expect(atNoon(event, "soon")).toEqual({ timestamp: "2026-01-02 11:00:00.000000", warnings: [] })
})

test("a warning shows what was no time as text that every store keeps", () => {
  const shown = (timestamp: JsonValue) =>
    ingestEvents([{ event: "e", distinct_id: "a", timestamp }]).warnings[0]?.details.timestamp
  expect(shown("a\0b\ud800")).toBe("a\ufffdb\ufffd")
  expect(shown(parseExact("12345678901234567890123") as JsonValue)).toBe("12345678901234567890123")
  expect(shown("x".repeat(1000))).toBe("x".repeat(100))
})
