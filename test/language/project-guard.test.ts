/** Two projects with the same people, ids and events: whatever is asked of one never sees the other. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { JsonObject } from "../../src/lib/json.ts"
import { selectEvents } from "../../src/query/build.ts"
import { compileExpression } from "../../src/query/language/compile.ts"
import {
  type InsightStore,
  type LoadedProject,
  openInsightStore,
} from "../support/insight-store.ts"
import { ask, languageContext } from "../support/language.ts"

let store: InsightStore
let ours: LoadedProject

const OURS = "ours"
const THEIRS = "theirs"

async function load(owner: string): Promise<LoadedProject> {
  const properties: JsonObject = { owner, $session_id: "s", $group_0: "acme", k: "same" }
  const project = await store.load({
    persons: [
      { name: "ana", properties: { owner } },
      { name: "bo", properties: { owner } },
    ],
    events: ["ana", "bo", "old"].map((person) => ({
      person,
      event: "same",
      at: "2020-01-10T10:00:00Z",
      distinct_id: person,
      properties: { ...properties, $current_url: owner, utm_source: owner },
    })),
    groups: [{ index: 0, key: "acme", properties: { owner } }],
    merged: [{ from: "old", into: "ana" }],
  })
  await store.engine.changeCohortMembers(
    { project_id: project.project_id, cohort_id: 1 },
    { add: [project.uuidOf(owner === OURS ? "ana" : "bo")], remove: [] },
  )
  return project
}

beforeAll(async () => {
  store = await openInsightStore()
  await load(THEIRS)
  ours = await load(OURS)
  await load(THEIRS)
}, 60_000)

afterAll(() => store[Symbol.asyncDispose]())

const rowsOf = (query: string) => ask(store, query, languageContext(ours.project_id))

test.each<[query: string, count: number]>([
  ["select count() from events", 3],
  ["select count() from persons", 2],
  ["select count() from person_distinct_ids", 3],
  ["select count() from groups", 1],
  ["select count() from cohort_people", 1],
  ["select count() from static_cohort_people", 1],
  ["select count() from sessions", 1],
  ["select max(event_count) from sessions", 3],
  ["select count() from person_overrides", 1],
  ["select count() from raw_events", 3],
  ["select count() from raw_persons", 2],
  ["select count() from events where person_id in cohort 1", 2],
  ["select count() from events where person_id not in cohort 1", 1],
  ["select count() from persons p join persons q on 1 = 1", 4],
  ["select count() from persons, persons q", 4],
  ["select count() from events a cross join events b", 9],
  ["select count() from events e left join groups g on g.key = e.$group_0", 3],
  ["select count() from events e right join groups g on g.key = e.$group_0", 3],
  ["select count() from events e full join groups g on g.key = e.$group_0", 3],
  ["select count() from events e right join persons p on 1 = 2", 2],
  ["select count() from events e full join persons p on 1 = 2", 5],
  ["select count() from groups g full join events e on 1 = 2", 4],
  ["select count() from persons p left join events e on e.person.id = p.id", 3],
  ["select count() from persons p right join events e on e.person.id = p.id and 1 = 2", 3],
  ["select count() from events a join events b using (event)", 9],
  ["select count() from events where distinct_id in (select distinct_id from events)", 3],
  ["select count() from events where distinct_id in (select pdi.distinct_id from persons)", 3],
  ["select (select count() from events) + (select count() from persons)", 5],
  ["with x as (select * from events) select count() from x", 3],
  ["with events as (select * from events) select count() from events", 3],
  ["with x as (select 1) select count() from x, events", 3],
  ["select sum(c) from (select count() as c from events union all select count() from persons)", 5],
  ["select count() from (select * from (select * from events))", 3],
  ["select count() from events array join [1, 2] as x", 6],
  ["select count() from events e right join (select * from persons) p on 1 = 2", 2],
])("%s counts the project's own rows", async (query, count) => {
  expect(await rowsOf(query)).toEqual([[count]])
})

describe("what is read is the project's own", () => {
  const OWNERS = [
    "select properties.owner from events",
    "select person.properties.owner from events",
    "select pdi.person.properties.owner from events",
    "select group_0.properties.owner from events",
    "select session.entry_url from events",
    "select initial_utm_source from sessions",
    "select properties.owner from persons",
    "select properties.owner from groups",
    "select person.properties.owner from person_distinct_ids",
    "select person.properties.owner from cohort_people",
    "select a.person.properties.owner from events b right join events a on a.$group_0 = b.$group_0",
    "select a.group_0.properties.owner from numbers(1) n full join events a on n.number = 0 and a.event = 'same'",
    "select p.properties.owner from events e full join persons p on e.properties.k = 'other'",
    "select g.properties.owner from events e left join groups g on e.event = 'same'",
    "with x as (select person.properties.owner as o from events) select o from x",
    "select properties.owner from events union all select properties.owner from persons",
    "select max(person.properties.owner) over () from events",
    "select o from (select properties.owner as o, row_number() over () from events)",
  ]
  test.each(OWNERS)("%s", async (query) => {
    const rows = await rowsOf(query)
    expect(rows.length).toBeGreaterThan(0)
    // Rows without a partner have null.
    const owners = rows.flat().filter((owner) => owner !== null)
    expect(new Set(owners)).toEqual(new Set([OURS]))
  })

  test.each([
    "properties.owner",
    "person.properties.owner",
    "group_0.properties.owner",
    "session.entry_url",
  ])("%s as an expression", async (text) => {
    const context = languageContext(ours.project_id)
    const { expr } = compileExpression(text, "events", context)
    const query = selectEvents(ours.project_id, { columns: [{ as: "v", expr }] })
    const rows = await store.engine.rows(query, { timeoutMs: 60_000 })
    expect(rows).toEqual([{ v: OURS }, { v: OURS }, { v: OURS }])
  })
})
