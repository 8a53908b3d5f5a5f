import { expect, test } from "vitest"
import { elapsedMs, FixedClock } from "./clock.ts"

test("a fixed clock stands still until it is moved", () => {
  const clock = new FixedClock("2026-03-02T10:00:00Z")
  expect(clock.now()).toEqual(clock.now())
  clock.advanceMs(1_500)
  expect(clock.now().toISOString()).toBe("2026-03-02T10:00:01.500Z")
})

test("what a fixed clock told cannot move it", () => {
  const clock = new FixedClock("2026-03-02T10:00:00Z")
  clock.now().setFullYear(1970)
  expect(clock.now().toISOString()).toBe("2026-03-02T10:00:00.000Z")
})

test("elapsed time never goes backwards", () => {
  const times = Array.from({ length: 100 }, elapsedMs)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})
