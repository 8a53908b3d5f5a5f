import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { findLongItem, parseBounded } from "./json-text.ts"

const nested = (levels: number, open = "[", close = "]") =>
  `${open.repeat(levels)}${close.repeat(levels)}`

describe("bounded JSON", () => {
  test("is parsed as ever", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value)
        expect(parseBounded(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  test.each([
    ["lists", nested(100), nested(101)],
    [
      "objects",
      `${'{"a":'.repeat(100)}1${"}".repeat(100)}`,
      `${'{"a":'.repeat(101)}1${"}".repeat(101)}`,
    ],
    [
      "few brackets in a long text",
      `["${"x".repeat(9_000)}",${nested(99)}]`,
      `["${"x".repeat(9_000)}",${nested(100)}]`,
    ],
    [
      "brackets among strings that look like them",
      `["${'[\\"'.repeat(200)}",${nested(99)}]`,
      `["${'[\\"'.repeat(200)}",${nested(100)}]`,
    ],
  ])("has at most 100 levels of %s", (_what, fine, deep) => {
    expect(parseBounded(fine)).toEqual(JSON.parse(fine))
    expect(() => parseBounded(deep)).toThrow("deeper than 100 levels")
  })

  test("that is endlessly deep is refused without being parsed", () => {
    expect(() => parseBounded(nested(5_000_000))).toThrow("deeper than 100 levels")
    expect(() => parseBounded("[".repeat(5_000_000))).toThrow("deeper than 100 levels")
  })

  test("must be JSON", () => {
    expect(() => parseBounded('{"a":')).toThrow("not JSON")
  })
})

describe("the first item that is too long", () => {
  const item = (length: number) => JSON.stringify({ p: "x".repeat(length - 8) })

  test.each([
    [`[${item(50)},${item(100)}]`, undefined],
    [`[${item(50)},${item(101)}]`, 1],
    [`{"batch":[${item(50)} , ${item(50)},${item(101)}]}`, 2],
    [`{"x":{"y":${item(200)}},"batch":[${item(50)}]}`, undefined],
    [`{"x":["a",1],"batch":[${item(50)},${item(101)}]}`, 1],
    [`{"batch":[${item(50)}],"x":${item(200)}}`, undefined],
    [`{"batch":[{"a":[${item(60)},${item(60)}]},${item(50)}]}`, 0],
    [`{"batch":["]}\\"",${item(101)}]}`, 0],
  ])("of %s is %s", (text, index) => {
    expect(findLongItem(Buffer.from(text), 100)).toBe(index)
  })
})
