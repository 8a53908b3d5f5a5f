import { describe, expect, test } from "vitest"
import { LAYOUTS, openRows, PROJECT_ID, uuidOf } from "../../../test/support/duckdb-rows.ts"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import {
  aggregate,
  amongTexts,
  and,
  asc,
  boolean,
  column,
  desc,
  EVENTS,
  eq,
  eventsWithPersons,
  gt,
  isNull,
  number,
  or,
  personOfEvent,
  properties,
  property,
  table,
  text,
  timestamp,
  uuid,
} from "../../query/build.ts"
import type { Expr, PropertyForm, Select } from "../../query/tree.ts"
import { printSelect } from "./printer.ts"

const nothingPromoted = { find: () => [], list: () => [], isComplete: () => false }
const events = table("events", EVENTS, PROJECT_ID)
const of = (key: string, as: PropertyForm = "text") =>
  property({ table: EVENTS, of: "event", key }, as)
const select = (columns: Readonly<Record<string, Expr>>, more: Partial<Select> = {}): Select => ({
  columns: Object.entries(columns).map(([as, expr]) => ({ as, expr })),
  from: events,
  ...more,
})
const eventsOf = (list: readonly JsonObject[]) =>
  list.map((each, index) => ({ uuid: uuidOf(index), properties: each }))

describe("the text", () => {
  test("binds every value once, quotes every name and guards every table", () => {
    const query = select(
      { plan: of("plan"), people: aggregate("countDistinct", personOfEvent) },
      {
        ...eventsWithPersons(7),
        where: and(eq(column("e", "event"), text("plan")), gt(number(2), of("plan", "number"))),
        groupBy: [of("plan")],
        orderBy: [desc(aggregate("count"))],
        limit: 10,
      },
    )
    const catalogue = {
      list: () => [],
      find: (key: string) => [{ key, type: "text", column: "p_1" } as const],
      isComplete: () => false,
    }
    expect(printSelect(query, catalogue)).toMatchInlineSnapshot(`
      {
        "params": [
          "/plan",
          7,
          "plan",
          2,
          10,
        ],
        "sql": "SELECT COALESCE("e"."p_1", json_extract_string("e"."properties", $1)) AS "plan", count(DISTINCT COALESCE("o"."person_id", "e"."person_id")) AS "people" FROM "events" AS "e" LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $2 AND ("o"."old_person_id" = "e"."person_id") LEFT JOIN "persons" AS "p" ON "p"."project_id" = $2 AND ("p"."uuid" = COALESCE("o"."person_id", "e"."person_id")) WHERE "e"."project_id" = $2 AND (("e"."event" = $3) AND (CAST($4 AS BIGINT) > COALESCE(TRY_CAST(translate("e"."p_1", '_nN', 'xxx') AS DOUBLE), TRY_CAST(translate(json_extract_string("e"."properties", $1), '_nN', 'xxx') AS DOUBLE)))) GROUP BY COALESCE("e"."p_1", json_extract_string("e"."properties", $1)) ORDER BY count(*) DESC NULLS LAST LIMIT $5",
      }
    `)
  })

  test("has a guard in every query inside", () => {
    const inner = select({ id: column("o", "person_id") }, { from: table("overrides", "o", 8) })
    const query = select(
      { uuid: column("e", "uuid") },
      {
        ctes: [{ name: "c", query: inner }],
        from: { kind: "subquery", alias: "e", query: select({ uuid: column("e", "uuid") }) },
        joins: [
          { kind: "inner", source: { kind: "cte", name: "c", alias: "c" }, on: boolean(true) },
        ],
        where: { kind: "inQuery", operand: column("c", "id"), query: inner },
      },
    )
    const { sql, params } = printSelect(query, nothingPromoted)
    expect(sql.match(/"project_id" = \$\d/g)).toHaveLength(3)
    expect([...params].sort()).toEqual([1, 8, true])
  })

  test.each<readonly [string, Select]>([
    ["no source", select({ x: column("p", "uuid") })],
    ["no column", select({ x: column("e", "properties") })],
    ["no column", select({ x: column("e", 'x" OR 1=1 --') })],
    ["no person properties", select({ x: property({ table: "e", of: "person", key: "a" }) })],
    ["no named query", select({}, { from: { kind: "cte", name: "x", alias: "x" } })],
    ["same alias", select({}, { joins: [{ kind: "left", source: events, on: boolean(true) }] })],
    ["is no project", select({}, { from: table("events", "e", Number.NaN) })],
    ["no count of rows", select({}, { limit: -1 })],
    ["can not be bound", select({ x: number(Number.POSITIVE_INFINITY) })],
    ["takes 1 arguments, not 0", select({ x: aggregate("max") })],
  ])("is refused when there is %s", (reason, query) => {
    expect(() => printSelect(query, nothingPromoted)).toThrow(reason)
  })
})

