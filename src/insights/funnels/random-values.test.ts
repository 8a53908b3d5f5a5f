import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { bestOf, type RefEvent, type RefFunnel } from "../../../test/insights/reference/funnels.ts"
import { type InsightStore, openInsightStore } from "../../../test/support/insight-store.ts"
import type { JsonObject } from "../../lib/json.ts"
import { funnels } from "./funnels.ts"

const DATA_SETS = 10
const START_MS = Date.parse("2021-05-01T00:00:00Z")
const ATTRIBUTIONS = ["first_touch", "last_touch", "all_events", "step 0", "step 1"] as const

let store: InsightStore
beforeAll(async () => {
  store = await openInsightStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const event = fc.record({
  at: fc.integer({ min: 0, max: 40 }),
  event: fc.constantFrom("A", "B", "C", "x"),
  value: fc.constantFrom("", "v", "w"),
})
const histories = fc.array(fc.array(event, { maxLength: 8 }), { minLength: 4, maxLength: 8 })
const DATA = fc.sample(histories, { numRuns: DATA_SETS, seed: 5 })

const ORDERS = ["ordered", "strict", "unordered"] as const
const NAMES = ["A", "B", "C"]

/** The value of a person, or for each value the funnel and the events that count for it. */
function countsOf(
  events: readonly RefEvent[],
  funnel: RefFunnel,
  attribution: (typeof ATTRIBUTIONS)[number],
): readonly (readonly [string, number])[] {
  const taken = (own: readonly RefEvent[], asked: RefFunnel) =>
    bestOf(own, asked)?.moments.length ?? 0
  if (attribution === "first_touch" || attribution === "last_touch") {
    const sign = attribution === "first_touch" ? 1 : -1
    const [touched] = events
      .filter(({ event: name, value }) => NAMES.includes(name) && value !== "")
      .sort((a, b) => sign * (a.at - b.at || (a.value < b.value ? -1 : 1)))
    return [[touched?.value ?? "", taken(events, funnel)]]
  }
  return ["", "v", "w"].map((value) => {
    if (attribution === "all_events") {
      return [
        value,
        taken(
          events.filter((each) => each.value === value),
          funnel,
        ),
      ]
    }
    const place = attribution === "step 0" ? 0 : 1
    const steps = funnel.steps.map((step, index) => (index === place ? { ...step, value } : step))
    const count = taken(events, { ...funnel, steps })
    return [value, count > place || funnel.order === "unordered" ? count : 0]
  })
}

const places = DATA.map((_, index) => index)
const cases = places.flatMap((place) =>
  ATTRIBUTIONS.map((attribution) => [attribution, place] as const),
)

test.each(cases)(
  "counts by value, %s, are those of every attempt, data %i",
  async (attribution, place) => {
    const people = DATA[place] ?? []
    const project = await store.load({
      events: people.flatMap((events, index) =>
        events.map(({ at, event: name, value }) => ({
          person: `p${index}`,
          event: name,
          at: new Date(START_MS + at * 3_600_000).toISOString(),
          properties: value === "" ? {} : { value },
        })),
      ),
    })
    const [type, step] = attribution.split(" ")
    for (const order of ORDERS) {
      // Which event fills a step is not one question where the order and the moments are free.
      if (type === "step" && order !== "ordered") continue
      const steps = NAMES.map((name) => ({ event: name, value: null }))
      const funnel: RefFunnel = { steps, order, window: 24, exclusions: [] }
      const asked: JsonObject = {
        series: NAMES.map((name) => ({ event: name })),
        dateRange: { date_from: "2021-05-01", date_to: "2021-05-31" },
        breakdownFilter: { breakdown: "value", breakdown_type: "event" },
        funnelsFilter: {
          funnelOrderType: order,
          funnelWindowInterval: 24,
          funnelWindowIntervalUnit: "hour",
          breakdownAttributionType: type ?? null,
          breakdownAttributionValue: Number(step ?? 0),
        },
      }
      const { results } = await store.run(
        funnels.plan(funnels.schema.parse(asked), project.context()),
      )
      const found = Object.fromEntries(
        (results as JsonObject[][]).map((rows) => [
          String(rows[0]?.breakdown_value),
          rows.map(({ count }) => count),
        ]),
      )
      const all = people.flatMap((events) => countsOf(events, funnel, attribution))
      const expected = Object.fromEntries(
        ["", "v", "w"]
          .map(
            (value) =>
              [
                value,
                NAMES.map(
                  (_, index) => all.filter(([own, n]) => own === value && n > index).length,
                ),
              ] as const,
          )
          .filter(([, counts]) => counts[0] !== 0),
      )
      expect({ order, found }).toEqual({ order, found: expected })
    }
  },
)
