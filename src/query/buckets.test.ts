import { describe, expect, test } from "vitest"
import { openTestEngine } from "../../test/support/test-engine.ts"
import { bucketIndex, bucketLabel, dayName, listBuckets, momentOf } from "./buckets.ts"
import {
  bucketStartMs,
  INTERVALS,
  type Interval,
  nextBucketMs,
  parseDateRange,
  previousBucketMs,
  previousRange,
  type RangeInput,
} from "./date-range.ts"

const settings = (now: string, timezone = "UTC", weekStartsOn: 0 | 1 = 0) => ({
  now: new Date(now),
  timezone,
  weekStartsOn,
})
const iso = (ms: number) => new Date(ms).toISOString()

describe("a range", () => {
  test.each<[now: string, input: RangeInput, from: string, to: string]>([
    [
      "2021-08-25T00:00Z",
      { date_from: "-48h", interval: "day" },
      "2021-08-23T00:00:00.000Z",
      "2021-08-25T23:59:59.999Z",
    ],
    [
      "2021-08-25T00:00Z",
      { date_from: "-48h", interval: "hour" },
      "2021-08-23T00:00:00.000Z",
      "2021-08-25T00:59:59.999Z",
    ],
    [
      "2021-08-25T00:00Z",
      { date_from: "2021-08-23 05:00", date_to: "2021-08-26 07:00", interval: "hour" },
      "2021-08-23T05:00:00.000Z",
      "2021-08-26T07:00:00.000Z",
    ],
    [
      "2021-08-25T00:00Z",
      { date_from: "-7d", interval: "week" },
      "2021-08-15T00:00:00.000Z",
      "2021-08-25T23:59:59.999Z",
    ],
    [
      "2020-11-02T10:20Z",
      { date_from: "-24h", interval: "day" },
      "2020-11-01T10:00:00.000Z",
      "2020-11-02T23:59:59.999Z",
    ],
    [
      "2020-11-02T10:20Z",
      { date_from: "-1d", date_to: "-1d", interval: "day" },
      "2020-11-01T00:00:00.000Z",
      "2020-11-01T23:59:59.999Z",
    ],
  ])("at %s of %o holds events from %s to %s", (now, input, from, to) => {
    const range = parseDateRange(input, settings(now))
    expect([iso(range.eventsFromMs), iso(range.toMs)]).toEqual([from, to])
  })

  test.each<[now: string, input: RangeInput, days: readonly string[]]>([
    [
      "2020-01-04T13:00Z",
      { date_from: "-7d", interval: "day" },
      [
        "2019-12-21",
        "2019-12-22",
        "2019-12-23",
        "2019-12-24",
        "2019-12-25",
        "2019-12-26",
        "2019-12-27",
        "2019-12-28",
      ],
    ],
    [
      "2020-02-01T00:00Z",
      { date_from: "2020-01-15", date_to: "2020-01-19", interval: "day" },
      ["2020-01-10", "2020-01-11", "2020-01-12", "2020-01-13", "2020-01-14"],
    ],
    ["2020-01-02T20:17Z", { date_from: "2020-01-02", interval: "day" }, ["2020-01-01"]],
  ])("at %s of %o is compared with the days %o", (now, input, days) => {
    const previous = listBuckets(previousRange(parseDateRange(input, settings(now)), input))
    expect(previous.startsMs.map((start) => dayName(start, previous))).toEqual(days)
  })

  test("that ends before it begins is refused", () => {
    const input = { date_from: "2020-01-02", date_to: "2020-01-01", interval: "day" } as const
    expect(() => parseDateRange(input, settings("2020-02-01T00:00Z"))).toThrow("ends")
  })
})

test("labels say hours, days, weeks and months", () => {
  const labelOf = (interval: Interval) => {
    const input = { date_from: "2020-01-01T13:00:00", date_to: "2020-01-01T13:30:00", interval }
    const buckets = listBuckets(parseDateRange(input, settings("2020-02-01T00:00Z")))
    return buckets.startsMs.map((start) => bucketLabel(start, buckets))
  }
  expect(labelOf("hour")).toEqual(["1-Jan-2020 13:00"])
  expect(labelOf("day")).toEqual(["1-Jan-2020"])
  expect(labelOf("week")).toEqual(["29-Dec-2019"])
  expect(labelOf("month")).toEqual(["Jan 2020"])
})

test("a day that begins at one o'clock, as clocks go forward at midnight, is followed by a whole one", () => {
  const input = { date_from: "2024-04-25", date_to: "2024-04-28", interval: "day" } as const
  const { startsMs } = listBuckets(
    parseDateRange(input, settings("2024-05-01T00:00Z", "Africa/Cairo")),
  )
  expect(startsMs.map(iso)).toEqual([
    "2024-04-24T22:00:00.000Z",
    "2024-04-25T22:00:00.000Z",
    "2024-04-26T21:00:00.000Z",
    "2024-04-27T21:00:00.000Z",
  ])
})

test.each(INTERVALS)("the %s before is the one that the next of leads back to", (interval) => {
  const place = { interval, timezone: "Africa/Cairo", weekStartsOn: 1 } as const
  const startMs = bucketStartMs(Date.parse("2024-04-26T12:00:00Z"), place)
  expect(nextBucketMs(previousBucketMs(startMs, place), place)).toBe(startMs)
})

describe("the bucket of a moment", () => {
  const zones = [
    "UTC",
    "America/New_York",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "America/Sao_Paulo",
  ]
  test.each(zones)("in %s is the one that holds it, whenever clocks change", async (timezone) => {
    await using opened = await openTestEngine()
    for (const interval of ["hour", "day", "week", "month"] as const) {
      const span = interval === "hour" ? ["2021-10-28", "2021-11-09"] : ["2020-09-20", "2021-12-05"]
      const input = { date_from: span[0], date_to: span[1], interval }
      const buckets = listBuckets(parseDateRange(input, settings("2022-01-01T00:00Z", timezone, 1)))
      const { startsMs, endMs } = buckets
      const edges = startsMs.flatMap((start, index) => [
        { ms: start, index },
        { ms: (startsMs[index + 1] ?? endMs) - 1, index },
      ])
      const columns = edges.map(({ ms }, index) => ({
        as: `m${index}`,
        expr: bucketIndex(momentOf(ms), buckets),
      }))
      const [row] = await opened.engine.rows({ columns }, { timeoutMs: 20_000 })
      expect(Object.values(row ?? {})).toEqual(edges.map(({ index }) => index))
    }
  })
})
