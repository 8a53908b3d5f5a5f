import { describe, expect, test } from "vitest"
import { boolean } from "../build.ts"
import {
  checkQuery,
  compileCondition,
  compileExpression,
  compileOrder,
  compileQuery,
  type LanguageContext,
  listCohortNames,
  typeName,
} from "./compile.ts"

const CONTEXT: LanguageContext = {
  project_id: 1,
  timezone: "UTC",
  weekStartsOn: 1,
  now: new Date("2026-01-01T00:00:00Z"),
}

const problemsOf = (text: string, context: Partial<LanguageContext> = {}) =>
  checkQuery(text, { ...CONTEXT, ...context }).problems

describe("placeholders", () => {
  test("without a value are all named at once", () => {
    expect(problemsOf("select {a}, {b}, {a}")).toMatchObject([
      { code: "missing_placeholder", message: expect.stringContaining("a, b") },
    ])
    expect(problemsOf("select {a}, {b}", { values: { a: 1 } })).toMatchObject([
      { message: expect.stringMatching(/without a value: b\.$/) },
    ])
  })

  test("do not take objects, nor both kinds of filters", () => {
    expect(problemsOf("select {a}", { values: { a: { b: 1 } } })).toMatchObject([
      { message: expect.stringContaining('"a" is an object') },
    ])
    const both = { values: { filters: true }, filters: () => boolean(true) }
    expect(problemsOf("select 1 from events where {filters}", both)).toHaveLength(1)
  })

  test("never read what every object has", () => {
    expect(problemsOf("select {constructor}, {__proto__.x}", { values: {} })).toHaveLength(1)
  })
})

describe("the compiled query", () => {
  const compile = (text: string, context: Partial<LanguageContext> = {}) =>
    compileQuery(text, { ...CONTEXT, ...context })

  test("asks for one row more than are shown, and says the limit that is shown", () => {
    const compiled = compile("select event from events where {filters}")
    expect(compiled.query).toMatchObject({ limit: 101 })
    expect(compiled.limit).toBeUndefined()
    expect(compiled.text).toBe("SELECT event FROM events WHERE true LIMIT 100")
  })

  test("keeps the limit of the text, up to the largest", () => {
    const compiled = compile("select event from events limit 5 offset 2")
    expect(compiled).toMatchObject({ limit: 5, offset: 2, query: { limit: 5, offset: 2 } })
    expect(compile("select 1 limit 99999999")).toMatchObject({ limit: 50_000 })
    expect(compile("select 1 limit 20", { rowsMax: 10 })).toMatchObject({ limit: 10 })
  })

  test("limits each branch of a union", () => {
    const { text, query } = compile("select 1 union all select 2")
    expect(text).toBe("SELECT 1 LIMIT 100 UNION ALL SELECT 2 LIMIT 100")
    expect(query).toMatchObject({ queries: [{ limit: 100 }, { limit: 100 }] })
  })

  test("writes values for placeholders", () => {
    const { text } = compile("select {a} from events", { values: { a: "it's" } })
    expect(text).toBe("SELECT 'it\\'s' FROM events LIMIT 100")
  })

  test("names and types its columns, with keys that differ", () => {
    const { columns } = compile(
      "select event, properties.key, count(), event, max(timestamp) as m, ['a'], 1 = 1 from events group by 1, 2",
    )
    expect(columns.map(({ name, type }) => [name, typeName(type)])).toEqual([
      ["event", "String"],
      ["properties.key", "Nullable(String)"],
      ["count()", "UInt64"],
      ["event", "String"],
      ["m", expect.stringContaining("DateTime64(6, 'UTC')")],
      ["['a']", "Array(String)"],
      ["1 = 1", "UInt64"],
    ])
    expect(new Set(columns.map(({ key }) => key)).size).toBe(columns.length)
  })

  test("compares a column that is never null plainly", () => {
    expect(compile("select 1 from events where event = 'x'").query).toMatchObject({
      where: { kind: "compare", operator: "=", left: { kind: "column", column: "event" } },
    })
    expect(compile("select 1 from events where properties.a = 'x'").query).toMatchObject({
      where: { kind: "compare", operator: "=", left: { kind: "property", key: "a" } },
    })
  })

  test("joins only what is read", () => {
    const joinsOf = (text: string) => {
      const { query } = compile(text)
      return query.kind === "union" ? [] : (query.joins ?? []).length
    }
    expect(joinsOf("select event, properties.a from events")).toBe(0)
    expect(joinsOf("select person_id from events")).toBe(1)
    expect(joinsOf("select person.properties.a from events")).toBe(2)
  })
})

describe("expressions", () => {
  test("are compiled over the aliases that filters use", () => {
    const compiled = compileExpression("properties.a -- The a", "events", CONTEXT)
    expect(compiled).toMatchObject({
      expr: { kind: "property", table: "e", of: "event", key: "a", as: "text" },
      isAggregate: false,
      text: "properties.a",
      displayName: "The a",
    })
    expect(compileExpression("properties.a", "persons", CONTEXT).expr).toMatchObject({ table: "p" })
    expect(compileExpression("count()", "events", CONTEXT).isAggregate).toBe(true)
  })

  test("over persons read nothing but the person", () => {
    const compile = () => compileExpression("pdi.distinct_id", "persons", CONTEXT)
    expect(compile).toThrow("can only read the person's own fields")
  })

  test("as conditions are true or false", () => {
    expect(compileCondition("properties.flag", "events", CONTEXT).expr).toMatchObject({
      kind: "call",
      name: "coalesce",
    })
    expect(() => compileCondition("event", "events", CONTEXT)).toThrow("must be true or false")
  })

  test("to order by have a direction", () => {
    expect(compileOrder("timestamp desc", "events", CONTEXT)).toMatchObject({ direction: "desc" })
    expect(compileOrder("count()", "events", CONTEXT)).toMatchObject({ direction: "asc" })
  })

  test("that are empty are refused", () => {
    expect(() => compileExpression("  ", "events", CONTEXT)).toThrow("Empty query")
  })
})

test("names of cohorts are found in queries and in expressions", () => {
  expect(listCohortNames("select 1 from events where person_id in cohort 'a'")).toEqual(["a"])
  expect(listCohortNames("person_id not in cohort 'b' and id in cohort 5")).toEqual(["b"])
  expect(listCohortNames("person_id in cohort {c}", { c: "d" })).toEqual(["d"])
  expect(listCohortNames("select nonsense from (")).toEqual([])
})
