import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { exactNumberOf, parseExact, stringifyExact } from "./exact-json.ts"

const BIG = "12345678901234567890"

describe("exact JSON", () => {
  test.each([
    BIG,
    `-${BIG}.5`,
    "9007199254740993",
    "1e400",
    "-1E-400",
    "1e0000000400",
    "0.1234567890123456789",
    "3.14159265358979323846264338327950288",
    "123456789e-325",
    "1.0000000000000000001",
    "0.10000000000000000555",
    `0.${"0".repeat(400)}1`,
    "-1234567890123456.7",
  ])("keeps %s, which a double would change, as text", (literal) => {
    const value = parseExact(`{"n": ${literal}, "s": "${literal}"}`) as Record<string, unknown>
    expect(exactNumberOf(value.n)).toBe(literal)
    expect(exactNumberOf(value.s)).toBeUndefined()
    expect(stringifyExact(value)).toBe(`{"n":${literal},"s":"${literal}"}`)
  })

  test.each([
    ["0.8437261524176443", 0.8437261524176443],
    ["9007199254740992", 9007199254740992],
    ["1.50000000000000000000", 1.5],
    ["100000000000000000000", 1e20],
    ["1e300", 1e300],
    ["5e-324", 5e-324],
    ["-0.000000000000000000", -0],
  ])("%s is a plain number, because a double holds it", (literal, number) => {
    expect(parseExact(`[${literal}]`)).toEqual([number])
  })

  test.each([
    "01234567890123456789",
    `${BIG}abc`,
    `{${BIG}: 1}`,
    `{${BIG}  :1}`,
    `{"a":1, ${BIG}}`,
    `"a"${BIG}`,
    `--${BIG}`,
    `${BIG}.`,
    `1e400e1`,
    "",
    `"${BIG}`,
  ])("%s is no JSON here either", (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(() => parseExact(text)).toThrow(SyntaxError)
  })

  test("strings that look like a marked number stay strings", () => {
    const forged = [
      "exact-number:",
      `exact-number:${"a".repeat(43)}:${BIG}`,
      `"exact-number:"${BIG}`,
    ]
    const value = parseExact(JSON.stringify([...forged, 1]))
    expect(value).toEqual([...forged, 1])
    expect(stringifyExact(value)).toBe(JSON.stringify([...forged, 1]))
  })

  test("keys, escapes and a __proto__ key are as JSON.parse has them", () => {
    const text = `{"__proto__":{"a":${BIG}},"\\"${BIG}\\\\":"\\\\\\"${BIG}"}`
    expect(stringifyExact(parseExact(text))).toBe(text)
  })

  test("a long text of suspicious strings costs no more than in proportion", () => {
    const text = JSON.stringify(Array.from({ length: 20_000 }, () => `"${BIG}\\1e400`))
    expect(stringifyExact(parseExact(text))).toBe(text)
  })

  test("any JSON text comes back with the same tokens", () => {
    fc.assert(
      fc.property(jsonText(), ({ text, tokens }) => {
        expect(stringifyExact(parseExact(text))).toBe(tokens)
      }),
      { numRuns: 500 },
    )
  })
})

/** A text with spaces in odd places, and the same text as it should be printed. */
function jsonText(): fc.Arbitrary<{ text: string; tokens: string }> {
  const digits = fc.stringMatching(/^[1-9][0-9]{16,40}[1-9]$/)
  const big = fc
    .tuple(fc.boolean(), digits, fc.option(fc.stringMatching(/^[0-9]{0,20}[1-9]$/), { nil: "" }))
    .map(
      ([isNegative, whole, fraction]) =>
        `${isNegative ? "-" : ""}${whole}${fraction && "."}${fraction}`,
    )
  const huge = fc.integer({ min: 400, max: 99_999 }).map((power) => `7e${power}`)
  const tiny = fc.integer({ min: 400, max: 99_999 }).map((power) => `-7.25e-${power}`)
  const small = fc
    .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
    .map((value) => JSON.stringify(value))
  const text = fc
    .oneof(fc.string({ unit: "binary" }), big, huge, fc.constant('\\"'))
    .map((value) => JSON.stringify(value))
  const leaf = fc.oneof(big, huge, tiny, small, text, fc.constantFrom("true", "false", "null"))
  const { value } = fc.letrec<{ value: { text: string; tokens: string } }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      leaf.map((token) => ({ text: ` ${token}\n`, tokens: token })),
      fc.array(tie("value")).map((items) => ({
        text: `[${items.map((item) => item.text).join(",")}]`,
        tokens: `[${items.map((item) => item.tokens).join(",")}]`,
      })),
      fc.array(tie("value")).map((items) => ({
        text: `{${items.map((item, index) => `"k${index}" :${item.text}`).join(",")}}`,
        tokens: `{${items.map((item, index) => `"k${index}":${item.tokens}`).join(",")}}`,
      })),
    ),
  }))
  return value
}
