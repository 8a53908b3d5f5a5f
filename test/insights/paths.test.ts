/** Every worked example of paths: events in through capture, answers out over HTTP. */
import { describe, expect, test } from "vitest"
import type { JsonObject } from "../../src/lib/json.ts"
import { START, useTestApp } from "../support/app.ts"
import { type CapturedProject, captureData } from "./capture-data.ts"
import { lookupCases, pathsCases, shownEdges } from "./paths-cases.ts"
import { MAY, P15, STEPS_35 } from "./paths-data.ts"

const testApp = useTestApp()

function setClock(now: string): void {
  testApp.clock.advanceMs(Date.parse(now) - testApp.clock.now().getTime())
}

describe("the worked examples of paths", () => {
  test.each(pathsCases)("$name", async ({ data, asked, expected, settings, now }) => {
    const { query } = await captureData(testApp, data, settings)
    setClock(now ?? START)
    try {
      const { status, body, text } = await query({ kind: "PathsQuery", ...asked })
      expect(status, text).toBe(200)
      expect(body.results).toMatchObject(shownEdges(expected))
    } finally {
      setClock(START)
    }
  })

  test("answer with nothing but source, target, value and time", async () => {
    const { query } = await captureData(testApp, STEPS_35)
    const { body } = await query({ kind: "PathsQuery", dateRange: MAY })
    expect(body.results[0]).toEqual({
      source: "1_step one",
      target: "2_step two",
      value: 35,
      average_conversion_time: 60_000,
    })
  })
})

describe("what paths show", () => {
  const visits = (...urls: readonly string[]) => ({
    events: urls.map((url, index) => ({
      ...{ person: "ana", event: "$pageview", at: `2021-05-01T00:0${index}:00Z` },
      properties: { $current_url: url, plan: `plan ${index}` },
    })),
  })

  async function keysOf(project: CapturedProject, pathsFilter: JsonObject) {
    const { status, body, text } = await project.query({
      ...{ kind: "PathsQuery", dateRange: MAY, pathsFilter },
    })
    expect(status, text).toBe(200)
    return body.results.map(({ source, target }: JsonObject) => `${source} > ${target}`)
  }

  test("is an expression of the query language where that is asked", async () => {
    const project = await captureData(testApp, visits("/a", "/b"))
    const pathsFilter = {
      includeEventTypes: ["hogql"],
      pathsHogQLExpression: "upper(properties.$current_url) || ' of ' || properties.plan",
    }
    expect(await keysOf(project, pathsFilter)).toEqual(["1_/A of plan 0 > 2_/B of plan 1"])
  })

  test("is cleaned by the project's rules where wanted, then by those of the question", async () => {
    const settings = { path_cleaning_filters: [{ alias: "/users/:id", regex: "/users/\\d+" }] }
    const project = await captureData(testApp, visits("/users/1", "/users/2/edit"), settings)
    const local = {
      localPathCleaningFilters: [
        { alias: "/people", regex: "/users" },
        { alias: "", regex: "/edit$" },
      ],
    }
    expect(await keysOf(project, {})).toEqual(["1_/users/1 > 2_/users/2/edit"])
    expect(await keysOf(project, { pathReplacements: true })).toEqual([
      "1_/users/:id > 2_/users/:id/edit",
    ])
    expect(await keysOf(project, local)).toEqual(["1_/people/1 > 2_/people/2"])
    expect(await keysOf(project, { ...local, pathReplacements: true })).toEqual([])
  })

  test("follows the ids of events that happen at one moment", async () => {
    const { project, owner } = await testApp.addOrganization()
    const at = { distinct_id: "ana", timestamp: "2021-05-01T00:00:00Z" }
    await testApp.capture(project, [
      { event: "second", uuid: "02000000-0000-4000-8000-000000000001", ...at },
      { event: "first", uuid: "01000000-0000-4000-8000-0000000000ff", ...at },
    ])
    const query = { kind: "PathsQuery", dateRange: MAY }
    const { body } = await testApp.post(`/api/projects/${project.id}/query`, owner.key, { query })
    expect(body.results).toMatchObject([{ source: "1_first", target: "2_second" }])
  })

  test.each<[attr: string, pathsFilter: JsonObject]>([
    [
      "includeCustomEvents",
      { includeEventTypes: ["custom_event"], includeCustomEvents: ["signed up"] },
    ],
    ["pathsHogQLExpression", { includeEventTypes: ["hogql"] }],
    ["pathsHogQLExpression", { includeEventTypes: ["hogql"], pathsHogQLExpression: "count()" }],
    ["localPathCleaningFilters", { localPathCleaningFilters: [{ alias: "x", regex: "(" }] }],
    ["pathsFilter__stepLimit", { stepLimit: 0 }],
    ["pathsFilter__includeEventTypes__0", { includeEventTypes: ["pages"] }],
  ])("is refused with %s for %o", async (attr, pathsFilter) => {
    const { query } = await captureData(testApp, { events: [] })
    const { status, body } = await query({ kind: "PathsQuery", pathsFilter })
    expect(status).toBe(400)
    expect(body.attr).toBe(attr)
  })
})

