import { describe, expect, test } from "vitest"
import { parseExact } from "./exact-json.ts"
import type { JsonValue } from "./json.ts"
import { textOf, toStorable, truncate } from "./text.ts"

describe("textOf", () => {
  test("keeps strings and writes everything else as JSON", () => {
    expect(["a", 3, true, null, { a: [1] }].map(textOf)).toEqual([
      "a",
      "3",
      "true",
      "null",
      '{"a":[1]}',
    ])
  })

  test("writes numbers that no double can hold as they came", () => {
    const value = parseExact('[12345678901234567890,{"n":1e400}]') as [JsonValue, JsonValue]
    expect(value.map(textOf)).toEqual(["12345678901234567890", '{"n":1e400}'])
  })
})

describe("truncate", () => {
  test("counts characters, not code units, and never halves one", () => {
    expect(truncate("abc", 3)).toBe("abc")
    expect(truncate("abcd", 3)).toBe("abc")
    expect(truncate("🦔🦔🦔", 2)).toBe("🦔🦔")
    expect(truncate("a🦔b🦔", 4)).toBe("a🦔b🦔")
  })
})

test("text to store has neither NUL nor half surrogate pairs", () => {
  expect(toStorable("a\0b\ud800c🦔")).toBe("a\ufffdb\ufffdc🦔")
})
