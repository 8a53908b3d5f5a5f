import { describe, expect, test } from "vitest"
import { evaluate, parseFormula } from "./formula.ts"

const reckon = (text: string, ...values: readonly number[]) =>
  evaluate(parseFormula(text, values.length), values)

describe("a formula", () => {
  test("multiplies before it adds, and goes from left to right", () => {
    expect(reckon("A+B*2", 1, 3)).toBe(7)
    expect(reckon("A-B-1", 9, 3)).toBe(5)
    expect(reckon("a / b / 2", 12, 3)).toBe(2)
  })

  test("reads brackets, signs and broken numbers", () => {
    expect(reckon("-(A + 1.5) * -2e1", 0.5)).toBe(40)
    expect(reckon(".5*A", 4)).toBe(2)
  })

  test("is 0 where it has no value", () => {
    expect(reckon("A/B", 0, 0)).toBe(0)
    expect(reckon("A/B", 1, 0)).toBe(0)
  })

  test.each(["", "A+", "(A", "A)", "A B", "AB", "A^2", "C", "1e", "A; B", "é"])(
    "%j is refused",
    (text) => {
      expect(() => parseFormula(text, 2)).toThrow(expect.objectContaining({ attr: "formula" }))
    },
  )

  test("of great depth is refused", () => {
    expect(() => parseFormula("(".repeat(500), 1)).toThrow("nested too deeply")
    expect(() => parseFormula("-".repeat(999), 1)).toThrow("nested too deeply")
    expect(() => parseFormula("A+".repeat(600), 1)).toThrow("at most")
  })
})
