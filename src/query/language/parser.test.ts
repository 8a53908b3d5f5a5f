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
          const whole = { start: 0, end: text.length }
          expect(problems.filter(({ span }) => !isInside(span, whole))).toEqual([])
          expect(listMisplaced(ast, whole)).toEqual([])
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test.each<[string, string]>([
    ["a million brackets", "(".repeat(1_000_000)],
    ["many brackets", "(".repeat(200_000)],
    ["brackets one in another", `${"(".repeat(500)}1${")".repeat(500)}`],
    ["NOT upon NOT", `${"not ".repeat(5_000)}a`],
    ["minus upon minus", `${"- ".repeat(5_000)}a`],
    ["ternaries", "a ? ".repeat(5_000)],
    ["lambdas", `${"x -> ".repeat(5_000)}x`],
    ["CASE in CASE", "case when ".repeat(5_000)],
    ["a long sum", `${"1 + ".repeat(5_000)}1`],
    ["a long chain of positions", `a${"[1]".repeat(5_000)}`],
    ["casts of casts", `a${"::T".repeat(5_000)}`],
    ["placeholders in placeholders", `${"{".repeat(500)}a${"}".repeat(500)}`],
    ["queries in queries", `${"select * from (".repeat(500)}select 1${")".repeat(500)}`],
    [
      "every operator in every bracket",
      `${"1 or 1 and 1 ?? 1 = 1 + 1 * (".repeat(90)}1${")".repeat(90)}`,
    ],
  ])("with %s is refused as too complex", (_what, text) => {
    const expression = parseExpression(text)
    const query = text.startsWith("select") ? parseQuery(text) : parseQuery(`select ${text}`)
    expect(expression.ast ?? query.ast).toBeUndefined()
    expect(query.problems.map(({ code }) => code)).toContain("too_complex")
  })

  test.each<[string, string]>([
    ["brackets", `${"(".repeat(90)}1${")".repeat(90)}`],
    ["conditions", `${"a = 1 and ".repeat(5_000)}a`],
    ["joined texts", `${"a || ".repeat(5_000)}a`],
    ["values", `a in (${"'x', ".repeat(5_000)}'x')`],
  ])("with many %s is read and written again", (_what, text) => {
    const { ast, problems } = parseExpression(text)
    expect(problems).toEqual([])
    expect(ast && printLanguage(ast).length).toBeGreaterThan(0)
  })
})

function isInside(inner: Span, outer: Span): boolean {
  return outer.start <= inner.start && inner.start <= inner.end && inner.end <= outer.end
}

/** Nodes that do not lie inside the one that holds them. */
function listMisplaced(value: unknown, outer: Span): unknown[] {
  if (typeof value !== "object" || value === null) return []
  const own = "span" in value ? (value.span as Span) : outer
  const inner = Object.entries(value).flatMap(([key, child]) => {
    if (key === "span") return []
    if (key !== "nameSpan" && key !== "typeSpan") return listMisplaced(child, own)
    return isInside(child as Span, own) ? [] : [child]
  })
  return isInside(own, outer) ? inner : [value, ...inner]
}
