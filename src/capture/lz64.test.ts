import fc from "fast-check"
import LZString from "lz-string"
import { describe, expect, test } from "vitest"
import { unpackLz64 } from "./lz64.ts"

const UNITS_MAX = 100_000

describe("lz64", () => {
  test("any text that the usual library packs is unpacked", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.string({ unit: fc.constantFrom("a", "b", "ü", "日"), maxLength: 2_000 }),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    )
    fc.assert(
      fc.property(text, (value) => {
        expect(unpackLz64(LZString.compressToBase64(value), UNITS_MAX)).toBe(value)
      }),
      { numRuns: 500 },
    )
  })

  test("a plus that became a space is read as a plus", () => {
    const value = JSON.stringify(Array.from({ length: 300 }, (_, index) => `value ${index * 7}`))
    const packed = LZString.compressToBase64(value)
    expect(packed).toContain("+")
    expect(unpackLz64(packed.replaceAll("+", " "), UNITS_MAX)).toBe(value)
  })

  test("a text of exactly the bound is unpacked, and one unit more is too large", () => {
    const packed = LZString.compressToBase64("x".repeat(UNITS_MAX))
    expect(unpackLz64(packed, UNITS_MAX)).toHaveLength(UNITS_MAX)
    expect(unpackLz64(packed, UNITS_MAX - 1)).toBe("too_large")
  })

  test("what is cut off or not of the alphabet is told from what is whole", () => {
    const packed = LZString.compressToBase64('{"event":"a","distinct_id":"b"}')
    expect(unpackLz64(packed.slice(0, 20), UNITS_MAX)).toBeUndefined()
    expect(unpackLz64(`%${packed}`, UNITS_MAX)).toBeUndefined()
    expect(unpackLz64("", UNITS_MAX)).toBeUndefined()
    expect(unpackLz64("////////", UNITS_MAX)).toBeUndefined()
  })

  test("any text at all ends in bounds", () => {
    fc.assert(
      fc.property(fc.base64String({ maxLength: 2_000 }), (text) => {
        const value = unpackLz64(text, 1_000)
        expect(value === undefined || value.length <= 1_000).toBe(true)
      }),
    )
  })
})
