import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { DomainError } from "../../lib/errors.ts"
import { checkNesting, checkStorable, parseJsonBody } from "./json-text.ts"

const DEEPEST = 64

function faultOf(work: () => unknown) {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError)
    const { kind, code, attr } = error as DomainError
    return { kind, code, attr }
  }
  return undefined
}

function nested(depth: number, open = "[", close = "]"): string {
  return open.repeat(depth) + close.repeat(depth)
}

describe("JSON text", () => {
  test("is read as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: "small", noUnicodeString: true }), (value) => {
        expect(parseJsonBody(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test.each(["", "{", "{'a': 1}", '{"a": 1,}', "nothing", '{"a": 1} x', "\u0000"])(
    "%j is malformed",
    (text) => {
      const malformed = { kind: "malformed", code: "parse_error", attr: null }
      expect(faultOf(() => parseJsonBody(text))).toEqual(malformed)
    },
  )

  test.each([
    ['"\\u0000"', null],
    ['{"name": "a\\u0000b"}', "name"],
    ['{"name": "\\ud800"}', "name"],
    ['{"a": {"b": ["", "\\udfff x"]}}', "a__b__1"],
    ['{"a": {"\\u0000": 1}}', "a"],
  ])("%s holds what no store keeps, and the answer says where", (text, attr) => {
    const fault = { kind: "invalid", code: "invalid_input", attr }
    expect(faultOf(() => checkStorable(parseJsonBody(text)))).toEqual(fault)
  })

  test("may hold whole surrogate pairs", () => {
    expect(parseJsonBody('"\\ud83c\\udf3f"')).toBe("🌿")
  })

  test("that is a million values long is checked without a second thought", () => {
    const list = `[${"0,".repeat(999_999)}0]`
    expect(faultOf(() => checkStorable(parseJsonBody(list)))).toBeUndefined()
  })
})

describe("nesting", () => {
  test.each(["[]", "{}"])("of %s ends at 64 levels", (brackets) => {
    const [open = "", close = ""] = brackets === "[]" ? ["[", "]"] : ['{"a":', "}"]
    const deepest =
      brackets === "[]" ? nested(DEEPEST) : `${open.repeat(DEEPEST)}1${close.repeat(DEEPEST)}`
    const deeper = `${open}${deepest}${close}`
    expect(faultOf(() => checkNesting(Buffer.from(deepest)))).toBeUndefined()
    expect(faultOf(() => checkStorable(parseJsonBody(deepest)))).toBeUndefined()
    expect(faultOf(() => checkNesting(Buffer.from(deeper)))).toMatchObject({ kind: "invalid" })
    expect(faultOf(() => checkStorable(parseJsonBody(deeper)))).toMatchObject({ kind: "invalid" })
  })

  test("is not what stands in texts", () => {
    const text = JSON.stringify({ a: `"${"[".repeat(100)}\\`, b: "{".repeat(100) })
    expect(faultOf(() => checkNesting(Buffer.from(text)))).toBeUndefined()
  })

  test("is not how much there is side by side", () => {
    const text = `[${"[],".repeat(100)}[]]`
    expect(faultOf(() => checkNesting(Buffer.from(text)))).toBeUndefined()
  })
})

test("a value inside a body is told with the way to it", () => {
  const fault = faultOf(() => checkStorable({ a: "\u0000" }, ["config"]))
  expect(fault).toEqual({ kind: "invalid", code: "invalid_input", attr: "config__a" })
})
