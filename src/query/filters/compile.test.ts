/** Rules beyond the worked cases: operators, types of filters, and what is refused. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  LAYOUTS,
  openRows,
  PROJECT_ID,
  type SmallRows,
  type SmallStore,
  uuidOf,
} from "../../../test/support/duckdb-rows.ts"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import { column, eventsReading, PERSONS, table } from "../build.ts"
import { compileFilters, type FilterContext, listDistinctIdKeys } from "./compile.ts"
import { parsePropertyFilters } from "./parse.ts"

const context: FilterContext = {
  project_id: PROJECT_ID,
  target: "events",
  now: new Date("2026-03-10T12:00:00Z"),
  timezone: "UTC",
  personsByDistinctId: new Map(),
}

interface Question {
  readonly filters: unknown
  readonly context?: Partial<FilterContext>
}

async function listMatches(store: SmallStore, { filters, context: more }: Question) {
  const group = parsePropertyFilters(filters)
  const where = compileFilters(group, { ...context, ...more })
  const isPersons = more?.target === "persons"
  const alias = isPersons ? PERSONS : "e"
  const source = isPersons
    ? { from: table("persons", PERSONS, PROJECT_ID) }
    : eventsReading(PROJECT_ID, [where])
  const found = await store.rows({
    columns: [{ as: "uuid", expr: column(alias, "uuid") }],
    ...source,
    where,
  })
  return found.map(({ uuid }) => Number(String(uuid).slice(-12))).sort((a, b) => a - b)
}

const eventsOf = (values: readonly JsonValue[]): SmallRows => ({
  events: values.map((v, index) => ({
    uuid: uuidOf(index),
    properties: v === undefined ? {} : { v },
  })),
})

type OperatorCase = readonly [
  operator: string,
  value: JsonValue,
  values: readonly JsonValue[],
  matches: readonly number[],
]

const VERSIONS = ["1.2.3", "v1.10.0", "1.2", "2.0.0-beta.2", "2.0.0-beta.11", "2.0.0", "x", 3]

const OPERATOR_CASES: readonly OperatorCase[] = [
  ["icontains", "ÄB", ["xäby", "ab", 5, null], [0]],
  ["icontains", ["x", "5"], ["X", "ab", 5, null], [0, 2]],
  ["not_icontains_multi", ["x", "5"], ["X", "ab", 5, null], [1, 3]],
  ["exact", true, [true, "true", false, 1], [0, 1]],
  ["exact", ["a", "b"], ["a", "b", ["a", "b"]], [0, 1]],
  ["exact", [["a", "b"]], ["a", ["a", "b"]], [1]],
  ["exact", "", ["", null, " "], [0]],
  ["exact", [], ["a", null], [0, 1]],
  ["in", ["a"], ["a", "b", null], [0]],
  ["not_in", ["a"], ["a", "b", null], [1, 2]],
  ["gt", 1, ["1_000", "inf", "nan", " 2 ", "1e1", true, "0x10"], [3, 4]],
  ["lt", "1e300", [5, 1e301], [0]],
  ["lt", "0", [-0.5, "-.5", "", null, -1e300], [0, 1, 4]],
  ["between", ["a", "b"], [1, "a"], []],
  ["regex", ["^a", "z$"], ["ab", "yz", "bc", null], [0, 1]],
  ["regex", "A", ["a", "A"], [1]],
  ["not_regex", ["^a", "z$"], ["ab", "yz", "bc", null], [2, 3]],
  ["is_cleaned_path_exact", "/user/5", ["/user/7", "/user/x", "/user/:id", null], [0, 2]],
  ["semver_eq", "1.2.0", VERSIONS, [2]],
  ["semver_neq", "1.2.0", VERSIONS, [0, 1, 3, 4, 5, 6, 7]],
  ["semver_gt", "1.2.3", VERSIONS, [1, 3, 4, 5, 7]],
  ["semver_lt", "2.0.0-beta.11", VERSIONS, [0, 1, 2, 3]],
  ["semver_gte", "2.0.0", VERSIONS, [5, 7]],
  ["semver_lte", "1.10", VERSIONS, [0, 1, 2]],
  ["semver_tilde", "~1.2.3", VERSIONS, [0]],
  ["semver_caret", "1.2", VERSIONS, [0, 1, 2]],
  ["semver_caret", "0.2.3", ["0.2.3", "0.2.9", "0.3.0", "0.2.2"], [0, 1]],
  ["semver_caret", "0.0.3", ["0.0.3", "0.0.4"], [0]],
  ["semver_wildcard", "1.2.*", VERSIONS, [0, 2]],
  ["semver_wildcard", "1.x", VERSIONS, [0, 1, 2]],
  ["semver_wildcard", "*", VERSIONS, [0, 1, 2, 3, 4, 5, 7]],
  ["is_date_after", "-1d", ["2026-03-09T13:00:00Z", "2026-03-09T11:00:00Z", "soon"], [0]],
  ["is_date_exact", "-1d", ["2026-03-09T23:00:00Z", "2026-03-10"], [0]],
  [
    "is_date_before",
    "2026-03-01",
    ["infinity", "epoch", "2026-02-30", "28 Feb 2026 10:00 GMT"],
    [3],
  ],
]

describe.each(LAYOUTS)("operators in layout %s", (layout) => {
  /** One store for all: each case has a property of its own. */
  const rowCount = Math.max(...OPERATOR_CASES.map(([, , values]) => values.length))
  const events = Array.from({ length: rowCount }, (_, row) => ({
    uuid: uuidOf(row),
    properties: Object.fromEntries(
      OPERATOR_CASES.flatMap(([, , values], index) => {
        const value = values[row]
        return value === undefined ? [] : [[`case ${index}`, value]]
      }),
    ),
  }))
  let store: SmallStore
  beforeAll(async () => {
    store = await openRows({ events }, layout)
  })
  afterAll(() => store[Symbol.asyncDispose]())

  const numbered = OPERATOR_CASES.map((each, index) => [...each, index] as const)
  test.each(numbered)("%s %j of %j matches %j", async (...args) => {
    const [operator, value, values, matches, index] = args
    const pathCleaning = [
      { regex: "/user/\\d+", alias: "/user/:id" },
      { regex: "(", alias: "" },
      {},
    ]
    const filters = [{ key: `case ${index}`, operator, value }]
    const found = await listMatches(store, { filters, context: { pathCleaning } })
    expect(found.filter((row) => row < values.length)).toEqual(matches)
  })
})

