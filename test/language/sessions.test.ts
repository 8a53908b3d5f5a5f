/** Filters by session, over events in a real engine. */
import { afterAll, beforeAll, expect, test } from "vitest"
import type { JsonValue } from "../../src/lib/json.ts"
import { asc, column, EVENTS, selectEvents } from "../../src/query/build.ts"
import { compileFilters } from "../../src/query/filters/compile.ts"
import { parsePropertyFilters } from "../../src/query/filters/parse.ts"
import { type LanguageStore, NOW, openPeople } from "../support/language.ts"

let people: LanguageStore

beforeAll(async () => {
  people = await openPeople()
}, 60_000)

afterAll(() => people[Symbol.asyncDispose]())

/** Names of the events that a filter finds; sign up and $pageview are in a session of an hour. */
async function eventsBy(filter: { key: string; operator?: string; value?: JsonValue }) {
  const { project_id } = people.project
  const where = compileFilters(parsePropertyFilters([{ type: "session", ...filter }]), {
    project_id,
    target: "events",
    now: NOW,
    timezone: "UTC",
    personsByDistinctId: new Map(),
  })
  const query = selectEvents(project_id, {
    columns: [{ as: "event", expr: column(EVENTS, "event") }],
    where,
    orderBy: [asc(column(EVENTS, "timestamp"))],
  })
  const rows = await people.store.engine.rows(query, { timeoutMs: 60_000 })
  return rows.map(({ event }) => event)
}

const IN_SESSION = ["sign up", "$pageview"]

test.each([
  [{ key: "$session_duration", operator: "gt", value: 3599 }, IN_SESSION],
  [{ key: "$session_duration", operator: "gt", value: 3600 }, []],
  [{ key: "$session_duration", operator: "exact", value: 3600 }, IN_SESSION],
  [{ key: "duration", operator: "between", value: [1, 4000] }, IN_SESSION],
  [{ key: "$entry_url", operator: "exact", value: "http://a.example/" }, IN_SESSION],
  [{ key: "$entry_current_url", operator: "icontains", value: "EXAMPLE/" }, IN_SESSION],
  [{ key: "$exit_url", operator: "regex", value: "/b$" }, IN_SESSION],
  [{ key: "$pageview_count", operator: "gte", value: 1 }, IN_SESSION],
  [{ key: "$pageview_count", operator: "gte", value: 2 }, []],
  [{ key: "$entry_utm_source", operator: "is_not", value: "mail" }, ["sign out"]],
  [{ key: "$entry_utm_source", operator: "is_set" }, IN_SESSION],
  [{ key: "$entry_utm_source", operator: "is_not_set" }, ["sign out"]],
  [{ key: "$start_timestamp", operator: "is_date_before", value: "2020-01-11" }, IN_SESSION],
  [{ key: "$start_timestamp", operator: "is_date_after", value: "2020-01-10" }, []],
])("%j finds %j", async (filter, expected) => {
  expect(await eventsBy(filter)).toEqual(expected)
})
