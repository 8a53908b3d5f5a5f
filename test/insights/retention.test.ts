/** Retention by its worked examples: events in by capture, answers out over HTTP. */
import { describe, expect, test } from "vitest"
import { useTestApp } from "../support/app.ts"
import { captureData } from "./capture-data.ts"
import {
  day,
  expectedRows,
  R12_DATA,
  R15_APPEARANCES,
  R15_PARAMETERS,
  retentionCases,
  shownRows,
} from "./retention-cases.ts"

const testApp = useTestApp()

test.each(retentionCases)("$name", async (each) => {
  const { data, asked, testAccountFilters } = each
  const project = await captureData(
    testApp,
    data,
    testAccountFilters === undefined ? {} : { test_account_filters: testAccountFilters },
  )
  const { status, body, text } = await project.query({ kind: "RetentionQuery", ...asked })
  expect(status, text).toBe(200)
  expect(shownRows(body.results, each)).toEqual(expectedRows(each))
})

test("a period that there is not is refused", async () => {
  const { query } = await captureData(testApp, { events: [] })
  const { status, body } = await query({
    kind: "RetentionQuery",
    retentionFilter: { period: "Year" },
  })
  expect([status, body.attr]).toEqual([400, "retentionFilter__period"])
  expect(body.detail).toContain("Period Year is unsupported")
})

describe("persons of retention", () => {
  test("R15: of a first time have their appearances", async () => {
    const { lookup } = await captureData(testApp, R12_DATA)
    const { status, body, text } = await lookup("retention", R15_PARAMETERS)
    expect(status, text).toBe(200)
    expect(body.results).toMatchObject([{ distinct_ids: ["p3"], appearances: R15_APPEARANCES }])
  })

  test("who were there most often come first", async () => {
    const events = [
      ...[0, 2].map((count) => ({ person: "seldom", count })),
      ...[0, 1, 2, 3].map((count) => ({ person: "often", count })),
    ].map(({ person, count }) => ({ person, event: "$pageview", at: day(count) }))
    const { lookup } = await captureData(testApp, { events })
    const { body } = await lookup("retention", { date_to: day(3), total_intervals: 4 })
    expect(body.results).toMatchObject([
      { distinct_ids: ["often"], appearances: [1, 1, 1, 1] },
      { distinct_ids: ["seldom"], appearances: [1, 0, 1, 0] },
    ])
  })

  test("come in pages: of 150 of a later row 100, then 50", async () => {
    const names = Array.from({ length: 150 }, (_, index) => `person ${index}`)
    const events = names.flatMap((person) =>
      [0, 1, 2, 5].map((count) => ({ person, event: "$pageview", at: day(count) })),
    )
    const { lookup, get } = await captureData(testApp, { events })
    const first = await lookup("retention", { date_to: day(10), selected_interval: 2 })
    expect([first.body.count, first.body.results.length]).toEqual([150, 100])
    expect(first.body.results[0].appearances).toEqual([1, 0, 0, 1, 0, 0, 0, 0, 0])
    const second = await get(first.body.next)
    expect([second.body.next, second.body.results.length]).toEqual([null, 50])
  })
})