test("dates without a zone are meant in the project's, stored or asked for", async () => {
  const rows = eventsOf(["2026-03-09 23:30:00", "2026-03-09 23:30:00Z", "09/03/2026"])
  await using store = await openRows(rows)
  const filters = [{ key: "v", operator: "is_date_exact", value: "2026-03-09" }]
  expect(await listMatches(store, { filters, context: { timezone: "Europe/Berlin" } })).toEqual([
    0, 2,
  ])
})

describe("types of filters", () => {
  const [ana, bo, gone] = [uuidOf(101), uuidOf(102), uuidOf(103)]
  const rows: SmallRows = {
    persons: [
      { uuid: ana, properties: { plan: "pro", email: "ana@a.com" } },
      { uuid: bo, properties: { plan: "free" } },
    ],
    overrides: [{ old_person_id: uuidOf(104), person_id: ana }],
    groups: [{ index: 1, key: "acme", properties: { size: 50 } }],
    events: [
      { uuid: uuidOf(0), person_id: ana, properties: { $group_1: "acme", "$feature/new": true } },
      { uuid: uuidOf(1), person_id: bo, properties: { $group_1: "other" } },
      { uuid: uuidOf(2), person_id: gone },
      { uuid: uuidOf(3), person_id: uuidOf(104), properties: { $group_0: "acme" } },
    ],
  }

  let store: SmallStore
  beforeAll(async () => {
    store = await openRows(rows)
  })
  afterAll(() => store[Symbol.asyncDispose]())

  test.each<readonly [JsonObject, readonly number[]]>([
    [{ type: "person", key: "plan", value: "pro" }, [0, 3]],
    [{ type: "person", key: "plan", value: "pro", operator: "is_not" }, [1, 2]],
    [{ type: "person", key: "email", value: "A.COM", operator: "icontains" }, [0, 3]],
    [{ type: "group", key: "size", value: 40, operator: "gt", group_type_index: 1 }, [0]],
    [{ type: "group", key: "size", operator: "is_not_set", group_type_index: 1 }, [1, 2, 3]],
    [{ type: "feature", key: "new", value: "true" }, [0]],
    [{ type: "person", key: "distinct_id", value: ["ana", "nobody"] }, [0, 3]],
    [{ type: "person", key: "distinct_id", value: "ana", operator: "is_not" }, [1, 2]],
    [{ type: "person", key: "distinct_id", value: "nobody" }, []],
  ])("%j matches %j", async (filter, matches) => {
    const personsByDistinctId = new Map([["ana", ana]])
    const question = { filters: [filter], context: { personsByDistinctId } }
    expect(await listMatches(store, question)).toEqual(matches)
  })

  test("OR and AND nest", async () => {
    const filters = {
      type: "OR",
      values: [
        { type: "person", key: "plan", value: "free" },
        {
          type: "AND",
          values: [
            { key: "$group_1", value: "acme" },
            { type: "OR", values: [] },
          ],
        },
      ],
    }
    expect(await listMatches(store, { filters })).toEqual([0, 1])
  })

  test("persons are listed by their own filters only", async () => {
    const persons = { target: "persons", personsByDistinctId: new Map([["b", bo]]) } as const
    const filters = [{ type: "person", key: "distinct_id", value: "b" }]
    expect(await listMatches(store, { filters, context: persons })).toEqual([102])
    for (const type of ["event", "feature", "element"]) {
      const group = parsePropertyFilters([{ key: "href", value: "x", type }])
      expect(() => compileFilters(group, { ...context, ...persons })).toThrow("use type person")
    }
  })

  test("the distinct ids to look up are listed once each", () => {
    const byId = (value: JsonValue) => ({ type: "person", key: "distinct_id", value })
    const filters = [
      byId("a"),
      { type: "OR", values: [byId(["b", "a"]), { key: "x", value: "c" }] },
    ]
    expect(listDistinctIdKeys(parsePropertyFilters(filters))).toEqual(["a", "b"])
  })
})

