/** Tables, queries of every form, and what callers give beside the text, asked of a real engine. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { boolean, column, EVENTS, eq, text } from "../../src/query/build.ts"
import { compileQuery } from "../../src/query/language/compile.ts"
import {
  type LanguageStore,
  languageContext,
  openPeople,
  type Settings,
} from "../support/language.ts"

let people: LanguageStore

const rowsOf = (query: string, settings: Settings = {}) => people.rowsOf(query, settings)

beforeAll(async () => {
  people = await openPeople()
}, 60_000)

afterAll(() => people[Symbol.asyncDispose]())

describe("tables", () => {
  test("* of events is its plain columns", async () => {
    const { columns } = compileQuery("select * from events", languageContext(1))
    expect(columns.map(({ name }) => name)).toEqual([
      "uuid",
      "event",
      "properties",
      "timestamp",
      "distinct_id",
      "elements_chain",
      "created_at",
    ])
  })

  test("events lead to their person, group and session", async () => {
    const rows = await rowsOf(
      `select person.properties.email, pdi.person.properties.email, poe.properties.age,
       group_0.properties.industry, goe_0.key, $group_0, session.duration, session.entry_url,
       $session_id, $window_id from events order by timestamp`,
    )
    expect(rows).toEqual([
      [
        "ana@example.com",
        "ana@example.com",
        "31",
        "tools",
        "acme",
        "acme",
        3600,
        "http://a.example/",
        "s1",
        "w1",
      ],
      [
        "ana@example.com",
        "ana@example.com",
        "31",
        null,
        null,
        null,
        3600,
        "http://a.example/",
        "s1",
        null,
      ],
      ["bo@example.com", "bo@example.com", null, null, null, null, null, null, null, null],
    ])
  })

  test("events of merged persons belong to the person they became", async () => {
    const rows = await rowsOf(
      "select person_id, pdi.person_id, person.id from events where event = 'sign out'",
    )
    const bo = people.project.uuidOf("bo")
    expect(rows).toEqual([[bo, bo, bo]])
  })

  test.each<[query: string, expected: unknown]>([
    [
      "select properties.email, is_identified, pdi.distinct_id from persons order by 1",
      [
        ["ana@example.com", false, "ana"],
        ["bo@example.com", false, "old bo"],
      ],
    ],
    [
      "select distinct_id, person.properties.email from person_distinct_ids order by distinct_id",
      [
        ["ana", "ana@example.com"],
        ["old bo", "bo@example.com"],
      ],
    ],
    ["select index, key, properties.industry from groups", [[0, "acme", "tools"]]],
    ["select count() from cohort_people where cohort_id = 1", [[0]]],
    ["select count() from static_cohort_people where cohort_id = 1", [[0]]],
    ["select count() from person_overrides", [[1]]],
    [
      `select session_id, distinct_id, duration, entry_url, exit_url, initial_utm_source,
       pageview_count, event_count, autocapture_count from sessions`,
      [["s1", "ana", 3600, "http://a.example/", "http://a.example/b", "mail", 1, 2, 0]],
    ],
    ["select min_timestamp from sessions", [["2020-01-10T10:00:00Z"]]],
    ["select number from numbers(3)", [[0], [1], [2]]],
    ["select number * 2 from numbers(5, 2) order by 1", [[10], [12]]],
    ["select count() from raw_events", [[3]]],
    ["select count() from events final", [[3]]],
  ])("%s", async (query, expected) => {
    expect(await rowsOf(query)).toEqual(expected)
  })
})

describe("queries", () => {
  test.each<[query: string, expected: unknown]>([
    [
      "with seen as (select event, count() as c from events group by event) select count() from seen where c = 1",
      [[3]],
    ],
    ["with 'sign up' as wanted select count() from events where event = wanted", [[1]]],
    ["with a as (select 1 as x) select x from a union all select x + 1 from a", [[1], [2]]],
    ["with a as (select 1 as x), b as (select x + 1 as y from a) select y from b", [[2]]],
    ["select (select count() from events) + 1", [[4]]],
    ["select x.c from (select count() as c from events) as x", [[3]]],
    ["select key from (select properties.key from events) order by key limit 1", [["val1"]]],
    ["select p.price * 2 from (select properties as p from events) where p.price > 6", [[25]]],
    [
      "select event from events where distinct_id in (select distinct_id from events where event = 'sign up') order by event",
      [["$pageview"], ["sign up"]],
    ],
    [
      "select event from events where (event, distinct_id) not in (select event, distinct_id from events where distinct_id = 'ana')",
      [["sign out"]],
    ],
    [
      "select e.event, p.properties.email from events e left join persons p on e.person_id = p.id order by e.timestamp limit 1",
      [["sign up", "ana@example.com"]],
    ],
    [
      "select p.properties.email, count(e.uuid) as n from persons p left join events e on e.person_id = p.id group by p.properties.email order by n desc",
      [
        ["ana@example.com", 2],
        ["bo@example.com", 1],
      ],
    ],
    [
      "select a.event, p.properties.email from events a right join persons p on a.person.id = p.id and a.event = 'sign up' order by 2",
      [
        ["sign up", "ana@example.com"],
        [null, "bo@example.com"],
      ],
    ],
    [
      "select count() from events a full join persons p on a.person_id = p.id and a.event = 'sign up'",
      [[4]],
    ],
    ["select count() from events, persons", [[6]]],
    ["select count() from events cross join numbers(2)", [[6]]],
    ["select count() from events a join events b using (event, distinct_id)", [[3]]],
    [
      "select a.person.properties.email, b.person.properties.email from events a join events b on a.person.id = b.person.id and a.uuid = b.uuid order by 1 limit 1",
      [["ana@example.com", "ana@example.com"]],
    ],
    [
      "select x, number from numbers(1) array join [1, 2] as x order by x",
      [
        [1, 0],
        [2, 0],
      ],
    ],
    ["select count() from events left array join [1, 2] as x", [[6]]],
    [
      "select arrayJoin([1, 2]) as x, x * 2",
      [
        [1, 2],
        [2, 4],
      ],
    ],
    [
      "select arrayJoin(splitByChar(' ', event)) as word, count() from events group by word order by 2 desc, 1 limit 1",
      [["sign", 2]],
    ],
    ["select event from events having event = 'sign up'", [["sign up"]]],
    ["select 'x' as k, count() from events group by k", [["x", 3]]],
    ["select count() from events where event = 'none' group by 'x'", []],
    ["select count(distinct event, distinct_id) from events", [[3]]],
    ["select distinct distinct_id from events order by distinct_id desc", [["old bo"], ["ana"]]],
    [
      "select event, timestamp from events order by timestamp desc limit 1 by distinct_id",
      [
        ["sign out", "2020-01-11T23:30:00Z"],
        ["$pageview", "2020-01-10T11:00:00Z"],
      ],
    ],
    ["select event from events order by timestamp limit 1 offset 1", [["$pageview"]]],
    ["select event from events order by timestamp limit 1, 1", [["$pageview"]]],
    [
      "select event, row_number() over (partition by distinct_id order by timestamp) as n from events order by n, event",
      [
        ["sign out", 1],
        ["sign up", 1],
        ["$pageview", 2],
      ],
    ],
    [
      "select lagInFrame(event) over w from events window w as (partition by distinct_id order by timestamp) order by timestamp",
      [[null], ["sign up"], [null]],
    ],
    [
      "select sum(count()) over (), event from events group by event order by event limit 1",
      [[3, "$pageview"]],
    ],
    ["select count(), event from events group by event having count() > 1", []],
    [
      "select event as e, count() as c from events group by e order by c, e limit 1",
      [["$pageview", 1]],
    ],
    ["select event, count() from events group by 1 order by 2, 1 limit 1", [["$pageview", 1]]],
    ["select lower(event) as event from events where event = 'sign up'", [["sign up"]]],
    [
      "select max(timestamp) as timestamp from events where timestamp < '2020-01-11'",
      [["2020-01-10T11:00:00Z"]],
    ],
    ["select a + 1 as b, 1 as a", [[2, 1]]],
    [
      "select count(distinct person_id), count(*), countIf(event = 'sign up') from events",
      [[2, 3, 1]],
    ],
    ["select quantile(0.5)(properties.price) from events", [[8.75]]],
    [
      "select arrayFilter(x -> x > 1, [1, 2, 3]), arrayMap((x, y) -> x + y, [1, 2], [3, 4])",
      [
        [
          [2, 3],
          [4, 6],
        ],
      ],
    ],
    ["select event from events prewhere event = 'sign up' where 1 = 1", [["sign up"]]],
  ])("%s", async (query, expected) => {
    expect(await rowsOf(query)).toEqual(expected)
  })
})

describe("placeholders", () => {
  test.each<[query: string, values: Settings["values"], expected: unknown]>([
    [
      "select count(), event from events where properties.key = {v} group by event order by event",
      { v: "val2" },
      [
        [1, "$pageview"],
        [1, "sign out"],
      ],
    ],
    ["select {a} + 1, {b}, {c}", { a: 1, b: "it's", c: null }, [[2, "it's", null]]],
    [
      "select count() from events where event in {names}",
      { names: ["sign up", "sign out"] },
      [[2]],
    ],
    ["select {a + {b}}", { a: 1, b: 2 }, [[3]]],
    ["select {deep.inside}", { deep: { inside: true } }, [[true]]],
    ["select event from events order by timestamp limit {n}", { n: 1 }, [["sign up"]]],
  ])("%s", async (query, values, expected) => {
    expect(await rowsOf(query, { ...(values && { values }) })).toEqual(expected)
  })

  test("{filters} is what the caller filters by, and true without", async () => {
    const query = "select event from events where {filters} order by timestamp"
    expect(await rowsOf(query)).toHaveLength(3)
    const filters = () => eq(column(EVENTS, "event"), text("sign up"))
    expect(await rowsOf(query, { filters })).toEqual([["sign up"]])
    expect(await rowsOf(query, { filters: () => boolean(false) })).toEqual([])
  })
})

test("members of a cohort are found by its id and by its name", async () => {
  const { project, store } = people
  const { project_id } = project
  const cohort = { project_id, cohort_id: 7 }
  await store.engine.changeCohortMembers(cohort, { add: [project.uuidOf("ana")], remove: [] })
  const settings = { cohorts: new Map([["Friends", 7]]) }
  const count = (condition: string) =>
    rowsOf(`select count() from events where ${condition}`, settings)
  expect(await count("person_id in cohort 7")).toEqual([[2]])
  expect(await count("person.id in cohort 7 and event = 'sign up'")).toEqual([[1]])
  expect(await count("person_id not in cohort 'Friends'")).toEqual([[1]])
  const members = "select person.properties.email from cohort_people where cohort_id = 7"
  expect(await rowsOf(members)).toEqual([["ana@example.com"]])
})
