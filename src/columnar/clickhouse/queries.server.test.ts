/** Every shape of query answers on ClickHouse as on DuckDB. */
import { afterAll, beforeAll, expect, test } from "vitest"
import { databaseOf, dropDatabase, openEngine } from "../../../test/support/columnar-engine.ts"
import {
  aggregate,
  aggregateIf,
  amongTexts,
  and,
  asc,
  boolean,
  call,
  column,
  desc,
  EVENTS,
  eq,
  eventsWithPersons,
  gt,
  gte,
  isNull,
  lt,
  not,
  number,
  or,
  orFalse,
  personOfEvent,
  properties,
  property,
  table,
  text,
  timestamp,
  uuid,
} from "../../query/build.ts"
import type { Expr, Query, Select, Value } from "../../query/tree.ts"
import {
  append,
  eventOf,
  LIMITS,
  openEngine as openDuck,
  openFolder,
  personOf,
  uuidOf,
} from "../duckdb/testing.ts"
import type { ColumnarEngine } from "../engine.ts"

const events = table("events", EVENTS, 1)
const at = (name: string) => column(EVENTS, name)
const of = (key: string, as: "text" | "number" | "boolean" | "json" = "text") =>
  property({ table: EVENTS, of: "event", key }, as)
const select = (columns: Readonly<Record<string, Expr>>, more: Partial<Select> = {}): Select => ({
  columns: Object.entries(columns).map(([as, expr]) => ({ as, expr })),
  from: events,
  ...more,
})
const id = call("substring", call("plainText", at("uuid")), number(35), number(2))
const inOrder = { orderBy: [asc(at("uuid"))] }
const NULL: Expr = { kind: "value", value: { type: "null" } }
const sub = (query: Query, alias = "q") => ({ kind: "subquery", query, alias }) as const
const plus = (left: Expr, right: Expr): Expr => ({ kind: "arithmetic", operator: "+", left, right })
const over = (
  expr: Extract<Expr, { kind: "window" }>["of"],
  more: Partial<Extract<Expr, { kind: "window" }>> = {},
): Expr => ({ kind: "window", of: expr, partitionBy: [], orderBy: [asc(at("uuid"))], ...more })
const windowCall = (
  name:
    | "row_number"
    | "rank"
    | "dense_rank"
    | "lag"
    | "lead"
    | "first_value"
    | "last_value"
    | "nth_value",
  ...args: Expr[]
) => ({ kind: "windowCall", name, args }) as const
const total = column("q", "n")
const perEvent = select({ event: at("event"), n: aggregate("count") }, { groupBy: [at("event")] })
const X: Expr = { kind: "parameter", name: "x" }

