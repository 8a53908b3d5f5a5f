/** Correlations by their worked examples: events in by capture, answers out over HTTP. */
import { expect, test } from "vitest"
import type { JsonObject } from "../../src/lib/json.ts"
import { useTestApp } from "../support/app.ts"
import { captureData } from "./capture-data.ts"
import { C1, correlation, correlationCases } from "./funnel-correlation-cases.ts"

const testApp = useTestApp()

test.each(correlationCases)("$name", async ({ data, asked, expected }) => {
  const project = await captureData(testApp, data)
  const { status, body, text } = await project.query(asked)
  expect(status, text).toBe(200)
  const found = body.results.events.map(
    (each: { event: JsonObject; success_count: number; failure_count: number }) =>
      [each.event.event, each.success_count, each.failure_count] as const,
  )
  expect(found).toEqual(expected.map((each) => each.slice(0, 3)))
  for (const [index, [, , , odds]] of expected.entries()) {
    expect(body.results.events[index].odds_ratio).toBeCloseTo(odds, 10)
  }
})

test("persons who did something are those who converted, or those who did not", async () => {
  const { lookup, query } = await captureData(testApp, C1)
  const events = ["signed up", "paid"].map((id, order) => ({ id, type: "events", order }))
  const count = async (funnel_correlation_person_converted: string) => {
    const answer = await lookup("funnel/correlation", {
      events,
      date_from: "2020-01-01",
      date_to: "2020-01-14",
      funnel_correlation_type: "events",
      funnel_correlation_person_entity: { id: "positively_related", type: "events" },
      funnel_correlation_person_converted,
    })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.count
  }
  expect([await count("true"), await count("false")]).toEqual([5, 0])
  const { body, text } = await query({
    kind: "ActorsQuery",
    select: ["id"],
    source: {
      kind: "FunnelCorrelationActorsQuery",
      source: correlation(),
      funnelCorrelationPersonEntity: { kind: "EventsNode", event: "positively_related" },
      funnelCorrelationPersonConverted: true,
    },
  })
  expect(body.results, text).toHaveLength(5)
})