test.each<readonly [JsonObject, string]>([
  [{ type: "session", key: "nope", value: 1 }, 'Sessions have no "nope"'],
  [{ type: "hogql", key: "1 = 1" }, "type hogql are not available yet"],
  [{ key: "a", operator: "is_date_before", value: "soon" }, '"soon" is no date'],
  [{ key: "a", operator: "semver_gt", value: "new" }, '"new" is no version'],
  [{ key: "a", operator: "semver_wildcard", value: "1" }, '"1" is no version'],
  [{ type: "element", key: "colour", value: "red" }, 'no "colour"'],
  [{ type: "element", key: "tag_name", value: "a", operator: "icontains" }, "by icontains"],
  [{ type: "element", key: "href", value: "1", operator: "gt" }, "by gt"],
  [{ type: "element", key: "selector", value: "a:hover" }, 'selector "a:hover"'],
  [{ type: "element", key: "selector", value: "" }, 'selector ""'],
  [{ type: "element", key: "selector", value: "> a" }, 'selector "> a"'],
  [{ type: "element", key: "selector", value: ".a.b.c.d.e" }, "at most"],
  [{ type: "person", key: "distinct_id", value: "a", operator: "regex" }, "not by regex"],
])("%j is refused", (filter, reason) => {
  const compile = () => compileFilters(parsePropertyFilters([filter]), context)
  expect(compile).toThrow(reason)
  expect(compile).toThrow(expect.objectContaining({ kind: "invalid", code: "invalid_input" }))
})
