/** The worked cases of events and persons, on a real engine, in every layout of properties. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  LAYOUTS,
  openRows,
  PROJECT_ID,
  type SmallStore,
  uuidOf,
} from "../../../test/support/duckdb-rows.ts"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import { column, PERSONS, selectEvents, table } from "../build.ts"
import { compileFilters, type FilterContext } from "./compile.ts"
import { parsePropertyFilters } from "./parse.ts"

const context: Omit<FilterContext, "target"> = {
  project_id: PROJECT_ID,
  now: new Date("2021-12-25T00:00:00Z"),
  timezone: "UTC",
  personsByDistinctId: new Map(),
}

async function eventIndexes(store: SmallStore, filters: unknown): Promise<readonly number[]> {
  const group = parsePropertyFilters(filters)
  const where = compileFilters(group, { ...context, target: "events" })
  const columns = [{ as: "uuid", expr: column("e", "uuid") }]
  const rows = await store.rows(selectEvents(PROJECT_ID, { columns, where }))
  return rows.map(indexOf).sort((a, b) => a - b)
}

async function personIndexes(store: SmallStore, filters: unknown): Promise<readonly number[]> {
  const where = compileFilters(parsePropertyFilters(filters), { ...context, target: "persons" })
  const rows = await store.rows({
    columns: [{ as: "uuid", expr: column(PERSONS, "uuid") }],
    from: table("persons", PERSONS, PROJECT_ID),
    where,
  })
  return rows.map(indexOf).sort((a, b) => a - b)
}

const indexOf = ({ uuid }: Readonly<Record<string, JsonValue>>): number =>
  Number(String(uuid).slice(-12))

const unix = (iso: string): number => Date.parse(iso) / 1000

const P27: readonly JsonObject[] = [
  { email: "test@posthog.com" },
  { email: "mongo@example.com" },
  { attr: "some_val" },
  { attr: "50" },
  { attr: 5 },
  { unix_timestamp: unix("2021-04-01T18:00:00Z") },
  { unix_timestamp: unix("2021-04-01T19:00:00Z") },
  { long_date: "2021-04-01 18:00:00" },
  { long_date: "2021-04-01 19:00:00" },
  { short_date: "2021-04-04" },
  { short_date: "2021-04-06" },
  { sdk_$time: 1639427152.339 },
  { ms: 1641977394339 },
  { rfc: "Wed, 02 Oct 2002 15:00:00 +0200" },
  { iso: "2021-04-01T19:00:00" },
  { dmy: "01-04-2021 19:00:00" },
  { slash: "2021/04/01 19:00:00" },
  { dslash: "01/04/2021 19:00:00" },
  { unix_timestamp: unix("1970-04-01T18:00:00Z") },
  { unix_timestamp: unix("1980-04-01T18:00:00Z") },
  { date_only: "01/04/2021" },
  { date_only: "01/04/2021" },
  { date_only: "02/04/2021" },
  { mixed: "31/03/2021 18:00:00" },
  { mixed: unix("2021-03-31T14:00:00Z") },
  { exact: "2021-03-31 18:12:12.456" },
  { exact: "2021-03-31 23:59:59.012" },
]

const indexes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, offset) => from + offset)

type Case = readonly [key: string, operator: string, value: JsonValue, matches: readonly number[]]

const P27_CASES: readonly Case[] = [
  ["email", "exact", "test@posthog.com", [0]],
  ["email", "exact", ["pineapple@posthog.com", "mongo@example.com"], [1]],
  ["attr", "exact", "5", [4]],
  ["attr", "exact", 5, [4]],
  ["email", "is_not", "test@posthog.com", indexes(1, 26)],
  ["email", "is_not", ["test@posthog.com", "mongo@example.com"], indexes(2, 26)],
  ["email", "regex", ".*est@.*", [0]],
  ["email", "regex", "?.", []],
  ["email", "not_regex", "?.", []],
  ["email", "is_set", "is_set", [0, 1]],
  ["email", "is_not_set", "is_not_set", indexes(2, 26)],
  ["unix_timestamp", "is_date_before", "2021-04-02", [5, 6, 19]],
  ["unix_timestamp", "is_date_after", "2021-03-31", [5, 6]],
  ["long_date", "is_date_before", "2021-04-02", [7, 8]],
  ["long_date", "is_date_after", "2021-03-31", [7, 8]],
  ["long_date", "is_date_before", "2021-04-01 18:30:00", [7]],
  ["long_date", "is_date_after", "2021-04-01 18:30:00", [8]],
  ["short_date", "is_date_before", "2021-04-05", [9]],
  ["short_date", "is_date_after", "2021-04-05", [10]],
  ["short_date", "is_date_before", "2021-04-07", [9, 10]],
  ["short_date", "is_date_after", "2021-04-03", [9, 10]],
  ["sdk_$time", "is_date_before", "2021-12-25", [11]],
  ["sdk_$time", "is_date_after", "-14d", [11]],
  ["sdk_$time", "is_date_before", "-14d", []],
  ["ms", "is_date_after", "2022-01-11", [12]],
  ["ms", "is_date_before", "2022-01-13", [12]],
  ["ms", "is_date_exact", "2022-01-12T08:49:54Z", [12]],
  ["rfc", "is_date_exact", "2002-10-02 13:00:00", [13]],
  ["rfc", "is_date_before", "2002-10-02 14:00:00", [13]],
  ["iso", "is_date_before", "2021-04-01 20:00:00", [14]],
  ["iso", "is_date_after", "2021-04-01 18:00:00", [14]],
  ["dmy", "is_date_before", "2021-04-01 20:00:00", [15]],
  ["dmy", "is_date_after", "2021-04-01 18:00:00", [15]],
  ["slash", "is_date_before", "2021-04-01 20:00:00", [16]],
  ["slash", "is_date_after", "2021-04-01 18:00:00", [16]],
  ["dslash", "is_date_before", "2021-04-01 20:00:00", [17]],
  ["dslash", "is_date_after", "2021-04-01 18:00:00", [17]],
  ["date_only", "is_date_exact", "2021-04-01", [20, 21]],
  ["date_only", "is_date_after", "2021-04-01", [22]],
  ["date_only", "is_date_before", "2021-04-02", [20, 21]],
  ["mixed", "is_date_before", "2021-03-31 17:00:00", [24]],
  ["mixed", "is_date_exact", "2021-03-31", [23, 24]],
  ["exact", "is_date_after", "2021-03-31", []],
  ["exact", "is_date_exact", "2021-03-31 18:12:12", [25]],
]

describe.each(LAYOUTS)("the fixture P27 in layout %s", (layout) => {
  let store: SmallStore
  beforeAll(async () => {
    const events = P27.map((properties, index) => ({ uuid: uuidOf(index), properties }))
    store = await openRows({ events }, layout)
  })
  afterAll(() => store[Symbol.asyncDispose]())

  test.each(P27_CASES)("%s %s %j matches %j", async (key, operator, value, matches) => {
    expect(await eventIndexes(store, [{ key, operator, value }])).toEqual(matches)
  })

  test("the old form reads the operator after two underscores", async () => {
    expect(await eventIndexes(store, { email__is_not: "test@posthog.com", attr: "5" })).toEqual([4])
  })
})

const URL = "https://whatever.com"

const TEST_PROP: readonly JsonValue[] = ["0", "2", 2, "string"]

describe.each(LAYOUTS)("events with test_prop in layout %s", (layout) => {
  test.each<Case>([
    ["test_prop", "exact", "2", [1, 2]],
    ["test_prop", "exact", 2, [1, 2]],
    ["test_prop", "gt", 1, [1, 2]],
    ["test_prop", "lt", 3, [0, 1, 2]],
    ["test_prop", "gte", "2", [1, 2]],
    ["test_prop", "min", 2, [1, 2]],
    ["test_prop", "max", 0, [0]],
    ["test_prop", "lt", "string", []],
    ["test_prop", "between", [1, 2], [1, 2]],
    ["test_prop", "not_between", [1, 2], [0, 3, 4]],
    ["test_prop", "is_set", null, [0, 1, 2, 3]],
  ])("%s %s %j matches %j", async (key, operator, value, matches) => {
    const properties = [...TEST_PROP.map((test_prop) => ({ test_prop })), { test_prop: null }]
    const events = properties.map((each, index) => ({ uuid: uuidOf(index), properties: each }))
    await using store = await openRows({ events }, layout)
    expect(await eventIndexes(store, [{ key, operator, value }])).toEqual(matches)
  })
})

describe("persons", () => {
  test.each<readonly [persons: readonly JsonObject[], ...Case]>([
    [[{ url: URL }, { url: 1 }, { url: { bla: "bla" } }, {}], "url", "exact", URL, [0]],
    [[{ url: URL }, { url: 1 }, { url: { bla: "bla" } }, {}], "url", "exact", { bla: "bla" }, [2]],
    [[{ url: URL }, { url: 1 }, { url: { bla: "bla" } }, {}], "url", "exact", "1", [1]],
    [
      [{ url: URL }, { url: "https://example.com" }, {}],
      "url",
      "exact",
      [URL, "https://example.com"],
      [0, 1],
    ],
    [[{ url: URL }, {}], "url", "regex", "\\.com$", [0]],
    [[{ url: URL }, {}], "url", "not_regex", "\\.eee$", [0, 1]],
    [[{ url: URL }, {}], "url", "regex", "?*", []],
    [[{ url: URL }, {}], "url", "not_regex", "?*", []],
    [[{ url: URL }, {}], "url", "regex", "\\p{Greek}|\\.com", [0]],
    [[{ url: URL }, {}], "url", "not_regex", "\\p{Greek}", [0, 1]],
    [[{ url: URL }, {}], "url", "not_regex", "\\p{Klingon}", []],
    [[{ url: URL }, {}], "url", "regex", "((a{500}){500}){500}", []],
    [[{ url: URL }, {}], "url", "is_not", URL, [1]],
    [
      [{ url: URL }, { url: "https://example.com" }, {}, { url: null }],
      "url",
      "not_icontains",
      "whatever.com",
      [1, 2, 3],
    ],
    [[{ email: "a@b.c" }, { email: 5 }, {}], "email", "exact", ["a@b.c", "5"], [0, 1]],
  ])("of %j by %s %s %j are %j", async (persons, key, operator, value, matches) => {
    const rows = persons.map((properties, index) => ({ uuid: uuidOf(index), properties }))
    await using store = await openRows({ persons: rows })
    expect(await personIndexes(store, [{ key, operator, value, type: "person" }])).toEqual(matches)
  })
})
