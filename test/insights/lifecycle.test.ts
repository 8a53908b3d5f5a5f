/** Lifecycles by their worked examples: events in by capture, answers out over HTTP. */
import { describe, expect, test } from "vitest"
import { useTestApp } from "../support/app.ts"
import { captureData } from "./capture-data.ts"
import { activity, dataOfRows, L1_DATA, lifecycleCases } from "./lifecycle-cases.ts"

const testApp = useTestApp()
const EVENTS = [{ id: "$pageview", type: "events", order: 0 }]

test.each(lifecycleCases)("$name", async ({ data, asked, expected, testAccountFilters }) => {
  const project = await captureData(
    testApp,
    data,
    testAccountFilters === undefined ? {} : { test_account_filters: testAccountFilters },
  )
  const { status, body, text } = await project.query({ kind: "LifecycleQuery", ...asked })
  expect(status, text).toBe(200)
  expect(dataOfRows(body.results)).toEqual(expected)
})

describe("persons of a lifecycle", () => {
  test("of L1 are those who return and those who stop on a day", async () => {
    const { lookup } = await captureData(testApp, L1_DATA)
    const namesOf = async (lifecycle_type: string, target_date: string) => {
      const range = { date_from: "2020-01-12", date_to: "2020-01-19" }
      const answer = await lookup("lifecycle", {
        ...{ events: EVENTS, lifecycle_type, target_date },
        ...range,
      })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body.count).toBe(answer.body.results.length)
      return answer.body.results
        .flatMap(({ distinct_ids }: { distinct_ids: string[] }) => distinct_ids)
        .sort()
    }
    expect(await namesOf("returning", "2020-01-13")).toEqual(["p1"])
    expect(await namesOf("dormant", "2020-01-13")).toEqual(["p2", "p3"])
    expect(await namesOf("dormant", "2020-01-14")).toEqual(["p1"])
  })

  test("come in pages: of 150 new ones 100, then 50", async () => {
    const names = Array.from({ length: 150 }, (_, index) => `person ${index}`)
    const times = Object.fromEntries(names.map((name) => [name, ["2020-01-15"]]))
    const { lookup, get } = await captureData(testApp, { events: activity(times) })
    const first = await lookup("lifecycle", {
      ...{ events: EVENTS, date_from: "2020-01-12", date_to: "2020-01-19" },
      ...{ target_date: "2020-01-15", lifecycle_type: "new" },
    })
    expect([first.body.count, first.body.results.length]).toEqual([150, 100])
    const second = await get(first.body.next)
    expect([second.body.next, second.body.results.length]).toEqual([null, 50])
  })

  test.each([
    ["Must include specified date", { lifecycle_type: "new" }],
    ["Must include lifecycle type", { target_date: "2020-01-15" }],
  ])("are refused: %s", async (detail, parameters) => {
    const { lookup } = await captureData(testApp, { events: [] })
    const { status, body } = await lookup("lifecycle", { events: EVENTS, ...parameters })
    expect(status).toBe(400)
    expect(body.detail).toContain(detail)
  })
})