describe("persons of paths", () => {
  const count = async (project: CapturedProject, parameters: JsonObject) => {
    const { status, body, text } = await project.lookup("path", { ...MAY, ...parameters })
    expect(status, text).toBe(200)
    expect(body.results).toHaveLength(body.count)
    return body.count
  }

  test("are those who leave at a step, come to it, or go on from it", async () => {
    const project = await captureData(testApp, STEPS_35)
    for (const [key, ...expected] of lookupCases) {
      const counts = [
        await count(project, { path_dropoff_key: key }),
        await count(project, { path_end_key: key }),
        await count(project, { path_start_key: key }),
      ]
      expect(counts, key).toEqual(expected)
    }
  })

  test("are those of an edge, with every filter of the paths", async () => {
    const project = await captureData(testApp, P15)
    const edge = { path_start_key: "1_step one", path_end_key: "2_step drop*" }
    expect(await count(project, edge)).toBe(0)
    expect(await count(project, { ...edge, path_groupings: ["step drop*"] })).toBe(20)
    const ended = { path_start_key: "2_step two", path_end_key: "3_step three" }
    expect(await count(project, { ...ended, path_type: "custom_event" })).toBe(0)
    expect(
      await count(project, {
        ...ended,
        include_custom_events: ["step one", "step two", "step three"],
      }),
    ).toBe(5)
  })

  test("are those of a part of a funnel", async () => {
    const project = await captureData(testApp, P15)
    const steps = ["step one", "step two", "step three"]
    const events = steps.map((id, order) => ({ id, order, type: "events" }))
    const funnel_filter = { events, funnel_step: -2, ...MAY, insight: "FUNNELS" }
    const funnel = { funnel_filter, funnel_paths: "funnel_path_after_step" }
    expect(await count(project, { ...funnel, path_end_key: "2_step dropoff1" })).toBe(20)
    expect(await count(project, { ...funnel, path_end_key: "2_between_step_1_a" })).toBe(0)
    const beside = { events, funnel_step: 2, funnel_paths: "funnel_path_between_steps" }
    expect(await count(project, { ...beside, path_dropoff_key: "4_step two" })).toBe(10)
  })

  test("are told by actors of a query too", async () => {
    const { query } = await captureData(testApp, STEPS_35)
    const { status, body, text } = await query({
      kind: "ActorsQuery",
      select: ["person"],
      source: {
        kind: "InsightActorsQuery",
        source: {
          ...{ kind: "PathsQuery", dateRange: MAY },
          pathsFilter: { pathDropoffKey: "2_step two" },
        },
      },
    })
    expect(status, text).toBe(200)
    expect(body.results).toHaveLength(5)
  })

  test("need a key that names a step", async () => {
    const { lookup } = await captureData(testApp, { events: [] })
    const { status, body } = await lookup("path", { path_end_key: "/pricing" })
    expect(status).toBe(400)
    expect(body.detail).toContain("2_/pricing")
  })
})
