/** Funnels by their worked examples: events in by capture, answers out over HTTP. */
import { describe, expect, test } from "vitest"
import { useTestApp } from "../support/app.ts"
import { captureData } from "./capture-data.ts"
import { breakdownCases } from "./funnels-breakdown-cases.ts"
import {
  ACTORS_ASKED,
  ACTORS_DATA,
  funnelCases,
  numbersByValue,
  refusedFunnels,
} from "./funnels-cases.ts"
import { timeCases, trendCases } from "./funnels-time-cases.ts"

const testApp = useTestApp()

describe("steps", () => {
  test.each(funnelCases)("$name", async (example) => {
    const { data, asked, timezone, counts, averages, medians } = example
    const project = await captureData(testApp, data, timezone === undefined ? {} : { timezone })
    const { status, body, text } = await project.query(asked)
    expect(status, text).toBe(200)
    const { counts: found, ...times } = numbersByValue([body.results]).undefined ?? { counts: [] }
    expect(found).toEqual(counts)
    if (averages !== undefined) expect(times).toMatchObject({ averages })
    if (medians !== undefined) expect(times).toMatchObject({ medians })
  })

  test("are shown with their names, places and links to their persons", async () => {
    const project = await captureData(testApp, ACTORS_DATA)
    const { body } = await project.query(ACTORS_ASKED)
    expect(Object.keys(body.results[1])).toEqual([
      "action_id",
      "name",
      "custom_name",
      "order",
      "people",
      "count",
      "type",
      "average_conversion_time",
      "median_conversion_time",
      "converted_people_url",
      "dropped_people_url",
    ])
    expect(body.results[0]).toMatchObject({
      action_id: "one",
      name: "one",
      order: 0,
      people: [],
      count: 35,
      type: "events",
      average_conversion_time: null,
      dropped_people_url: null,
    })
    const converted = await project.get(body.results[1].converted_people_url)
    const dropped = await project.get(body.results[1].dropped_people_url)
    expect([converted.body.count, dropped.body.count]).toEqual([15, 20])
  })

  test("are named by their number where they may come in any order", async () => {
    const project = await captureData(testApp, ACTORS_DATA)
    const { body } = await project.query({
      ...ACTORS_ASKED,
      funnelsFilter: { funnelOrderType: "unordered" },
    })
    expect(body.results).toMatchObject([
      { name: "Completed 1 step", action_id: null },
      { name: "Completed 2 steps", action_id: null },
      { name: "Completed 3 steps", action_id: null },
    ])
  })

  test("are none where none are asked for", async () => {
    const project = await captureData(testApp, { events: [] })
    const { status, body } = await project.query({ kind: "FunnelsQuery", series: [] })
    expect([status, body.results]).toEqual([200, []])
  })

  test("are refused as long as something is wrong with the exclusions or the span", async () => {
    const project = await captureData(testApp, { events: [] })
    for (const [name, asked] of refusedFunnels) {
      const { status, body } = await project.query(asked)
      expect([name, status, body.type]).toEqual([name, 400, "validation_error"])
    }
  })

  test.each(breakdownCases)("$name", async ({ data, asked, expected }) => {
    const project = await captureData(testApp, data)
    const { status, body, text } = await project.query(asked)
    expect(status, text).toBe(200)
    const found = numbersByValue(body.results)
    expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort())
    expect(found).toMatchObject(expected)
  })
})

test.each(trendCases)("$name", async ({ data, asked, rates, days }) => {
  const project = await captureData(testApp, data)
  const { status, body, text } = await project.query(asked)
  expect(status, text).toBe(200)
  const [line] = body.results
  if (rates !== undefined) expect(line.data).toEqual(rates)
  if (days !== undefined) expect([line.count, line.days[0]]).toEqual([days.count, days.first])
})

test.each(timeCases)("$name", async ({ data, asked, expected }) => {
  const project = await captureData(testApp, data)
  const { status, body, text } = await project.query(asked)
  expect(status, text).toBe(200)
  expect(body.results).toEqual(expected)
})

describe("persons of a funnel", () => {
  const events = ["one", "two", "three"].map((id, order) => ({ id, type: "events", order }))
  const parameters = {
    events,
    date_from: "2021-05-01",
    date_to: "2021-05-07",
    funnel_window_days: 7,
  }

  test("are those who took a step, or stopped before it", async () => {
    const { lookup } = await captureData(testApp, ACTORS_DATA)
    const counts = async (name: string, values: readonly unknown[]) => {
      const found: unknown[] = []
      for (const value of values) {
        const answer = await lookup("funnel", { ...parameters, [name]: JSON.stringify(value) })
        expect(answer.status, answer.text).toBe(200)
        found.push(answer.body.count)
      }
      return found
    }
    expect(await counts("funnel_step", [1, 2, 3, -2, -3])).toEqual([35, 15, 5, 20, 10])
    expect(
      await counts("funnel_custom_steps", [
        [1, 2],
        [1, 3],
      ]),
    ).toEqual([30, 25])
  })

  test("are refused for a step that is none", async () => {
    const { lookup } = await captureData(testApp, ACTORS_DATA)
    const { status, body } = await lookup("funnel", { ...parameters, funnel_step: -1 })
    expect([status, body.attr]).toEqual([400, "funnelStep"])
  })

  test("are those of one value of a breakdown", async () => {
    const b1 = breakdownCases.find(({ name }) => name.startsWith("B1"))
    const project = await captureData(testApp, b1?.data ?? { events: [] })
    const { body } = await project.query(b1?.asked ?? {})
    for (const rows of body.results) {
      for (const { count, converted_people_url } of rows) {
        expect((await project.get(converted_people_url)).body.count).toBe(count)
      }
    }
  })

  test("are those who began on a day and converted, or dropped off", async () => {
    const t1 = trendCases.find(({ name }) => name.startsWith("T1"))
    const { lookup } = await captureData(testApp, t1?.data ?? { events: [] })
    const count = async (entrance_period_start: string, drop_off: boolean) => {
      const trend = { funnel_viz_type: "trends", interval: "day", entrance_period_start, drop_off }
      const answer = await lookup("funnel", { ...parameters, ...trend })
      expect(answer.status, answer.text).toBe(200)
      return answer.body.count
    }
    expect(await count("2021-05-01 00:00:00", false)).toBe(3)
    expect(await count("2021-05-01 00:00:00", true)).toBe(0)
    expect(await count("2021-05-02 00:00:00", true)).toBe(2)
  })
})
