import { expect, test } from "vitest"
import { parseDemo } from "./demo.ts"

test("demo has a size, a seed and a span of its own", () => {
  expect(parseDemo([])).toEqual({
    ...{ count: 100_000, days: 90, seed: "hedgerow", projectId: undefined },
  })
  expect(parseDemo(["--events", "5", "--days=7", "--seed", "x", "--project", "3"])).toEqual({
    ...{ count: 5, days: 7, seed: "x", projectId: 3 },
  })
})

test.each([
  [["--events", "many"], '--events must be a whole number from 1 to 100000000, not "many"'],
  [["--events", "0"], "--events must be"],
  [["--days", "-1"], "--days"],
  [["--project", "1.5"], "--project must be"],
  [["--seed", "x".repeat(101)], "--seed must have at most"],
  [["--speed", "9"], "--speed"],
])("demo %j is refused by name", (words, reason) => {
  expect(() => parseDemo(words)).toThrow(reason)
})
