import fc from "fast-check"
import { expect, test } from "vitest"
import { parseExact, stringifyExact } from "../lib/exact-json.ts"
import type { JsonObject } from "../lib/json.ts"
import { entryBytes, isLargerThan, jsonBytes } from "./json-size.ts"

const text = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map(String.fromCharCode) })
const object = fc.dictionary(
  fc.oneof(text, fc.constant("__proto__")),
  fc.oneof(text, fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 3 })),
) as fc.Arbitrary<JsonObject>

test("a value has as many bytes as its JSON", () => {
  fc.assert(
    fc.property(object, (value) => {
      expect(jsonBytes(value)).toBe(Buffer.byteLength(stringifyExact(value)))
    }),
  )
  const numbers = parseExact('[12345678901234567890,1e400,0.1,-5,1e21,true,false,null,[],{},"\\b"]')
  expect(jsonBytes(numbers as never)).toBe(stringifyExact(numbers).length)
})

test("a value is larger than allowed from the first byte too many", () => {
  const value = { "\u0001": "\u0001".repeat(10) }
  expect(isLargerThan(value, jsonBytes(value))).toBe(false)
  expect(isLargerThan(value, jsonBytes(value) - 1)).toBe(true)
})

test("a property adds its bytes to those of the others", () => {
  const before = { a: 1 }
  expect(jsonBytes({ ...before, 'b"': ["ü"] })).toBe(jsonBytes(before) + entryBytes('b"', ["ü"]))
})
