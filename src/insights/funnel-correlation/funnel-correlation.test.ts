import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  C1,
  correlation,
  correlationCases,
} from "../../../test/insights/funnel-correlation-cases.ts"
import { onDay } from "../../../test/insights/funnels-words.ts"
import {
  type InsightData,
  type InsightStore,
  openInsightStore,
} from "../../../test/support/insight-store.ts"
import type { JsonObject } from "../../lib/json.ts"
import { funnelCorrelation } from "./funnel-correlation.ts"

let store: InsightStore
beforeAll(async () => {
  store = await openInsightStore()
})
afterAll(() => store[Symbol.asyncDispose]())

interface Found {
  readonly events: readonly {
    readonly event: { readonly event: string }
    readonly success_count: number
    readonly failure_count: number
    readonly odds_ratio: number
    readonly correlation_type: string
  }[]
  readonly skewed: boolean
}

async function answer(data: InsightData, asked: JsonObject): Promise<Found> {
  const project = await store.load(data)
  const question = funnelCorrelation.schema.parse(asked)
  const { results } = await store.run(funnelCorrelation.plan(question, project.context()))
  return results as unknown as Found
}

async function actors(selected: JsonObject): Promise<readonly string[]> {
  const project = await store.load(C1)
  const source = await store.run(
    funnelCorrelation.actors(
      funnelCorrelation.schema.parse(correlation()),
      funnelCorrelation.selection.parse(selected),
      project.context(),
    ),
  )
  const rows = await store.engine.rows(source.query, { timeoutMs: 60_000 })
  return rows.map(({ actor_id }) => project.nameOf(actor_id)).sort()
}

describe("correlation", () => {
  test.each(correlationCases)("$name", async ({ data, asked, expected }) => {
    const { events, skewed } = await answer(data, asked)
    expect(skewed).toBe(false)
    expect(
      events.map((each) => [each.event.event, each.success_count, each.failure_count]),
    ).toEqual(expected.map((each) => each.slice(0, 3)))
    for (const [index, [, , , odds]] of expected.entries()) {
      expect(events[index]?.odds_ratio).toBeCloseTo(odds, 10)
      expect(events[index]?.correlation_type).toBe(odds > 1 ? "success" : "failure")
    }
  })

  test("says nothing where nobody or everybody converts", async () => {
    const everybody = { events: onDay("2020-01-02", { a: "S@1 x@2 P@3" }) }
    const asked = correlation({
      source: {
        kind: "FunnelsQuery",
        series: [{ event: "S" }, { event: "P" }],
        dateRange: { date_from: "2020-01-01", date_to: "2020-01-14" },
      },
    })
    expect(await answer(everybody, asked)).toEqual({ events: [], skewed: true })
    expect(await answer({ events: [] }, asked)).toEqual({ events: [], skewed: true })
  })

  test("is skewed where one kind is more than ten times the other", async () => {
    const many = Array.from({ length: 11 }, (_, index) =>
      onDay("2020-01-02", { [`p${index}`]: "S@1 x@2 P@3" }),
    )
    const data = { events: [...many.flat(), ...onDay("2020-01-02", { other: "S@1" })] }
    const asked = correlation({
      source: {
        kind: "FunnelsQuery",
        series: [{ event: "S" }, { event: "P" }],
        dateRange: { date_from: "2020-01-01", date_to: "2020-01-14" },
      },
    })
    const { skewed, events } = await answer(data, asked)
    expect(skewed).toBe(true)
    expect(events).toHaveLength(1)
  })

  test.each([
    [{ funnelCorrelationType: "properties" }],
    [{ funnelCorrelationType: "event_with_properties" }],
  ])("needs the names of what to compare by: %j", async (more) => {
    await expect(answer(C1, correlation(more))).rejects.toMatchObject({ kind: "invalid" })
  })
})

describe("actors", () => {
  const did = (event: string) => ({ kind: "EventsNode", event })
  const five = (kind: string) => Array.from({ length: 5 }, (_, index) => `${kind}${index}`)

  test.each([
    ["positively_related", true, five("good")],
    ["positively_related", false, []],
    ["negatively_related", false, five("bad")],
    ["negatively_related", null, five("bad")],
  ] as const)("did %s, converted: %s", async (event, isConverted, expected) => {
    const selected = {
      funnelCorrelationPersonEntity: did(event),
      funnelCorrelationPersonConverted: isConverted,
    }
    expect(await actors(selected)).toEqual(expected)
  })

  test("are found by properties of persons", async () => {
    const selected = {
      funnelCorrelationPropertyValues: [
        { key: "$browser", value: "Negative", type: "person", operator: "exact" },
      ],
      funnelCorrelationPersonConverted: false,
    }
    expect(await actors(selected)).toEqual(five("bad"))
  })
})
