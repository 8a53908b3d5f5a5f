import { describe, expect, test } from "vitest"
import { isTimeZone } from "./time-zone.ts"

describe("a time zone", () => {
  test.each([
    "UTC",
    "Europe/Berlin",
    "America/Argentina/Buenos_Aires",
    "America/Port-au-Prince",
    "Asia/Kolkata",
    "US/Pacific",
    "Etc/GMT+5",
    "EST5EDT",
  ])("may be %s", (name) => {
    expect(isTimeZone(name)).toBe(true)
  })

  test.each([
    "",
    "Mars/Base",
    "europe/berlin",
    "EUROPE/BERLIN",
    "+01:00",
    "UTC ",
    "Europe/",
    "../UTC",
  ])("is never %j", (name) => {
    expect(isTimeZone(name)).toBe(false)
  })
})
