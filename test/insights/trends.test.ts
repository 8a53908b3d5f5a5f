/** Every worked example of trends: events in through capture, answers out over HTTP. */
import { describe, expect, test } from "vitest"
import { START, useTestApp } from "../support/app.ts"
import { captureData } from "./capture-data.ts"
import { pageview, rounded, T1, trendsCases } from "./trends-cases.ts"

const testApp = useTestApp()

function setClock(now: string): void {
  testApp.clock.advanceMs(Date.parse(now) - testApp.clock.now().getTime())
}

describe("the worked examples of trends", () => {
  test.each(trendsCases)("$name", async ({ data, asked, expected, now }) => {
    const { query } = await captureData(testApp, data)
    setClock(now ?? START)
    try {
      const { status, body, text } = await query({ kind: "TrendsQuery", ...asked })
      expect(status, text).toBe(200)
      expect(rounded(body.results)).toMatchObject(rounded(expected) as object)
    } finally {
      setClock(START)
    }
  })
})

describe("trends by cohort", () => {
  test("T1: the cohort of one person", async () => {
    const { project, owner } = await testApp.addOrganization()
    const url = `/api/projects/${project.id}`
    await testApp.capture(
      project,
      T1.events.map(({ event, person, at }) => ({
        ...{ event, distinct_id: person, timestamp: at, $set: { name: person } },
      })),
    )
    const values = [{ type: "person", key: "name", value: "p1" }]
    const filters = { properties: { type: "OR", values: [{ type: "AND", values }] } }
    const cohort = await testApp.post(`${url}/cohorts`, owner.key, { name: "cohort", filters })
    expect(cohort.status, cohort.text).toBe(201)
    const query = {
      ...{ kind: "TrendsQuery", series: [pageview] },
      dateRange: { date_from: "2020-01-09", date_to: "2020-01-20" },
      breakdownFilter: { breakdown: [cohort.body.id, "all"], breakdown_type: "cohort" },
    }
    const { status, body, text } = await testApp.post(`${url}/query`, owner.key, { query })
    expect(status, text).toBe(200)
    expect(body.results).toMatchObject([
      {
        ...{ label: "cohort", breakdown_value: cohort.body.id, count: 6 },
        data: [0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0],
      },
      { label: "all users", breakdown_value: "all", count: 10 },
    ])
  })
})

describe("persons of trends", () => {
  test("are those of the clicked day, the busiest first", async () => {
    const events = [
      ...["ana", "bo", "bo"].map((person) => ({ person, at: "2020-01-04T12:00:00Z" })),
      { person: "cy", at: "2020-01-05T12:00:00Z" },
    ].map((event) => ({ ...event, event: "$pageview" }))
    const { lookup } = await captureData(testApp, { events })
    const { status, body, text } = await lookup("trends", {
      events: [{ id: "$pageview", type: "events", order: 0 }],
      ...{ entity_id: "$pageview", entity_type: "events" },
      ...{ date_from: "2020-01-04", date_to: "2020-01-04", interval: "day" },
    })
    expect(status, text).toBe(200)
    const found = body.results.map(
      ({ distinct_ids, value_at_data_point }: Record<string, unknown>) => [
        ...(distinct_ids as string[]),
        value_at_data_point,
      ],
    )
    expect(found).toEqual([
      ["bo", 2],
      ["ana", 1],
    ])
  })

  test("come a hundred at a time", async () => {
    const events = Array.from({ length: 150 }, (_, index) => ({
      ...{ person: `p${index}`, event: "$pageview", at: "2020-01-04T12:00:00Z" },
    }))
    const { lookup, get } = await captureData(testApp, { events })
    const first = await lookup("trends", {
      events: [{ id: "$pageview", type: "events", order: 0 }],
      ...{ entity_id: "$pageview", entity_type: "events" },
      ...{ date_from: "2020-01-04", date_to: "2020-01-04" },
    })
    expect(first.status, first.text).toBe(200)
    expect(first.body.results).toHaveLength(100)
    const next = new URL(first.body.next)
    const second = await get(`${next.pathname}${next.search}`)
    expect(second.body.results).toHaveLength(50)
    expect(second.body.next).toBeNull()
  })

  test("need to know of which series", async () => {
    const { lookup } = await captureData(testApp, T1)
    const { status, body } = await lookup("trends", { events: [{ id: "$pageview" }] })
    expect(status).toBe(400)
    expect(body.detail).toContain(
      "An entity id and the entity type must be provided to determine an entity",
    )
  })

  test("are told by actors of a query too", async () => {
    const { query } = await captureData(testApp, T1)
    const { status, body, text } = await query({
      kind: "ActorsQuery",
      select: ["person"],
      source: {
        kind: "InsightActorsQuery",
        source: {
          kind: "TrendsQuery",
          series: [pageview],
          dateRange: { date_from: "2020-01-09", date_to: "2020-01-19" },
          breakdownFilter: { breakdown: "$browser" },
        },
        ...{ day: "2020-01-12", series: 0, breakdown: "Edge" },
      },
    })
    expect(status, text).toBe(200)
    expect(body.results).toHaveLength(1)
    expect(JSON.stringify(body.results)).toContain('"p3"')
  })
})