describe("the guard", () => {
  test("hides other projects' rows on both sides of a left join", async () => {
    await using store = await openRows({
      events: [
        { uuid: uuidOf(0), person_id: uuidOf(9) },
        { uuid: uuidOf(1), person_id: uuidOf(9), project_id: 2 },
      ],
      persons: [{ uuid: uuidOf(9), properties: { secret: "x" } }],
    })
    const secret = property({ table: "p", of: "person", key: "secret" })
    const rows = (project: number) =>
      store.rows(select({ uuid: column("e", "uuid"), secret }, eventsWithPersons(project)))
    expect(await rows(1)).toEqual([{ uuid: uuidOf(0), secret: "x" }])
    expect(await rows(2)).toEqual([{ uuid: uuidOf(1), secret: null }])
  })

  test("stands whatever the condition says", async () => {
    await using store = await openRows({ events: [{ uuid: uuidOf(1), project_id: 2 }] })
    const where = or(boolean(true), boolean(true))
    expect(await store.rows(select({ uuid: column("e", "uuid") }, { where }))).toEqual([])
  })
})

const NASTY_KEYS = [
  "",
  "a.b",
  "$a",
  "$",
  "*",
  "a b",
  '"',
  "'",
  "\\",
  "a/b",
  "~1",
  "~0/~",
  "__proto__",
  "ключ🦔",
  "[0]",
  "0",
  "-1",
  "p_1",
  "'; DROP TABLE events; --",
  "a\u0001b",
]

describe.each(LAYOUTS)("properties in layout %s", (layout) => {
  test("are found under any key, and only there", async () => {
    const list = NASTY_KEYS.map((key) => JSON.parse(`{${JSON.stringify(key)}: "hit"}`))
    await using store = await openRows({ events: eventsOf(list) }, layout)
    for (const [index, key] of NASTY_KEYS.entries()) {
      const where = eq(of(key), text("hit"))
      const rows = await store.rows(select({ uuid: column("e", "uuid") }, { where }))
      expect([key, rows]).toEqual([key, [{ uuid: uuidOf(index) }]])
    }
  })

  test.each<readonly [JsonValue, Readonly<Record<PropertyForm, JsonValue>>]>([
    ["x", { text: "x", number: null, boolean: null, json: '"x"' }],
    ["12", { text: "12", number: 12, boolean: null, json: '"12"' }],
    ["true", { text: "true", number: null, boolean: true, json: '"true"' }],
    ["", { text: "", number: null, boolean: null, json: '""' }],
    ["null", { text: "null", number: null, boolean: null, json: '"null"' }],
    [2, { text: "2", number: 2, boolean: null, json: "2" }],
    [-2.5, { text: "-2.5", number: -2.5, boolean: null, json: "-2.5" }],
    [
      1639427152.339,
      { text: "1639427152.339", number: 1639427152.339, boolean: null, json: "1639427152.339" },
    ],
    [
      1641977394339,
      { text: "1641977394339", number: 1641977394339, boolean: null, json: "1641977394339" },
    ],
    [false, { text: "false", number: null, boolean: false, json: "false" }],
    [null, { text: null, number: null, boolean: null, json: "null" }],
    [
      { a: [1, "ü"] },
      { text: '{"a":[1,"ü"]}', number: null, boolean: null, json: '{"a":[1,"ü"]}' },
    ],
  ])("%j has the forms %j", async (value, forms) => {
    await using store = await openRows({ events: eventsOf([{ v: value }]) }, layout)
    const columns = {
      text: of("v", "text"),
      number: of("v", "number"),
      boolean: of("v", "boolean"),
      json: of("v", "json"),
    }
    expect(await store.rows(select(columns))).toEqual([forms])
  })

  test("that are missing are null in every form", async () => {
    await using store = await openRows({ events: eventsOf([{}, { v: 1 }, { v: "x" }]) }, layout)
    const query = select(
      { text: of("v"), json: of("v", "json") },
      { where: eq(column("e", "uuid"), uuid(uuidOf(0))) },
    )
    expect(await store.rows(query)).toEqual([{ text: null, json: null }])
  })

  test("come back whole as they came", async () => {
    const list: readonly JsonObject[] = [{ a: "x", b: [1, { c: null }], n: 1.5, t: true }, {}]
    await using store = await openRows({ events: eventsOf(list) }, layout)
    const rows = await store.rows(
      select({ all: properties("e", "event") }, { orderBy: [asc(column("e", "uuid"))] }),
    )
    expect(rows.map(({ all }) => JSON.parse(String(all)))).toEqual(list)
  })
})

