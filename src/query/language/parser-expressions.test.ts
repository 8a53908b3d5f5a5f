import { describe, expect, test } from "vitest"
import type { ExprAst } from "./ast.ts"
import { displayNameOf, parseExpression, parseOrderExpression } from "./parser.ts"

describe("operators", () => {
  test.each([
    ["10 ?? 5 + 10", "ifNull(10, 5 + 10)"],
    ["1 + null ?? 2 + 3", "ifNull(1 + null, 2 + 3)"],
    ["10 ?? true ? 20 : 30", "if(ifNull(10, true), 20, 30)"],
    ["null ?? 1", "ifNull(null, 1)"],
    ["a ?? b ?? c", "ifNull(ifNull(a, b), c)"],
    ["a ? b : c ? d : e", "if(a, b, if(c, d, e))"],
    ["a or b ? c : d", "if(a or b, c, d)"],
    ["a + b * c - d", "(a + (b * c)) - d"],
    ["a % b / c", "(a % b) / c"],
    ["a || b || c", "concat(a, b, c)"],
    ["a + b || c", "concat(a + b, c)"],
    ["a * b || c", "concat(a * b, c)"],
    ["a || b - c", "concat(a, b) - c"],
    ["-a * b", "negate(a) * b"],
    ["-a[1]", "negate(a[1])"],
    ["- -1", "1"],
    ["a = b + c", "a = (b + c)"],
    ["a == b", "a = b"],
    ["a <> b", "a != b"],
    ["a = b is null", "(a = b) is null"],
    ["a ?? b is null", "ifNull(a, (b is null))"],
    ["not a ?? b", "not (ifNull(a, b))"],
    ["not a = b and c", "(not (a = b)) and c"],
    ["not not a", "not (not a)"],
    ["a and b or c and d", "(a and b) or (c and d)"],
    ["a or b and c", "a or (b and c)"],
    ["a between 1 and 2 and b", "(a between 1 and 2) and b"],
    ["a not between 1 + 1 and 2", "a not between (1 + 1) and (2)"],
    ["a ~ b", "a =~ b"],
    ["a ~* b", "a =~* b"],
    ["a in (1, 2) and b", "(a in (1, 2)) and b"],
    ["a NOT IN b", "a not in b"],
    ["a not like 'x' or b ilike 'y'", "(a not like 'x') or (b ilike 'y')"],
    ["a -> b ? c : d", "a -> (b ? c : d)"],
    ["a ? b::T : c", "if(a, cast(b as T), c)"],
  ])("%s means %s", (text, meaning) => {
    expect(shapeOf(text)).toEqual(shapeOf(meaning))
  })

  test("long conditions are one node", () => {
    expect(shapeOf("a and b and c")).toMatchObject({ kind: "and", operands: [{}, {}, {}] })
    expect(shapeOf("(a and b) and c")).toMatchObject({ kind: "and", operands: [{}, {}] })
  })

  test.each([
    ["~", "regex"],
    ["=~", "regex"],
    ["!~", "not regex"],
    ["~*", "iregex"],
    ["=~*", "iregex"],
    ["!~*", "not iregex"],
    ["in cohort", "in cohort"],
    ["NOT IN COHORT", "not in cohort"],
    ["not ilike", "not ilike"],
  ])("%s compares", (sign, operator) => {
    expect(shapeOf(`a ${sign} 'x'`)).toEqual({
      kind: "compare",
      operator,
      left: field("a"),
      right: constant("x"),
    })
  })

  test("cohort stays a name where nothing follows it", () => {
    expect(shapeOf("a in cohort and b")).toMatchObject({
      operands: [{ operator: "in", right: field("cohort") }, field("b")],
    })
  })
})

