import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Span } from "./ast.ts"
import { displayNameOf, parseExpression, parseOrderExpression, parseQuery } from "./parser.ts"
import { printLanguage } from "./print-language.ts"

const WORDS = (
  "select from where group by order limit with union all as and or not in is null like between case " +
  "when then end join left array on using over partition rows window interval cast extract distinct " +
  "cohort a b events 1 0 'x' `y` + - * / = =~ ?? ? : :: -> . , ; ( ) [ ] { } ' \" -- /* */"
).split(" ")
const wordSoup = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 40 })
  .map((words) => words.join(" "))
const byteSoup = fc.string({ unit: "binary", maxLength: 60 })

describe("any text", () => {
  test("is read or refused with problems inside it, and never throws", () => {
    fc.assert(
      fc.property(fc.oneof(wordSoup, byteSoup), (text) => {
        displayNameOf(text)
        for (const parse of [parseQuery, parseExpression, parseOrderExpression]) {
          const { ast, problems } = parse(text)
          expect(ast === undefined && problems.length === 0).toBe(false)
          for (const { span } of problems) expectInside(span, { start: 0, end: text.length })
          expectNested(ast, { start: 0, end: text.length })
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test.each<[string, string]>([
    ["a million brackets", "(".repeat(1_000_000)],
    ["many brackets", "(".repeat(200_000)],
    ["brackets one in another", `${"(".repeat(500)}1${")".repeat(500)}`],
    ["mixed brackets", "([{)]}".repeat(10_000)],
    ["NOT upon NOT", `${"not ".repeat(20_000)}a`],
    ["minus upon minus", `${"- ".repeat(20_000)}a`],
    ["ternaries", "a ? ".repeat(20_000)],
    ["lambdas", `${"x -> ".repeat(20_000)}x`],
    ["CASE in CASE", "case when ".repeat(20_000)],
    ["a long sum", `${"1 + ".repeat(20_000)}1`],
    ["a long chain of positions", `a${"[1]".repeat(10_000)}`],
    ["casts of casts", `a${"::T".repeat(20_000)}`],
    ["placeholders in placeholders", `${"{".repeat(500)}a${"}".repeat(500)}`],
    ["queries in queries", `${"select * from (".repeat(500)}select 1${")".repeat(500)}`],
    [
      "every operator in every bracket",
      `${"1 or 1 and 1 ?? 1 = 1 + 1 * (".repeat(199)}1${")".repeat(199)}`,
    ],
  ])("with %s is refused as too complex", (_what, text) => {
    for (const parse of [parseExpression, parseQuery]) {
      for (const whole of [text, `select ${text}`]) {
        const { ast, problems } = parse(whole)
        expect(ast).toBeUndefined()
        expect(problems.length).toBeGreaterThan(0)
      }
    }
    const codes = [text, `select ${text}`].flatMap((whole) => parseQuery(whole).problems)
    expect(codes.map(({ code }) => code)).toContain("too_complex")
  })

  test.each<[string, string]>([
    ["brackets", `${"(".repeat(150)}1${")".repeat(150)}`],
    ["conditions", `${"a = 1 and ".repeat(5_000)}a`],
    ["joined texts", `${"a || ".repeat(10_000)}a`],
    ["values", `a in (${"'x', ".repeat(20_000)}'x')`],
  ])("with many %s is read and written again", (_what, text) => {
    const { ast, problems } = parseExpression(text)
    expect(problems).toEqual([])
    expect(ast && printLanguage(ast).length).toBeGreaterThan(0)
  })
})

function expectInside(inner: Span, outer: Span): void {
  expect(inner.start).toBeGreaterThanOrEqual(outer.start)
  expect(inner.end).toBeLessThanOrEqual(outer.end)
  expect(inner.start).toBeLessThanOrEqual(inner.end)
}

/** Every node lies inside the one that holds it. */
function expectNested(value: unknown, outer: Span): void {
  if (typeof value !== "object" || value === null) return
  const own = "span" in value ? (value.span as Span) : outer
  expectInside(own, outer)
  for (const [key, inner] of Object.entries(value)) {
    if (key === "nameSpan" || key === "typeSpan") expectInside(inner as Span, own)
    else if (key !== "span") expectNested(inner, own)
  }
}
