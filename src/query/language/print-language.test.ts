import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  type ExprAst,
  INTERVAL_UNITS,
  type OrderAst,
  type QueryAst,
  type SelectAst,
  type SourceAst,
  type Span,
  type WindowAst,
} from "./ast.ts"
import { parseExpression, parseQuery } from "./parser.ts"
import { printLanguage } from "./print-language.ts"

describe("printLanguage", () => {
  test.each([
    ["a+b*c", "a + b * c"],
    ["(a+b)*c", "(a + b) * c"],
    ["a-(b-c)", "a - (b - c)"],
    ["a - -1", "a - -1"],
    ["not a and (b or c)", "NOT a AND (b OR c)"],
    ["(not a) = b", "(NOT a) = b"],
    ["a ?? b", "ifNull(a, b)"],
    ["`from`.from.`b c`", "`from`.from.`b c`"],
    ["'it''s \\\\ \\n'", "'it\\'s \\\\ \\n'"],
    ["(a,)", "(a,)"],
    ["interval (a + 1) days", "INTERVAL (a + 1) DAY"],
    ["x::Array(Int64)", "CAST(x AS Array(Int64))"],
    ["like(a, 'b')", "like(a, 'b')"],
    ["1e300", "1e+300"],
    ["-inf", "-inf"],
    ["(1, 2).1", "(1, 2).1"],
    ["x in cohort 5", "x IN COHORT 5"],
    ["a !~* 'x'", "a !~* 'x'"],
  ])("writes %s as %s", (text, printed) => {
    const { ast, problems } = parseExpression(text)
    expect(problems).toEqual([])
    expect(ast && printLanguage(ast)).toBe(printed)
  })

  test("writes a whole query in one line", () => {
    const { ast } = parseQuery(
      `with a as (select 1), 2 as n
      select distinct top 5 x y, count(*) over (partition by a order by b rows 1 preceding) from t as s
      sample 1/2 left join (select 1) u using x, v array join l as i where {filters} group by 1
      having n > 1 window w as () order by x desc nulls last limit 1 by x;`,
    )
    expect(ast && printLanguage(ast)).toBe(
      "WITH a AS (SELECT 1), 2 AS n SELECT DISTINCT x AS y, count() OVER (PARTITION BY a ORDER BY b " +
        "ASC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t AS s SAMPLE 0.5 LEFT JOIN (SELECT 1) AS u " +
        "USING (x, v) ARRAY JOIN l AS i WHERE {filters} GROUP BY 1 HAVING n > 1 WINDOW w AS () " +
        "ORDER BY x DESC NULLS LAST LIMIT 1 BY x LIMIT 5",
    )
  })

  test("writes every expression so that parsing gives it again", () => {
    fc.assert(
      fc.property(tree.expr, (expr) => {
        const text = printLanguage(expr)
        const { ast, problems } = parseExpression(text)
        expect(problems, text).toEqual([])
        expect(withoutSpans(ast), text).toEqual(withoutSpans(expr))
        expect(ast && printLanguage(ast)).toBe(text)
      }),
      { numRuns: 300 },
    )
  })

  test("writes every query so that parsing gives it again", () => {
    fc.assert(
      fc.property(tree.query, (query) => {
        const text = printLanguage(query)
        const { ast, problems } = parseQuery(text)
        expect(problems, text).toEqual([])
        expect(withoutSpans(ast), text).toEqual(withoutSpans(query))
      }),
      { numRuns: 100 },
    )
  })
})

const SPAN_KEYS = ["span", "nameSpan", "typeSpan"]

function withoutSpans(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSpans)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !SPAN_KEYS.includes(key))
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutSpans(inner)]))
}

const span: Span = { start: 0, end: 0 }

const name = fc.oneof(
  fc.constantFrom(
    "a",
    "b1",
    "$group_0",
    "event",
    "timestamp",
    "date",
    "Größe",
    "a b",
    "`",
    '"',
    "\\",
  ),
  fc.constantFrom(
    "from",
    "interval",
    "cohort",
    "case",
    "inf",
    "left",
    "array",
    "cast",
    "top",
    "end",
  ),
  fc.string({ minLength: 1, maxLength: 6 }),
)
const aliasName = name.filter((text) => !/^(true|false|null|team_id)$/i.test(text))
const position = fc.integer({ min: 1, max: 20 })
const member = fc.oneof(name, position)
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(2 ** 60, 1e21, 5e-324))
const functionName = fc.constantFrom(
  "f",
  "toInt",
  "like",
  "quantile",
  "left",
  "not",
  "cast",
  "cohort",
)
const type = fc.constantFrom(
  "String",
  "Nullable(Int64)",
  "DateTime64(3, 'UTC')",
  "double precision",
)