const CASES: Readonly<Record<string, Query>> = {
  "forms of properties": select(
    {
      id,
      text: of("v"),
      number: of("v", "number"),
      boolean: of("v", "boolean"),
      json: of("v", "json"),
      all: properties(EVENTS, "event"),
    },
    inOrder,
  ),
  "conditions as values": select(
    {
      id,
      same: eq(of("k"), text("a")),
      more: gt(of("n", "number"), number(2)),
      among: amongTexts(of("k"), ["a", "c"]),
      none: amongTexts(of("k"), []),
      missing: isNull(of("k")),
      both: and(eq(of("k"), text("a")), gt(of("n", "number"), number(2))),
      either: or(eq(of("k"), text("a")), gt(of("n", "number"), number(2))),
      not: not(eq(of("k"), text("a"))),
      sure: orFalse(eq(of("k"), text("a"))),
      flag: boolean(true),
      always: and(),
      never: or(),
    },
    inOrder,
  ),
  "lists with null": select(
    {
      id,
      found: {
        kind: "in",
        operand: of("k"),
        values: [{ type: "text", value: "a" }, { type: "null" }] as Value[],
      },
    },
    inOrder,
  ),
  "queries in conditions": select(
    {
      id,
      found: {
        kind: "inQuery",
        operand: of("k"),
        query: select({ k: of("k") }, { where: eq(of("k"), text("a")) }),
      },
      withNull: {
        kind: "inQuery",
        operand: of("k"),
        query: select({ k: of("k") }, { where: or(isNull(of("k")), eq(of("k"), text("a"))) }),
      },
      ofUnion: {
        kind: "inQuery",
        operand: of("k"),
        query: { kind: "union", queries: [select({ k: text("a") }), select({ k: text("b") })] },
      },
    },
    inOrder,
  ),
  aggregates: select({
    rows: aggregate("count"),
    set: aggregate("count", of("k")),
    different: aggregate("countDistinct", of("k")),
    persons: aggregate("countDistinct", at("person_id")),
    min: aggregate("min", of("n", "number")),
    max: aggregate("max", of("k")),
    sum: aggregate("sum", of("n", "number")),
    avg: aggregate("avg", of("n", "number")),
    first: aggregate("min", at("timestamp")),
    median: { ...aggregate("quantile", of("n", "number")), params: [0.5] },
    p90: { ...aggregate("quantile", of("n", "number")), params: [0.9] },
    early: aggregate("argMin", of("k"), at("timestamp")),
    late: aggregate("argMax", of("k"), at("timestamp")),
    some: aggregateIf(aggregate("count"), eq(of("k"), text("a"))),
    sumSome: aggregateIf(aggregate("sum", of("n", "number")), eq(of("k"), text("a"))),
    stddev: aggregate("stddevPop", of("n", "number")),
    sample: aggregate("varSamp", of("n", "number")),
    covar: aggregate("covarPop", of("n", "number"), of("n", "number")),
    corr: aggregate("corr", of("n", "number"), of("n", "number")),
    slope: aggregate("regressionSlope", of("n", "number"), of("n", "number")),
    ofFlags: aggregate("max", eq(of("k"), text("a"))),
    bits: aggregate("bitOrOf", call("toInteger", of("n", "number"))),
    distinctSum: { ...aggregate("sum", of("n", "number")), distinct: true },
  }),
  "aggregates of nothing": select(
    {
      rows: aggregate("count"),
      sum: aggregate("sum", of("n", "number")),
      avg: aggregate("avg", of("n", "number")),
      min: aggregate("min", at("timestamp")),
      any: aggregate("any", at("event")),
      list: aggregate("groupArray", at("event")),
      median: { ...aggregate("quantile", of("n", "number")), params: [0.5] },
      stddev: aggregate("stddevSamp", of("n", "number")),
      late: aggregate("argMax", at("event"), at("timestamp")),
      different: aggregate("countDistinct", at("event")),
    },
    { where: boolean(false) },
  ),
  "gathered arrays": select({
    sorted: { ...aggregate("groupArray", of("k")), orderBy: [asc(at("uuid"))] },
    turned: {
      ...aggregate("groupArray", of("k")),
      orderBy: [desc(of("n", "number")), asc(at("uuid"))],
    },
    nullsFirst: {
      ...aggregate("groupArray", at("event")),
      orderBy: [{ expr: of("n", "number"), direction: "asc", nulls: "first" }, desc(at("uuid"))],
    },
    some: {
      ...aggregateIf(aggregate("groupArray", of("k")), gt(of("n", "number"), number(1))),
      orderBy: [asc(at("uuid"))],
    },
    different: call("arraySort", aggregate("groupUniqArray", of("k"))),
  }),
  groups: select(
    {
      k: of("k"),
      n: aggregate("count"),
      half: { kind: "arithmetic", operator: "/", left: aggregate("count"), right: number(2) },
    },
    {
      groupBy: [of("k")],
      having: gt(aggregate("count"), number(0)),
      orderBy: [{ expr: of("k"), direction: "desc", nulls: "first" }],
      limit: 2,
      offset: 1,
    },
  ),
  "numbers of both kinds": select(
    {
      id,
      chosen: {
        kind: "case",
        branches: [{ when: eq(of("k"), text("a")), result: of("n", "number") }],
        otherwise: number(0),
      },
      orCount: call("coalesce", of("n", "number"), at("project_id")),
      most: call("greatest", of("n", "number"), number(3)),
      divided: { kind: "arithmetic", operator: "/", left: number(1), right: of("n", "number") },
      byNothing: { kind: "arithmetic", operator: "/", left: number(1), right: number(0) },
      rest: { kind: "arithmetic", operator: "%", left: number(7), right: number(0) },
      negative: { kind: "arithmetic", operator: "%", left: number(-7), right: number(3) },
    },
    inOrder,
  ),
  "mixed with counts": select(
    {
      n: call("coalesce", column("q", "n"), number(0.5)),
      other: {
        kind: "case",
        branches: [{ when: gt(total, number(1)), result: total }],
        otherwise: number(0.5),
      },
    },
    { from: sub(perEvent), orderBy: [asc(column("q", "event"))] },
  ),
  unions: {
    kind: "union",
    queries: [
      select({ k: of("k"), n: number(1) }, { orderBy: [asc(at("uuid"))], limit: 1 }),
      select({ other: text("z"), m: number(2) }, { limit: 1 }),
    ],
  },
  "named queries": select(
    {
      e: column("c", "event"),
      n: column("c", "n"),
      all: {
        kind: "scalarQuery",
        query: {
          columns: [{ as: "s", expr: aggregate("sum", column("d", "n")) }],
          from: { kind: "cte", name: "per", alias: "d" },
        },
      },
    },
    {
      ctes: [{ name: "per", query: perEvent }],
      from: { kind: "cte", name: "per", alias: "c" },
      orderBy: [asc(column("c", "event"))],
    },
  ),
  "a name for several things": select(
    { e: at("event"), event: id, uuid: text("x") },
    { where: eq(at("event"), text("view")), orderBy: [asc(at("uuid"))] },
  ),
  "persons of events": select(
    {
      id,
      person: personOfEvent,
      email: property({ table: "p", of: "person", key: "email" }),
      identified: column("p", "is_identified"),
      all: properties("p", "person"),
      none: isNull(column("p", "uuid")),
    },
    { ...eventsWithPersons(1), ...inOrder },
  ),
  "joins of every kind": {
    kind: "union",
    queries: (["left", "inner", "right", "full"] as const).map((kind) =>
      select(
        { kind: text(kind), a: column("a", "k"), b: column("b", "event") },
        {
          from: sub(select({ k: of("k"), event: at("event") }), "a"),
          joins: [
            {
              kind,
              source: sub(perEvent, "b"),
              on: and(
                eq(column("a", "event"), column("b", "event")),
                gt(column("b", "n"), number(1)),
              ),
            },
          ],
          orderBy: [asc(column("a", "k")), asc(column("b", "event"))],
        },
      ),
    ),
  },
  "joins without equal keys": {
    kind: "union",
    queries: (["left", "inner", "right", "full"] as const).map((kind) =>
      select(
        { kind: text(kind), a: column("a", "number"), b: column("b", "number") },
        {
          from: { kind: "numbers", start: 1, count: 3, alias: "a" },
          joins: [
            {
              kind,
              source: { kind: "numbers", start: 2, count: 3, alias: "b" },
              on: gt(column("a", "number"), column("b", "number")),
            },
          ],
          orderBy: [asc(column("a", "number")), asc(column("b", "number"))],
        },
      ),
    ),
  },
  "tables without equal keys": select(
    { n: aggregate("count"), m: aggregate("count", column("p", "uuid")) },
    {
      joins: [
        {
          kind: "left",
          source: table("persons", "p", 1),
          on: lt(column("p", "created_at"), at("timestamp")),
        },
      ],
    },
  ),
  crossed: select(
    { a: column("a", "number"), b: column("b", "number") },
    {
      from: { kind: "numbers", start: -1, count: 2, alias: "a" },
      joins: [{ kind: "cross", source: { kind: "numbers", start: 0, count: 2, alias: "b" } }],
      orderBy: [asc(column("a", "number")), asc(column("b", "number"))],
    },
  ),
  closest: {
    kind: "union",
    queries: (["<", "<=", ">", ">="] as const).flatMap((operator) =>
      (["closest", "leftClosest"] as const).map((kind) =>
        select(
          {
            operator: text(operator),
            kind: text(kind),
            id: call("plainText", at("uuid")),
            other: call("plainText", column("b", "uuid")),
          },
          {
            joins: [
              {
                kind,
                source: sub(
                  select({ uuid: at("uuid"), event: at("event"), time: at("timestamp") }),
                  "b",
                ),
                keys: [{ left: at("event"), right: column("b", "event") }],
                theirs: column("b", "time"),
                operator,
                ours: at("timestamp"),
              },
            ],
            orderBy: [asc(at("uuid"))],
          },
        ),
      ),
    ),
  },
  "closest without keys": select(
    { a: column("a", "number"), b: column("b", "number") },
    {
      from: { kind: "numbers", start: 1, count: 3, alias: "a" },
      joins: [
        {
          kind: "leftClosest",
          source: { kind: "numbers", start: 2, count: 1, alias: "b" },
          keys: [],
          theirs: column("b", "number"),
          operator: "<=",
          ours: column("a", "number"),
        },
      ],
      orderBy: [asc(column("a", "number"))],
    },
  ),
  "arrays as rows": {
    kind: "union",
    queries: (["arrays", "leftArrays"] as const).map((kind) =>
      select(
        { kind: text(kind), id, part: column("x", "part"), place: column("x", "place") },
        {
          joins: [
            {
              kind,
              alias: "x",
              items: [
                {
                  as: "part",
                  expr: call("split", call("coalesce", of("list"), text("")), text(",")),
                },
                { as: "place", expr: call("range", number(1), number(3), number(1)) },
              ],
            },
          ],
          orderBy: [asc(at("uuid")), asc(column("x", "place")), asc(column("x", "part"))],
        },
      ),
    ),
  },
  windows: select(
    {
      id,
      row: over(windowCall("row_number")),
      rank: over(windowCall("rank"), { orderBy: [asc(at("event"))] }),
      dense: over(windowCall("dense_rank"), { orderBy: [desc(at("event"))] }),
      before: over(windowCall("lag", of("n", "number"))),
      twoBefore: over(windowCall("lag", at("event"), number(2), text("none"))),
      after: over(windowCall("lead", at("timestamp"))),
      first: over(windowCall("first_value", of("k"))),
      last: over(windowCall("last_value", of("k"))),
      second: over(windowCall("nth_value", at("event"), number(2))),
      running: over(aggregate("sum", of("n", "number"))),
      count: over(aggregate("count"), { partitionBy: [at("event")] }),
      framed: over(aggregate("count", of("n", "number")), {
        frame: {
          unit: "rows",
          start: { kind: "preceding", count: 1 },
          end: { kind: "following", count: 1 },
        },
      }),
      ofEvent: over(windowCall("row_number"), {
        partitionBy: [at("event")],
        orderBy: [desc(at("timestamp")), asc(at("uuid"))],
      }),
    },
    inOrder,
  ),
  "so many of each": select(
    { e: at("event"), id },
    {
      orderBy: [asc(at("event")), desc(at("uuid"))],
      limitBy: { count: 1, offset: 1, by: [at("event")] },
      limit: 5,
    },
  ),
  distinct: select({ e: at("event") }, { distinct: true, orderBy: [asc(at("event"))] }),
  "tuples and lambdas": select(
    {
      id,
      second: {
        kind: "tupleItem",
        tuple: { kind: "tuple", items: [at("event"), of("n", "number")] },
        index: 2,
      },
      mapped: call(
        "arrayMap",
        {
          kind: "lambda",
          parameters: ["x"],
          body: plus(X, call("coalesce", of("n", "number"), number(0))),
        },
        { kind: "array", items: [number(1), number(2.5)] },
      ),
      texts: { kind: "array", items: [at("event"), of("k"), NULL] },
    },
    inOrder,
  ),
  "without a source": {
    columns: [
      { as: "one", expr: number(1) },
      { as: "at", expr: timestamp("2026-01-02 03:04:05.5") },
      { as: "u", expr: uuid(uuidOf(7)) },
      { as: "day", expr: { kind: "value", value: { type: "date", value: "2026-01-02" } } },
    ],
  },
  "order of all sorts": select(
    { id, n: of("n", "number") },
    {
      orderBy: [
        { expr: of("n", "number"), direction: "desc", nulls: "first" },
        desc(gte(of("n", "number"), number(2))),
        asc(at("uuid")),
      ],
    },
  ),
  "strange texts": select(
    {
      id,
      back: text("'\\ \"{p1:String}\u0000\n\t🦔%_"),
      same: eq(of("odd"), text("'\\ \"{p1:String}\u0000\n\t🦔%_")),
    },
    inOrder,
  ),
}

