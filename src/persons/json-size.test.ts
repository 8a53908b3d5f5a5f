import fc from "fast-check"
import { expect, test } from "vitest"
import type { JsonObject } from "../lib/json.ts"
import { isLargerThan, jsonBytes } from "./json-size.ts"

test("a value is larger than allowed exactly when its JSON is", () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<never>)
  fc.assert(
    fc.property(object, fc.nat({ max: 300 }), (value, maxBytes) => {
      expect(isLargerThan(value, maxBytes)).toBe(jsonBytes(value) > maxBytes)
    }),
  )
  const controls: JsonObject = { "\u0001": "\u0001".repeat(10) }
  expect(isLargerThan(controls, jsonBytes(controls))).toBe(false)
  expect(isLargerThan(controls, jsonBytes(controls) - 1)).toBe(true)
})
