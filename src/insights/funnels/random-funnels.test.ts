import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  attemptsOf,
  bestOf,
  chosen,
  type RefEvent,
  type RefFunnel,
} from "../../../test/insights/reference/funnels.ts"
import {
  type InsightStore,
  type LoadedProject,
  openInsightStore,
} from "../../../test/support/insight-store.ts"
import type { JsonObject } from "../../lib/json.ts"
import { funnels } from "./funnels.ts"

const DATA_SETS = 24
const QUESTIONS = 45
const START_MS = Date.parse("2021-05-01T00:00:00Z")
const UNIT_MS = 3_600_000
const NAMES = ["A", "B", "C", "x"]
const VALUES = ["", "v", "w"]

type History = ReadonlyMap<string, readonly RefEvent[]>

let store: InsightStore
beforeAll(async () => {
  store = await openInsightStore()
})
afterAll(() => store[Symbol.asyncDispose]())

/** Few names at few moments, so that many share one. */
const event = fc.record({
  at: fc.integer({ min: 0, max: 60 }),
  event: fc.constantFrom(...NAMES),
  value: fc.constantFrom(...VALUES),
})
const histories = fc.array(fc.array(event, { maxLength: 9 }), { minLength: 3, maxLength: 8 })

const step = fc.record({
  event: fc.option(fc.constantFrom("A", "B", "C"), { freq: 8 }),
  value: fc.option(fc.constantFrom("v", "w"), { freq: 4, nil: null }),
})
const question = fc
  .record({
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    order: fc.constantFrom("ordered", "strict", "unordered"),
    window: fc.constantFrom(2, 10, 24, 48),
    excluded: fc.option(fc.tuple(fc.nat(3), fc.nat(3)), { freq: 2 }),
  })
  .map(({ steps, excluded, ...rest }): RefFunnel => {
    const ends = (excluded ?? []).map((place) => Math.min(place, steps.length - 1))
    const [from, to] = [Math.min(...ends), Math.max(...ends)]
    const isWhole = from === 0 && to === steps.length - 1
    const isAllowed = excluded !== null && from < to && (isWhole || rest.order !== "unordered")
    return { ...rest, steps, exclusions: isAllowed ? [{ event: "x", from, to }] : [] }
  })

async function load(people: readonly (readonly RefEvent[])[]): Promise<{
  project: LoadedProject
  history: History
}> {
  // The first two are one person, who was merged later.
  const names = people.map((_, index) => `p${index}`)
  const project = await store.load({
    persons: names.map((name) => ({ name })),
    events: people.flatMap((events, index) =>
      events.map((each) => ({
        person: `p${index}`,
        event: each.event,
        at: new Date(START_MS + each.at * UNIT_MS).toISOString(),
        properties: each.value === "" ? {} : { value: each.value },
      })),
    ),
    merged: [{ from: "p0", into: "p1" }],
  })
  const [first = [], second = [], ...others] = people
  const history = [[...first, ...second], ...others]
  return { project, history: new Map(history.map((events, index) => [`p${index + 1}`, events])) }
}

const asked = ({ steps, order, window, exclusions }: RefFunnel, filter: JsonObject = {}) => ({
  kind: "FunnelsQuery",
  series: steps.map(({ event: name, value }) => ({
    kind: "EventsNode",
    event: name,
    properties: value === null ? [] : [{ key: "value", value: [value], operator: "exact" }],
  })),
  dateRange: { date_from: "2021-05-01", date_to: "2021-05-31" },
  funnelsFilter: {
    funnelOrderType: order,
    funnelWindowInterval: window,
    funnelWindowIntervalUnit: "hour",
    exclusions: exclusions.map(({ event: name, from, to }) => ({
      kind: "EventsNode",
      event: name,
      funnelFromStep: from,
      funnelToStep: to,
    })),
    ...filter,
  },
})

const plan = (project: LoadedProject, question_: JsonObject) =>
  store.run(funnels.plan(funnels.schema.parse(question_), project.context()))

const DATA = fc.sample(histories, { numRuns: DATA_SETS, seed: 8 })
const ASKED = fc.sample(question, { numRuns: DATA_SETS * QUESTIONS, seed: 9 })
const places = Array.from({ length: DATA_SETS }, (_, index) => index)

test.each(places)(
  "steps and times are those of every attempt looked at, data %i",
  async (place) => {
    const { project, history } = await load(DATA[place] ?? [])
    for (const funnel of ASKED.slice(place * QUESTIONS, (place + 1) * QUESTIONS)) {
      const { results } = await plan(project, asked(funnel))
      const best = [...history.values()].flatMap((events) => bestOf(events, funnel) ?? [])
      const expected = funnel.steps.map((_, index) => {
        const gaps = best.flatMap(({ moments }) =>
          index > 0 && moments.length > index
            ? [((moments[index] ?? 0) - (moments[index - 1] ?? 0)) * 3_600]
            : [],
        )
        const sum = gaps.reduce((total, gap) => total + gap, 0)
        return {
          count: best.filter(({ moments }) => moments.length > index).length,
          average: gaps.length === 0 ? null : Math.round((sum / gaps.length) * 1000) / 1000,
        }
      })
      const rows = results as readonly JsonObject[]
      const found = rows.map(({ count, average_conversion_time: time }) => ({
        count,
        average: time === null ? null : Math.round(Number(time) * 1000) / 1000,
      }))
      expect(JSON.stringify({ found, funnel })).toBe(JSON.stringify({ found: expected, funnel }))
    }
  },
)

test.each(places)("rates are those of the best attempt of each day, data %i", async (place) => {
  const { project, history } = await load(DATA[place] ?? [])
  for (const funnel of ASKED.slice(place * QUESTIONS, place * QUESTIONS + 8)) {
    const { results } = await plan(project, {
      ...asked(funnel, { funnelVizType: "trends" }),
      dateRange: { date_from: "2021-05-01", date_to: "2021-05-04" },
    })
    const expected = [0, 1, 2, 3].map((day) => {
      const best = [...history.values()].flatMap((events) => {
        const attempts = attemptsOf(events, funnel)
        const ofDay = attempts.filter(({ moments }) => Math.floor((moments[0] ?? 0) / 24) === day)
        return chosen(ofDay, funnel) ?? []
      })
      const converted = best.filter(({ moments }) => moments.length === funnel.steps.length)
      return best.length === 0 ? 0 : Math.round((converted.length / best.length) * 10_000) / 100
    })
    const [line] = results as readonly JsonObject[]
    expect(JSON.stringify({ data: line?.data, funnel })).toBe(
      JSON.stringify({ data: expected, funnel }),
    )
  }
})