describe("operands", () => {
  test.each<[string, unknown]>([
    ["1", constant(1)],
    ["-1.5", constant(-1.5)],
    ["0xff", constant(255)],
    ["1e3", constant(1000)],
    ["inf", constant(Number.POSITIVE_INFINITY)],
    ["-Inf", constant(Number.NEGATIVE_INFINITY)],
    ["nan", constant(Number.NaN)],
    ["TRUE", constant(true)],
    ["null", constant(null)],
    ["'it''s'", constant("it's")],
    ["properties.$browser", field("properties", "$browser")],
    ["properties.from.1.`a b`", field("properties", "from", 1, "a b")],
    ["true.x", field("true", "x")],
    ["date", field("date")],
    ["timestamp", field("timestamp")],
    ["interval", field("interval")],
    ["*", { kind: "star" }],
    ["e.*", { kind: "star", table: "e" }],
    ["properties['a']", { kind: "access", object: field("properties"), index: constant("a") }],
    ["f().a", { kind: "member", object: call("f"), name: "a" }],
    ["(a).1", { kind: "member", object: field("a"), name: 1 }],
    ["{v}", { kind: "placeholder", expr: field("v") }],
    ["{f({a.b})}", { kind: "placeholder", expr: call("f", placeholder("a", "b")) }],
    ["()", { kind: "tuple", items: [] }],
    ["(1,)", { kind: "tuple", items: [constant(1)] }],
    ["(1, 2)", { kind: "tuple", items: [constant(1), constant(2)] }],
    ["((1))", constant(1)],
    ["[]", { kind: "array", items: [] }],
    ["x -> x", { kind: "lambda", params: ["x"], body: field("x") }],
    ["(x, y) -> x", { kind: "lambda", params: ["x", "y"], body: field("x") }],
    ["like(a, 'b')", call("like", field("a"), constant("b"))],
    ["in(a, b)", call("in", field("a"), field("b"))],
    ["left(a, 1)", call("left", field("a"), constant(1))],
    ["toString(a)", call("toString", field("a"))],
    ["count(*)", call("count")],
    ["count(DISTINCT a)", { ...call("count", field("a")), distinct: true }],
    ["quantile(0.9)(a)", { ...call("quantile", field("a")), params: [constant(0.9)] }],
    ["row_number() over w", { ...call("row_number"), over: "w" }],
  ])("reads %s", (text, shape) => {
    expect(shapeOf(text)).toEqual(shape)
  })

  test.each([
    ["DATE '2026-01-02'", "toDate('2026-01-02')"],
    ["timestamp '2026-01-02 03:04:05'", "toDateTime('2026-01-02 03:04:05')"],
    ["EXTRACT(YEAR FROM a)", "toYear(a)"],
    ["extract(day from a + b)", "toDayOfMonth(a + b)"],
    ["SUBSTRING(a FROM 2 FOR 3)", "substring(a, 2, 3)"],
    ["substring(a from 2)", "substring(a, 2)"],
    ["SUBSTRING(a FOR 3)", "substring(a, 1, 3)"],
    ["TRIM(BOTH 'x' FROM a)", "trim(a, 'x')"],
    ["trim(leading ' ' from a)", "trimLeft(a)"],
    ["trim(trailing from a)", "trimRight(a)"],
    ["a::Nullable( String )", "CAST(a AS Nullable(String))"],
    ["CAST(a, 'Array(Int64)')", "CAST(a AS Array(Int64))"],
    ["INTERVAL '2' DAY", "interval 2 day"],
    ["INTERVAL '2 days'", "interval 2 day"],
    ["interval -1 week", "interval (-1) week"],
  ])("reads %s as %s", (text, meaning) => {
    expect(shapeOf(text)).toEqual(shapeOf(meaning))
  })

  test("words of special forms stay names elsewhere", () => {
    expect(shapeOf("extract(a, 'x')")).toEqual(call("extract", field("a"), constant("x")))
    expect(shapeOf("trim(both)")).toEqual(call("trim", field("both")))
    expect(shapeOf("date(a)")).toEqual(call("date", field("a")))
  })

  test("reads intervals, casts and both kinds of CASE", () => {
    expect(shapeOf("interval n month")).toEqual({
      kind: "interval",
      amount: field("n"),
      unit: "month",
    })
    expect(shapeOf("cast(a as double precision)")).toEqual({
      kind: "cast",
      operand: field("a"),
      type: "double precision",
    })
    const branches = [{ when: constant(1), result: constant(2) }]
    expect(shapeOf("case when 1 then 2 end")).toEqual({ kind: "case", branches })
    expect(shapeOf("case a when 1 then 2 else 3 end")).toEqual({
      kind: "case",
      operand: field("a"),
      branches,
      otherwise: constant(3),
    })
  })

  test("reads windows with their frames", () => {
    const text =
      "sum(a) over (partition by b order by c desc rows between 1 preceding and current row)"
    expect(shapeOf(text)).toMatchObject({
      over: {
        partitionBy: [field("b")],
        orderBy: [{ expr: field("c"), direction: "desc" }],
        frame: {
          unit: "rows",
          start: { kind: "preceding", count: 1 },
          end: { kind: "currentRow" },
        },
      },
    })
  })

  test("reads queries in expressions", () => {
    expect(shapeOf("a in (select 1)")).toMatchObject({ right: { kind: "query" } })
    expect(shapeOf("((select 1) union all (select 2))")).toMatchObject({
      kind: "query",
      query: { kind: "union" },
    })
    expect(shapeOf("((select 1) + 1)")).toMatchObject({ kind: "arithmetic" })
  })
})

describe("aliases", () => {
  test.each(["a AS b", "a as 'b'", "a b", "a `b`", '(a) as "b"'])("%s names a", (text) => {
    expect(shapeOf(text)).toEqual({ kind: "alias", expr: field("a"), name: "b" })
  })

  test.each(["true", "False", "NULL", "team_id", "`team_id`"])("%s is refused", (name) => {
    expect(parseExpression(`a as ${name}`).problems[0]?.message).toContain(
      "can not be used as a name",
    )
  })
})

describe("parseOrderExpression", () => {
  test("reads the direction and the place of nulls", () => {
    expect(parseOrderExpression("count() DESC").ast).toMatchObject({ direction: "desc" })
    expect(parseOrderExpression("event").ast).toMatchObject({ direction: "asc" })
    expect(parseOrderExpression("a asc nulls first").ast).toMatchObject({ nulls: "first" })
  })
})

describe("displayNameOf", () => {
  test.each([
    ["count() -- Total ", "Total"],
    [" count() ", "count()"],
    ["'a -- b'", "'a -- b'"],
    ["'a -- b' -- c", "c"],
    ["count() --", "count()"],
  ])("of %j is %j", (text, name) => {
    expect(displayNameOf(text)).toBe(name)
  })
})

function shapeOf(text: string): unknown {
  const { ast, problems } = parseExpression(text)
  expect(problems, text).toEqual([])
  return withoutSpans(ast)
}

function withoutSpans(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSpans)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !/^(span|nameSpan|typeSpan)$/.test(key))
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutSpans(inner)]))
}

function constant(value: unknown) {
  return { kind: "constant", value }
}

function field(...chain: readonly (string | number)[]) {
  return { kind: "field", chain }
}

function placeholder(...chain: readonly string[]) {
  return { kind: "placeholder", expr: field(...chain) }
}

function call(name: string, ...args: readonly unknown[]) {
  return { kind: "call" satisfies ExprAst["kind"], name, args, distinct: false }
}
