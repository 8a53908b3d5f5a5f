import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { columnarTime, dayOf, parseDateInput } from "./dates.ts"
import { momentMs, wallClockMs } from "./time-zone.ts"

const now = new Date("2021-08-25T13:45:10.250Z")
const parse = (text: string, timezone = "UTC") => parseDateInput(text, { now, timezone }).time

describe("absolute dates", () => {
  test.each([
    ["2021-08-23", "UTC", "2021-08-23 00:00:00.000000"],
    ["2021-1-1", "UTC", "2021-01-01 00:00:00.000000"],
    ["2021-08-23 05:00", "UTC", "2021-08-23 05:00:00.000000"],
    ["2021-08-23T05:00:01.123456Z", "America/New_York", "2021-08-23 05:00:01.123456"],
    ["2021-08-23T05:00:00+02:00", "UTC", "2021-08-23 03:00:00.000000"],
    ["2021-08-23T05:00:00 02:00", "UTC", "2021-08-23 03:00:00.000000"],
    ["2021-08-23T05:00:00-0530", "UTC", "2021-08-23 10:30:00.000000"],
    ["2021-08-23", "Europe/Berlin", "2021-08-22 22:00:00.000000"],
    ["2021-12-23", "Europe/Berlin", "2021-12-22 23:00:00.000000"],
    ["1639427152", "UTC", "2021-12-13 20:25:52.000000"],
    ["1641977394339", "UTC", "2022-01-12 08:49:54.339000"],
  ])("%s in %s is %s", (text, timezone, time) => {
    expect(parse(text, timezone)).toBe(time)
  })

  test("a time that the clocks skip lies behind the gap, one they repeat is the first", () => {
    expect(parse("2021-03-28 02:30", "Europe/Berlin")).toBe("2021-03-28 01:30:00.000000")
    expect(parse("2021-10-31 02:30", "Europe/Berlin")).toBe("2021-10-31 00:30:00.000000")
  })

  test.each([
    "",
    "yesterday",
    "2021-13-01",
    "2021-02-30",
    "2021-01-01T25:00",
    "7x",
    "-1wStart",
    "1",
  ])("%s is refused by name", (text) => {
    expect(() => parse(text)).toThrow(`"${text}" is no date`)
  })
})

describe("relative dates", () => {
  test.each([
    ["-48h", "UTC", "2021-08-23 13:00:00.000000"],
    ["-7d", "UTC", "2021-08-18 00:00:00.000000"],
    ["4d", "UTC", "2021-08-21 00:00:00.000000"],
    ["-1w", "UTC", "2021-08-18 00:00:00.000000"],
    ["-6m", "UTC", "2021-02-25 00:00:00.000000"],
    ["-1q", "UTC", "2021-05-26 00:00:00.000000"],
    ["-1y", "UTC", "2020-08-25 00:00:00.000000"],
    ["dStart", "UTC", "2021-08-25 00:00:00.000000"],
    ["-1dEnd", "UTC", "2021-08-24 23:59:59.999999"],
    ["-1mStart", "UTC", "2021-07-01 00:00:00.000000"],
    ["-1mEnd", "UTC", "2021-07-31 23:59:59.999999"],
    ["-6mEnd", "UTC", "2021-02-28 23:59:59.999999"],
    ["yStart", "UTC", "2021-01-01 00:00:00.000000"],
    ["-1yEnd", "UTC", "2020-12-31 23:59:59.999999"],
    ["-1d", "America/Los_Angeles", "2021-08-24 07:00:00.000000"],
    ["-2h", "Asia/Kolkata", "2021-08-25 11:30:00.000000"],
  ])("%s in %s is %s", (text, timezone, time) => {
    expect(parse(text, timezone)).toBe(time)
  })

  test("the last day of a longer month becomes the last of a shorter one", () => {
    const end = new Date("2021-03-31T12:00:00Z")
    expect(parseDateInput("-1m", { now: end, timezone: "UTC" }).time).toContain("2021-02-28")
  })

  test("days keep the time of the wall across a change of clocks, hours do not", () => {
    const monday = new Date("2021-03-29T10:00:00Z")
    const exact = { now: monday, timezone: "Europe/Berlin", truncate: false }
    expect(parseDateInput("-2d", exact).time).toBe("2021-03-27 11:00:00.000000")
    expect(parseDateInput("-48h", exact).time).toBe("2021-03-27 10:00:00.000000")
  })

  test("without cutting they are exactly that long ago", () => {
    const exact = { now, timezone: "UTC", truncate: false }
    expect(parseDateInput("2h", exact).time).toBe("2021-08-25 11:45:10.250000")
    expect(parseDateInput("4d", exact)).toEqual({
      time: "2021-08-21 13:45:10.250000",
      hasTime: false,
      isRelative: true,
    })
  })

  test("a date that no engine can hold is refused", () => {
    for (const text of ["-99999y", "-999999y", "-999999w", "-999999d"]) {
      expect(() => parse(text)).toThrow("is no date")
    }
  })
})

test("the ends of time are held where a zone would push them over", () => {
  expect(parse("9999-12-31T23:00-05:00")).toBe("9999-12-31 23:59:59.999000")
  expect(parse("0001-01-01", "Asia/Tokyo")).toBe("0001-01-01 00:00:00.000000")
})

test("a day ends a microsecond before the next, also when clocks change", () => {
  expect(dayOf("2021-03-28 10:00:00.000000", "Europe/Berlin")).toEqual({
    start: "2021-03-27 23:00:00.000000",
    end: "2021-03-28 21:59:59.999999",
  })
})

test("wall clock and moment are each other's inverse in every zone", () => {
  const zone = fc.constantFrom(
    "UTC",
    "Europe/Berlin",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Pacific/Apia",
  )
  const ms = fc.integer({ min: 0, max: 2_000_000_000_000 })
  fc.assert(
    fc.property(ms, zone, (moment, timezone) => {
      const wall = wallClockMs(moment, timezone)
      expect(wallClockMs(momentMs(wall, timezone), timezone)).toBe(wall)
      expect(columnarTime(moment)).toHaveLength("2026-01-02 03:04:05.678901".length)
    }),
  )
})