let duck: ColumnarEngine
let house: ColumnarEngine
let place: Awaited<ReturnType<typeof openFolder>>

const DATA = [
  { k: "a", n: 1, v: "x", list: "p,q,r" },
  { k: "a", n: 5, v: 12, list: "p" },
  { k: "b", n: 3, v: -2.5, odd: "'\\ \"{p1:String}\u0000\n\t🦔%_" },
  { v: true },
  { k: "c", n: 3, v: null },
  { k: null, n: null, v: { a: [1, "ü"], "b/c": null } },
  { k: "", n: "7", v: "" },
  { v: "true", n: 0 },
]

beforeAll(async () => {
  place = await openFolder()
  duck = await openDuck(place.folder)
  house = await openEngine(place.folder)
  const rows = {
    events: DATA.map((data, index) =>
      eventOf(index + 1, {
        properties: data,
        event: ["view", "click", "view"][index % 3] ?? "",
        person_id: uuidOf(900 + (index % 4)),
        timestamp: `2026-01-0${1 + (index % 5)} 03:04:05.${String(index).padStart(6, "0")}`,
      }),
    ).concat(eventOf(99, { project_id: 2 })),
    persons: [
      personOf(901, { is_identified: true, properties: { email: "a@example.com", n: 1.5 } }),
      personOf(902),
    ],
    overrides: [{ project_id: 1, old_person_id: uuidOf(903), person_id: uuidOf(901) }],
  }
  for (const engine of [duck, house]) await append(engine, 1, rows)
})

afterAll(async () => {
  await house.close()
  await duck.close()
  await dropDatabase(databaseOf(place.folder))
  await place[Symbol.asyncDispose]()
})

const DIGITS = 12

function rounded(value: unknown): unknown {
  if (typeof value === "number") return Number(value.toPrecision(DIGITS))
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value === "string" && value.startsWith("{")) return sortKeys(JSON.parse(value))
  return value
}

const sortKeys = (value: unknown): unknown => {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Rows of a union come in any order of its queries. */
const inText = (rows: readonly object[]) =>
  rows.map((row) =>
    JSON.stringify(
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, rounded(value)])),
    ),
  )

test.each(Object.entries(CASES))("%s", async (_name, query) => {
  const expected = inText(await duck.rows(query, LIMITS))
  const found = inText(await house.rows(query, LIMITS))
  expect(expected.length).toBeGreaterThan(0)
  if (query.kind === "union") expect(found.toSorted()).toEqual(expected.toSorted())
  else expect(found).toEqual(expected)
})
