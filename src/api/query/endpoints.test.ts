import { beforeAll, describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { clickHouseUrl } from "../../../test/support/columnar-engine.ts"
import { addQueryProject, at, type QueryProject } from "../../../test/support/query-project.ts"
import type { JsonObject } from "../../lib/json.ts"

const testApp = useTestApp()

describe("a query of the language", () => {
  let asked: QueryProject
  beforeAll(async () => {
    asked = await addQueryProject(testApp)
    await testApp.capture(asked.project, [
      { event: "random event", distinct_id: "ana", timestamp: at(10), properties: { v: "a" } },
      { event: "random event", distinct_id: "ana", timestamp: at(11), properties: { v: "a" } },
      { event: "other", distinct_id: "bob", timestamp: at(12), properties: { v: "b", n: 5 } },
    ])
  })

  test("answers rows, columns and types", async () => {
    const answer = await asked.sql(
      "select count(), event from events where properties.v = {v} group by event",
      { values: { v: "a" } },
    )
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      results: [[2, "random event"]],
      columns: ["count()", "event"],
      types: [
        ["count()", "UInt64"],
        ["event", "String"],
      ],
      hasMore: false,
      limit: 100,
      offset: 0,
      is_cached: false,
      error: null,
    })
  })

  test("is asked by its other name too", async () => {
    const answer = await asked.ask({ kind: "QLQuery", query: "select 1 + 1" })
    expect(answer.body).toMatchObject({ results: [[2]] })
  })

  test("without a limit answers 100 rows and says that there are more", async () => {
    const answer = await asked.sql("select number from numbers(250)")
    expect(answer.body).toMatchObject({ hasMore: true, limit: 100 })
    expect(answer.body.results).toHaveLength(100)
  })

  test("with a limit of its own is not said to have more", async () => {
    const answer = await asked.sql("select number from numbers(250) limit 7")
    expect(answer.body.results).toHaveLength(7)
    expect(answer.body).not.toHaveProperty("hasMore")
  })

  test("uses filters where it says so", async () => {
    const answer = await asked.sql("select event from events where {filters} order by timestamp", {
      filters: {
        properties: [{ key: "n", value: 3, operator: "gt", type: "event" }],
        dateRange: { date_from: "2026-03-01" },
      },
    })
    expect(answer.body.results).toEqual([["other"]])
  })

  test("that is wrong is refused with all that is wrong, each with its place", async () => {
    const answer = await asked.sql("select noway(), evnt from events")
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ type: "validation_error", attr: "query" })
    expect(answer.body.detail).toContain("now")
    expect(answer.body.detail).toContain("evnt")
    expect(answer.body.detail).toContain("column 8")
  })

  test("that adds a text to a moment is refused by that code", async () => {
    const answer = await asked.sql("SELECT timestamp + 'string' FROM events")
    expect([answer.status, answer.body.code]).toEqual([400, "illegal_type_of_argument"])
  })

  test("whose numbers overflow is refused, not a failure of the server", async () => {
    const answer = await asked.sql(
      "select sum(number * 9000000000000000) * 9000000000000000 from numbers(5)",
    )
    expect([200, 400]).toContain(answer.status)
  })

  test("whose placeholders have no values is refused", async () => {
    const answer = await asked.sql("select {a}, {b}")
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toMatch(/a.*b/)
  })

  test.each([
    "select arrayMap(x -> arrayMap(y -> range(10000), range(1000)), range(1000))",
    "select event from events having event = 'other'",
    "select length(now())",
    "select toMonth(null), 'a' not like '\\\\'",
    "select sum(1) over (rows between 1 following and 1 preceding)",
    "select ()",
    "select toInt([1])",
    "select count() from events having count() over () > 0",
  ])("%s never fails the server", async (text) => {
    const answer = await asked.sql(text)
    expect([200, 400]).toContain(answer.status)
  })

  test("sees no rows of another project", async () => {
    const other = await addQueryProject(testApp)
    const answer = await other.sql("select count() from events")
    expect(answer.body.results).toEqual([[0]])
  })

  test("is looked at without being run", async () => {
    const good = await asked.ask({ kind: "HogQLMetadata", query: "select 1" })
    expect(good.body).toMatchObject({ isValid: true, errors: [] })
    const bad = await asked.ask({ kind: "HogQLMetadata", query: "select tostring(1)" })
    expect(bad.body).toMatchObject({ isValid: false, errors: [{ start: 7 }] })
  })

  test("can know the tables", async () => {
    const answer = await asked.ask({ kind: "DatabaseSchemaQuery" })
    expect(answer.body.tables).toHaveProperty("events.fields.distinct_id.type", "String")
    expect(answer.body.tables).toHaveProperty("persons.fields.properties")
  })
})

