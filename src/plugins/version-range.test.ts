import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isInRange } from "./version-range.ts"

describe("version 1.43.1", () => {
  const inside = [
    ...["*", "x", "1.x", "1.43", "1.43.1", "=1.43.1", "==1.43.1", "v1.43.1", ">= 1.25.0"],
    ...[">=1.25.0,<2", ">1.42 <1.44", "<=1.43", "!=1.43.0", "^1.2", "~1.43.0", "~1", "~=1.40"],
    ...["1.20 - 1.50", "1.20.0 - 1.43", "2.x || >=1.43", "^1.43.1-beta.2", "~=1.43.0"],
  ]
  test.each(inside)("is in %s", (range) => {
    expect(isInRange("1.43.1", range)).toBe(true)
  })

  const outside = [
    ...["2", "1.42", "=1.43.0", ">1.43", ">1.43.1", "<1.43.1", "<=1.42", "!=1.43.1", "!=1.43"],
    ...["^1.44", "^0.9", "~1.42.9", "~=1.42.0", ">=1.25,<1.30", "1.20 - 1.42", "0.x || >=2"],
  ]
  test.each(outside)("is not in %s", (range) => {
    expect(isInRange("1.43.1", range)).toBe(false)
  })
})

test("a caret holds the first part that is not zero", () => {
  expect(isInRange("0.2.9", "^0.2.3")).toBe(true)
  expect(isInRange("0.3.0", "^0.2.3")).toBe(false)
  expect(isInRange("0.0.4", "^0.0.3")).toBe(false)
})

test.each(["", "  ", "latest", ">=", "1.2.3.4", ">=1.a", "1 || ", "x".repeat(300), "1.2 -"])(
  "the range %j cannot be read",
  (range) => {
    expect(isInRange("1.43.1", range)).toBeUndefined()
  },
)

test("each version is in the ranges that name it and in exactly one of below, equal and above", () => {
  const part = fc.nat(30)
  const version = fc.tuple(part, part, part).map((parts) => parts.join("."))
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(isInRange(a, `^${a}`) && isInRange(a, `~${a}`) && isInRange(a, `${a} - ${a}`)).toBe(
        true,
      )
      const relations = [`<${b}`, `=${b}`, `>${b}`].filter((range) => isInRange(a, range))
      expect(relations).toHaveLength(1)
      expect(isInRange(a, `>=${b}`)).toBe(!isInRange(a, `<${b}`))
    }),
  )
})
