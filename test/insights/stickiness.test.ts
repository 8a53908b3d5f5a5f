/** Stickiness by its worked examples: events in by capture, answers out over HTTP. */
import { expect, test } from "vitest"
import { useTestApp } from "../support/app.ts"
import { captureData } from "./capture-data.ts"
import { stickinessCases } from "./stickiness-cases.ts"

const testApp = useTestApp()

test.each(stickinessCases)("$name", async ({ data, asked, expected }) => {
  const project = await captureData(testApp, data)
  const { status, body, text } = await project.query({ kind: "StickinessQuery", ...asked })
  expect(status, text).toBe(200)
  expect(body.results).toMatchObject(expected)
})

const [{ data } = { data: { events: [] } }] = stickinessCases

test("an expression counts its values", async () => {
  const project = await captureData(testApp, data)
  const { body, text } = await project.query({
    kind: "StickinessQuery",
    series: [{ event: "$pageview", math: "hogql", math_hogql: "properties.$browser" }],
    dateRange: { date_from: "2020-01-11", date_to: "2020-01-20" },
  })
  expect(body.results?.[0]?.data, text).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 1, 0])
})

test("persons of stickiness are those who were active in so many intervals", async () => {
  const { lookup } = await captureData(testApp, data)
  const { status, body, text } = await lookup("stickiness", {
    ...{ events: [{ id: "$pageview", type: "events", order: 0 }], interval: "day" },
    ...{ date_from: "2020-01-11", date_to: "2020-01-20", stickiness_days: 9 },
    ...{ entity_id: "$pageview", entity_type: "events" },
  })
  expect(status, text).toBe(200)
  expect(body).toMatchObject({ count: 1, next: null, results: [{ distinct_ids: ["p1"] }] })
})

test("persons of no series are refused", async () => {
  const { lookup } = await captureData(testApp, { events: [] })
  const { status, body } = await lookup("stickiness", { stickiness_days: 1 })
  expect(status).toBe(400)
  expect(body.detail).toContain("An entity id and the entity type must be provided")
})