describe("an answer", () => {
  test("is kept until something is written, and says so", async () => {
    const asked = await addQueryProject(testApp)
    await testApp.capture(asked.project, [{ event: "a", distinct_id: "ana", timestamp: at(10) }])
    const query = "select count() from events"
    const first = await asked.sql(query)
    const again = await asked.sql(query)
    expect([first.body.is_cached, first.body.results]).toEqual([false, [[1]]])
    expect(again.body.is_cached).toBe(testApp.app.services.columnar.changeCount !== undefined)
    expect(again.body).toMatchObject({ results: [[1]], cache_key: first.body.cache_key })
    await testApp.capture(asked.project, [{ event: "a", distinct_id: "ana", timestamp: at(11) }])
    const later = await asked.sql(query)
    expect([later.body.is_cached, later.body.results]).toEqual([false, [[2]]])
  })

  test("is worked out again when that is asked for, and may be the old one", async () => {
    const asked = await addQueryProject(testApp)
    const query = { kind: "HogQLQuery", query: "select 40 + 2" }
    const nothing = await asked.ask(query, { refresh: "force_cache" })
    expect([nothing.status, nothing.body.attr]).toEqual([400, "refresh"])
    await asked.ask(query)
    for (const refresh of [true, "force_blocking"]) {
      expect((await asked.ask(query, { refresh })).body.is_cached).toBe(false)
    }
    const old = await asked.ask(query, { refresh: "force_cache" })
    expect(old.body).toMatchObject({ is_cached: true, results: [[42]] })
  })

  test("can come later", async () => {
    const asked = await addQueryProject(testApp)
    const query = { kind: "HogQLQuery", query: "select 40 + 2" }
    const accepted = await asked.ask(query, { refresh: "async", client_query_id: "mine" })
    expect(accepted.status).toBe(202)
    expect(accepted.body.query_status).toMatchObject({ id: "mine", error: false })
    await expect
      .poll(async () => (await testApp.get(`${asked.url}/mine`, asked.owner.key)).status)
      .toBe(200)
    const done = await testApp.get(`${asked.url}/mine`, asked.owner.key)
    expect(done.body.query_status).toMatchObject({ complete: true, results: { results: [[42]] } })
  })

  test("that came later to a wrong query is that error", async () => {
    const asked = await addQueryProject(testApp)
    const query = { kind: "HogQLQuery", query: "select nothing" }
    await asked.ask(query, { async: true, client_query_id: "wrong" })
    await expect
      .poll(async () => (await testApp.get(`${asked.url}/wrong`, asked.owner.key)).status)
      .toBe(400)
    const failed = await testApp.get(`${asked.url}/wrong`, asked.owner.key)
    expect(failed.body).toMatchObject({ type: "validation_error", code: "unresolved_field" })
  })

  // The ClickHouse of the tests runs inside another process, which cannot end a query that has started.
  test.runIf(clickHouseUrl === undefined)("can be cancelled, now and later", async () => {
    const asked = await addQueryProject(testApp)
    const slow = {
      kind: "HogQLQuery",
      query:
        "select sum(a.number * b.number) from numbers(1000000) a cross join numbers(1000000) b",
    }
    await asked.ask(slow, { async: true, client_query_id: "later" })
    const removed = await testApp.delete(`${asked.url}/later`, asked.owner.key)
    expect(removed.status).toBe(204)
    const status = await testApp.get(`${asked.url}/later`, asked.owner.key)
    expect([status.status, status.body.code]).toEqual([400, "cancelled"])
    const now = asked.ask(slow, { client_query_id: "now" })
    await expect
      .poll(async () => (await testApp.delete(`${asked.url}/now`, asked.owner.key)).status)
      .toBe(204)
    const answer = await now
    expect([answer.status, answer.body.code]).toEqual([400, "cancelled"])
  })

  test("to a query that was never asked is not found", async () => {
    const asked = await addQueryProject(testApp)
    expect((await testApp.get(`${asked.url}/nope`, asked.owner.key)).status).toBe(404)
    expect((await testApp.delete(`${asked.url}/nope`, asked.owner.key)).status).toBe(404)
  })
})

describe("a body", () => {
  test.each<[body: JsonObject, attr: string | null]>([
    [{}, "query"],
    [{ query: "select 1" }, "query"],
    [{ query: {} }, "query__kind"],
    [{ query: { kind: "Nonsense" } }, "query__kind"],
    [{ query: { kind: "HogQLQuery" } }, "query"],
    [{ query: { kind: "HogQLQuery", query: "select 1" }, refresh: "perhaps" }, "refresh"],
  ])("%o is refused", async (body, attr) => {
    const { owner, url } = await addQueryProject(testApp)
    const answer = await testApp.post(url, owner.key, body)
    expect([answer.status, answer.body.type, answer.body.attr]).toEqual([
      400,
      "validation_error",
      attr,
    ])
  })
})
