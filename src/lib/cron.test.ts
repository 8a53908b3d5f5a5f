import { describe, expect, test } from "vitest"
import { isCron, lastDue } from "./cron.ts"

describe("a cron line", () => {
  test.each([
    ["0 5 * * 0", "2026-03-02T10:00:00Z", "2026-03-01T05:00:00.000Z"],
    ["0 5 * * 0", "2026-03-01T05:00:00Z", "2026-03-01T05:00:00.000Z"],
    ["0 5 * * 0", "2026-03-01T04:59:59.999Z", "2026-02-22T05:00:00.000Z"],
    ["*/10 * * * *", "2026-03-01T00:19:00Z", "2026-03-01T00:10:00.000Z"],
  ])("%s was last due before %s at %s", (line, now, due) => {
    expect(lastDue(line, new Date(now)).toISOString()).toBe(due)
  })

  test.each(["", "0 5 * *", "61 * * * *", "* * * * * *", "every day"])(
    "is refused when it is %j",
    (line) => {
      expect(isCron(line)).toBe(false)
    },
  )
})