describe("queries", () => {
  const list = [{ k: "a", n: 1 }, { k: "a", n: 5 }, { k: "b", n: 3 }, {}]

  test.each<readonly [string, Select, readonly JsonObject[]]>([
    [
      "group, have, order and page",
      select(
        { k: of("k"), n: aggregate("count"), top: aggregate("max", of("n", "number")) },
        {
          groupBy: [of("k")],
          having: gt(aggregate("count"), number(0)),
          orderBy: [{ expr: of("k"), direction: "desc", nulls: "first" }],
          limit: 2,
          offset: 1,
        },
      ),
      [
        { k: "b", n: "1", top: 3 },
        { k: "a", n: "2", top: 5 },
      ],
    ],
    [
      "count what is there",
      select({
        rows: aggregate("count"),
        set: aggregate("count", of("k")),
        different: aggregate("countDistinct", of("k")),
        least: aggregate("min", of("n", "number")),
      }),
      [{ rows: "4", set: "3", different: "2", least: 1 }],
    ],
    [
      "read named queries and queries inside",
      select(
        {
          k: column("q", "k"),
          twice: { kind: "arithmetic", operator: "*", left: column("c", "n"), right: number(2) },
        },
        {
          ctes: [{ name: 'odd "name"', query: select({ k: of("k"), n: of("n", "number") }) }],
          from: { kind: "cte", name: 'odd "name"', alias: "c" },
          joins: [
            {
              kind: "inner",
              source: {
                kind: "subquery",
                alias: "q",
                query: select({ k: of("k") }, { distinct: true }),
              },
              on: eq(column("q", "k"), column("c", "k")),
            },
          ],
          where: amongTexts(column("q", "k"), ["b", "it's"]),
        },
      ),
      [{ k: "b", twice: 6 }],
    ],
    [
      "choose by case",
      select(
        {
          v: {
            kind: "case",
            branches: [{ when: isNull(of("k")), result: text("none") }],
            otherwise: of("k"),
          },
        },
        { orderBy: [asc(of("n", "number"))], limit: 9 },
      ),
      [{ v: "a" }, { v: "b" }, { v: "a" }, { v: "none" }],
    ],
    [
      "take a value for several types at once",
      select(
        { n: aggregate("count") },
        {
          where: and(
            eq(of("n", "number"), number(1)),
            gt(column("e", "timestamp"), timestamp("2025-12-31 23:59:59.999999")),
            amongTexts(of("k"), ["a"]),
          ),
          limit: 1,
        },
      ),
      [{ n: "1" }],
    ],
    [
      "find nothing among nothing",
      select({ x: column("e", "uuid") }, { where: amongTexts(of("k"), []) }),
      [],
    ],
  ])("%s", async (_what, query, expected) => {
    await using store = await openRows({ events: eventsOf(list) }, "columns")
    expect(await store.rows(query)).toEqual(expected)
  })
})