/** The first choice ends the tree. */
const DEPTH = { maxDepth: 3, depthIdentifier: "tree" } as const

/** An optional field is left out, not undefined. */
function optional<Key extends string, T>(key: Key, arb: fc.Arbitrary<T>) {
  return fc.option(arb, { nil: undefined }).map((value) => {
    return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: T }
  })
}

function record<T extends object>(fields: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) {
  return fc.record(fields).map((value) => ({ ...value, span })) as fc.Arbitrary<T & { span: Span }>
}

const tree = fc.letrec<{
  expr: ExprAst
  query: QueryAst
  select: SelectAst
  window: WindowAst
  order: OrderAst
  source: SourceAst
}>((tie) => {
  const inner = tie("expr")
  const exprs = fc.array(tie("expr"), { maxLength: 2 })
  const some = fc.array(tie("expr"), { minLength: 1, maxLength: 2 })
  const leaf: fc.Arbitrary<ExprAst>[] = [
    record({ kind: fc.constant("constant"), value: fc.oneof(number, fc.boolean(), fc.string()) }),
    record({ kind: fc.constant("constant"), value: fc.constant(null) }),
    fc.tuple(name, fc.array(member, { maxLength: 2 })).map(([first, rest]) => {
      return { kind: "field", chain: [first, ...rest], span } as const
    }),
  ]
  const operators: fc.Arbitrary<ExprAst>[] = [
    record({
      kind: fc.constantFrom("and", "or"),
      operands: fc.array(inner, { minLength: 2, maxLength: 3 }),
    }),
    record({ kind: fc.constant("not"), operand: inner }),
    record({ kind: fc.constant("isNull"), operand: inner, isNegated: fc.boolean() }),
    record({
      kind: fc.constant("compare"),
      operator: fc.constantFrom("=", "!=", "<=", "in", "not in cohort", "in cohort", "not ilike"),
      left: inner,
      right: inner,
    }),
    record({
      kind: fc.constant("compare"),
      operator: fc.constantFrom("regex", "not regex", "iregex", "not iregex", "like"),
      left: inner,
      right: inner,
    }),
    record({
      kind: fc.constant("between"),
      operand: inner,
      low: inner,
      high: inner,
      isNegated: fc.boolean(),
    }),
    record({
      kind: fc.constant("arithmetic"),
      operator: fc.constantFrom("+", "-", "*", "/", "%"),
      left: inner,
      right: inner,
    }),
    record({
      kind: fc.constant("access"),
      object: inner,
      index: inner.filter((index) => index.kind !== "constant" || index.value !== 0),
    }),
    record({ kind: fc.constant("member"), object: inner, name: member }),
  ]
  const over = fc.oneof<fc.Arbitrary<WindowAst | string>[]>(tie("window"), name)
  const forms: fc.Arbitrary<ExprAst>[] = [
    record({ kind: fc.constant("placeholder"), expr: inner }),
    record({ kind: fc.constantFrom("array", "tuple"), items: exprs }),
    record({
      kind: fc.constant("interval"),
      amount: inner,
      unit: fc.constantFrom(...INTERVAL_UNITS),
    }),
    record({ kind: fc.constant("cast"), operand: inner, type, typeSpan: fc.constant(span) }),
    record({ kind: fc.constant("query"), query: tie("query") }),
    record({
      kind: fc.constant("lambda"),
      params: fc.array(aliasName, { maxLength: 2 }),
      body: inner,
    }),
    record({
      kind: fc.constant("alias"),
      expr: inner,
      name: aliasName,
      nameSpan: fc.constant(span),
    }),
    fc
      .tuple(
        record({
          kind: fc.constant("call" as const),
          name: functionName,
          args: exprs,
          distinct: fc.boolean(),
        }),
        optional("params", exprs),
        optional("over", over),
      )
      .map(([call, params, window]) => ({ ...call, ...params, ...window, nameSpan: span })),
    fc
      .tuple(
        optional("operand", inner),
        fc.array(record({ when: inner, result: inner }), { minLength: 1, maxLength: 2 }),
        optional("otherwise", inner),
      )
      .map(([operand, branches, otherwise]) => {
        return { kind: "case", ...operand, branches, ...otherwise, span } as const
      }),
  ]
  const limit = fc
    .tuple(record({ count: inner, withTies: fc.constant(false) }), optional("offset", inner))
    .map((parts) => Object.assign({}, ...parts))
  const join = record({ kind: fc.constant("cross" as const), source: tie("source") })
  const condition = fc.oneof(
    optional("on", inner).filter((on) => on.on !== undefined),
    fc.array(record({ name }), { minLength: 1, maxLength: 2 }).map((using) => ({ using })),
  )
  const joinOn = fc
    .tuple(
      record({ kind: fc.constantFrom("inner", "left", "right", "full"), source: tie("source") }),
      condition,
    )
    .map(([joined, on]) => ({ ...joined, ...on }))
  const bound = fc.oneof(
    fc.constantFrom({ kind: "unboundedPreceding" as const }, { kind: "currentRow" as const }),
    fc.record({ kind: fc.constantFrom("preceding", "following"), count: position }),
  )
  const from = fc.record({
    from: record({
      source: tie("source"),
      joins: fc.array(fc.oneof(join, joinOn), { maxLength: 2 }),
    }),
  })
  const arrayJoin = record({
    isLeft: fc.boolean(),
    items: fc.array(
      record({
        kind: fc.constant("alias"),
        expr: inner,
        name: aliasName,
        nameSpan: fc.constant(span),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  })
  const cte = fc.oneof(
    DEPTH,
    record({ kind: fc.constant("expr"), name: aliasName, expr: inner }),
    record({ kind: fc.constant("query"), name: aliasName, query: tie("query") }),
  )
  return {
    expr: fc.oneof(DEPTH, ...leaf, ...operators, ...forms),
    window: fc
      .tuple(
        record({
          partitionBy: fc.array(inner, { maxLength: 1 }),
          orderBy: fc.array(tie("order"), { maxLength: 1 }),
        }),
        optional(
          "frame",
          record({ unit: fc.constantFrom("rows", "range"), start: bound, end: bound }),
        ),
      )
      .map(([window, frame]) => ({ ...window, ...frame })),
    order: fc
      .tuple(
        record({ expr: inner, direction: fc.constantFrom("asc", "desc") }),
        optional("nulls", fc.constantFrom("first", "last")),
      )
      .map(([order, nulls]) => ({ ...order, ...nulls })),
    source: fc
      .tuple(
        record({
          from: fc.oneof(
            DEPTH,
            fc.record({
              kind: fc.constant("table"),
              chain: fc.array(name, { minLength: 1, maxLength: 2 }),
            }),
            fc.record({ kind: fc.constant("function"), name, args: exprs }),
            fc.record({ kind: fc.constant("query"), query: tie("query") }),
            fc.record({ kind: fc.constant("placeholder"), expr: inner }),
          ),
          final: fc.boolean(),
        }),
        optional("alias", aliasName),
        optional("sample", fc.constantFrom({ ratio: 0.1, offset: 0 }, { ratio: 1, offset: 0.5 })),
      )
      .map((parts) => Object.assign({}, ...parts)),
    select: fc
      .tuple(
        record({
          kind: fc.constant("select"),
          ctes: fc.array(cte, { maxLength: 1 }),
          distinct: fc.boolean(),
          columns: some,
          groupBy: fc.array(inner, { maxLength: 1 }),
          windows: fc.array(fc.record({ name: aliasName, window: tie("window") }), {
            maxLength: 1,
          }),
          orderBy: fc.array(tie("order"), { maxLength: 1 }),
        }),
        fc.oneof(
          fc.constant({}),
          from,
          fc.tuple(from, arrayJoin).map(([rows, joined]) => ({ ...rows, arrayJoin: joined })),
        ),
        optional("prewhere", inner),
        optional("where", inner),
        optional("having", inner),
        optional(
          "limit",
          limit.map((rows) => ({ ...rows, withTies: true })),
        ),
        optional(
          "limitBy",
          fc.record({ limit, by: fc.array(inner, { minLength: 1, maxLength: 2 }) }),
        ),
      )
      .map((parts) => Object.assign({}, ...parts)),
    query: fc.oneof(
      DEPTH,
      tie("select"),
      record({
        kind: fc.constant("union"),
        queries: fc.array(tie("query"), { minLength: 2, maxLength: 3 }),
      }),
    ),
  }
})
