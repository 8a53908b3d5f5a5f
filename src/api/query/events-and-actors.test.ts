import { beforeAll, describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { addQueryProject, at, type QueryProject } from "../../../test/support/query-project.ts"
import type { JsonObject } from "../../lib/json.ts"

const testApp = useTestApp()

describe("a query of events", () => {
  let asked: QueryProject
  beforeAll(async () => {
    asked = await addQueryProject(testApp)
    const rows = [
      ["sign up", "test_val1"],
      ["sign out", "test_val2"],
      ["sign out", "test_val2"],
      ["sign out", "test_val3"],
    ] as const
    await testApp.capture(
      asked.project,
      rows.map(([event, key], index) => ({
        event,
        distinct_id: "2",
        timestamp: at(10 + index),
        properties: { key },
      })),
    )
  })
  const events = (query: JsonObject) => asked.ask({ kind: "EventsQuery", ...query })

  test("answers expressions with their types", async () => {
    const select = ["properties.key", "event", "distinct_id", "concat(event, ' ', properties.key)"]
    const { body } = await events({ select })
    expect(body.columns).toEqual(select)
    expect(body.types).toEqual(["Nullable(String)", "String", "String", "Nullable(String)"])
    expect(body.results).toEqual([
      ["test_val1", "sign up", "2", "sign up test_val1"],
      ["test_val2", "sign out", "2", "sign out test_val2"],
      ["test_val2", "sign out", "2", "sign out test_val2"],
      ["test_val3", "sign out", "2", "sign out test_val3"],
    ])
    expect(body.hasMore).toBe(false)
  })

  test.each<[name: string, query: JsonObject, results: unknown]>([
    [
      "groups by what is no figure",
      { select: ["count()", "event"] },
      [
        [3, "sign out"],
        [1, "sign up"],
      ],
    ],
    [
      "keeps to its conditions and its order",
      {
        select: ["count()", "event"],
        where: ["event == 'sign up' or like(properties.key, '%val2')"],
        orderBy: ["count() DESC", "event"],
      },
      [
        [2, "sign out"],
        [1, "sign up"],
      ],
    ],
    [
      "puts conditions on figures behind the grouping",
      { select: ["properties.key", "count()"], where: ["count() > 1"] },
      [["test_val2", 2]],
    ],
    [
      "takes expressions as property filters",
      {
        select: ["event"],
        properties: [{ type: "hogql", key: "properties.key == 'test_val2'" }],
      },
      [["sign out"], ["sign out"]],
    ],
    ["is of one event", { select: ["event"], event: "sign up" }, [["sign up"]]],
    ["begins after a moment", { select: ["properties.key"], after: at(12) }, [["test_val3"]]],
    ["ends before a moment", { select: ["properties.key"], before: at(11) }, [["test_val1"]]],
    ["has pages", { select: ["properties.key"], limit: 1, offset: 3 }, [["test_val3"]]],
  ])("%s", async (_, query, results) => {
    const { status, body } = await events(query)
    expect(status).toBe(200)
    expect(body.results).toEqual(results)
  })

  test.each<[name: string, query: JsonObject, results: unknown]>([
    ["of a constant", { select: ["'x'"], limit: 1 }, [["x"]]],
    [
      "with a figure only in a condition",
      { select: ["event"], where: ["count() > 1"] },
      [["sign out"]],
    ],
  ])("is answered %s", async (_, query, results) => {
    const { status, body } = await events(query)
    expect([status, body.results]).toEqual([200, results])
  })

  test("says how many distinct values there are as rows", async () => {
    const { body } = await events({ select: ["properties.key", "count()"] })
    expect(body.results).toHaveLength(3)
  })

  test("answers whole events, newest first, and their persons", async () => {
    const { body } = await events({ select: ["*", "person"], limit: 1 })
    expect(body.hasMore).toBe(true)
    expect(body.results).toEqual([
      [
        {
          uuid: expect.any(String),
          event: "sign out",
          properties: expect.objectContaining({ key: "test_val3" }),
          timestamp: at(13),
          team_id: asked.project.id,
          distinct_id: "2",
          elements_chain: "",
          created_at: expect.any(String),
        },
        {
          uuid: expect.any(String),
          created_at: at(10),
          properties: expect.any(Object),
          distinct_id: "2",
        },
      ],
    ])
  })

  test("is of one person, by number and by uuid", async () => {
    const persons = await testApp.get(
      `/api/projects/${asked.project.id}/persons?distinct_id=2`,
      asked.owner.key,
    )
    const { id, uuid } = persons.body.results[0]
    for (const personId of [id, String(id), uuid]) {
      const { body } = await events({ select: ["event"], personId })
      expect(body.results).toHaveLength(4)
    }
    const { body } = await events({ select: ["event"], personId: 0 })
    expect(body.results).toEqual([])
  })

  test.each<[query: JsonObject, attr: string]>([
    [{}, "select"],
    [{ select: [] }, "select"],
    [{ select: ["event"], limit: "many" }, "limit"],
    [{ select: ["event"], after: "whenever" }, "after"],
    [{ select: ["event +"] }, "select"],
    [{ select: ["event"], actionId: 5 }, "actionId"],
  ])("refuses %o", async (query, attr) => {
    const { status, body } = await events(query)
    expect([status, body.type, body.attr]).toEqual([400, "validation_error", attr])
  })
})

describe("a query of actors", () => {
  test("lists everybody, newest first, and finds by search and filters", async () => {
    const asked = await addQueryProject(testApp)
    await testApp.capture(asked.project, [
      { event: "a", distinct_id: "ana", timestamp: at(10), $set: { email: "ana@x.com" } },
      { event: "a", distinct_id: "bob", timestamp: at(11), $set: { email: "bob@y.com" } },
    ])
    const actors = (query: JsonObject = {}) => asked.ask({ kind: "ActorsQuery", ...query })
    const all = await actors()
    expect(all.body.columns).toEqual(["person", "id", "created_at", "person.$delete"])
    expect(all.body.results.map(([person]: [JsonObject]) => person.distinct_ids)).toEqual([
      ["bob"],
      ["ana"],
    ])
    expect(all.body).toMatchObject({ hasMore: false, missing_actors_count: 0 })
    const found = await actors({ search: "ANA@", select: ["properties.email"] })
    expect(found.body.results).toEqual([["ana@x.com"]])
    const filtered = await actors({
      select: ["properties.email"],
      properties: [{ type: "person", key: "email", operator: "icontains", value: "y.com" }],
    })
    expect(filtered.body.results).toEqual([["bob@y.com"]])
    const rows = await actors({
      select: ["properties.email"],
      source: {
        kind: "HogQLQuery",
        query: "select person_id from events where distinct_id = 'bob'",
      },
    })
    expect(rows.body.results).toEqual([["bob@y.com"]])
  })
})
