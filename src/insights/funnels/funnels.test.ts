import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { breakdownCases } from "../../../test/insights/funnels-breakdown-cases.ts"
import {
  ACTORS_ASKED,
  ACTORS_DATA,
  funnelCases,
  numbersByValue,
  refusedFunnels,
  U1_ASKED,
  U1_DATA,
} from "../../../test/insights/funnels-cases.ts"
import { timeCases, trendCases } from "../../../test/insights/funnels-time-cases.ts"
import {
  type InsightData,
  type InsightStore,
  openInsightStore,
} from "../../../test/support/insight-store.ts"
import type { JsonObject } from "../../lib/json.ts"
import { EVENTS, property } from "../../query/build.ts"
import type { InsightContext } from "../insight.ts"
import { funnels } from "./funnels.ts"

let store: InsightStore
beforeAll(async () => {
  store = await openInsightStore()
})
afterAll(() => store[Symbol.asyncDispose]())

async function answer(
  data: InsightData,
  asked: JsonObject,
  settings: Partial<InsightContext> = {},
): Promise<unknown> {
  const project = await store.load(data)
  const context = project.context({ now: new Date("2021-05-20T12:00:00Z"), ...settings })
  const { results } = await store.run(funnels.plan(funnels.schema.parse(asked), context))
  return results
}

type Row = Readonly<Record<string, unknown>>

describe("steps", () => {
  test.each(funnelCases)("$name", async (example) => {
    const { data, asked, timezone = "UTC", counts, averages, medians } = example
    const rows = (await answer(data, asked, { timezone })) as readonly Row[]
    expect(rows.map(({ count }) => count)).toEqual(counts)
    const times = rows.slice(1).map((row) => row.average_conversion_time)
    if (averages !== undefined) expect(times).toEqual(averages)
    const middle = rows.slice(1).map((row) => row.median_conversion_time)
    if (medians !== undefined) expect(middle).toEqual(medians)
  })

  test.each(refusedFunnels)("%s is refused", async (_name, asked) => {
    await expect(answer({ events: [] }, asked)).rejects.toMatchObject({ kind: "invalid" })
  })

  test.each(breakdownCases)("$name", async ({ data, asked, expected }) => {
    const found = numbersByValue((await answer(data, asked)) as JsonObject[][])
    expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort())
    expect(found).toMatchObject(expected)
  })
})

describe("trends", () => {
  test.each(trendCases)("$name", async ({ data, asked, rates, days }) => {
    const [line] = (await answer(data, asked)) as readonly Row[]
    if (rates !== undefined) expect(line?.data).toEqual(rates)
    if (days !== undefined) {
      expect(line?.count).toBe(days.count)
      expect(line?.days).toContain(days.first)
      expect(line?.days).toHaveLength(days.count)
    }
  })
})

describe("time to convert", () => {
  test.each(timeCases)("$name", async ({ data, asked, expected }) => {
    expect(await answer(data, asked)).toEqual(expected)
  })
})

describe("actors", () => {
  async function count(data: InsightData, asked: JsonObject, selected: JsonObject) {
    const project = await store.load(data)
    const context = project.context({ now: new Date("2021-05-20T12:00:00Z") })
    const source = await store.run(
      funnels.actors(funnels.schema.parse(asked), funnels.selection.parse(selected), context),
    )
    const rows = await store.engine.rows(source.query, { timeoutMs: 60_000 })
    expect(new Set(rows.map(({ actor_id }) => actor_id)).size).toBe(rows.length)
    return rows.length
  }

  test.each([
    [{ funnelStep: 1 }, 35],
    [{ funnelStep: 2 }, 15],
    [{ funnelStep: 3 }, 5],
    [{ funnelStep: -2 }, 20],
    [{ funnelStep: -3 }, 10],
    [{ funnelCustomSteps: [1, 2] }, 30],
    [{ funnelCustomSteps: [1, 3] }, 25],
  ] as const)("of %j are %i", async (selected, expected) => {
    expect(await count(ACTORS_DATA, ACTORS_ASKED, selected as unknown as JsonObject)).toBe(expected)
  })

  test.each([
    [{ funnelStep: -2 }, 3],
    [{ funnelStep: -3 }, 2],
  ] as const)("U1: in any order of %j are %i", async (selected, expected) => {
    expect(await count(U1_DATA, U1_ASKED, selected)).toBe(expected)
  })

  test.each([0, -1, 4, -4])("step %i is refused", async (funnelStep) => {
    await expect(count(U1_DATA, U1_ASKED, { funnelStep })).rejects.toMatchObject({
      kind: "invalid",
    })
  })
})

describe("who acts", () => {
  const asked = {
    series: [{ event: "S" }, { event: "P" }],
    dateRange: { date_from: "2021-05-01", date_to: "2021-05-31" },
  }
  /** Two persons of one organization: one signs up, the other pays; a third has none. */
  const data: InsightData = {
    events: [
      { person: "a", event: "S", at: "2021-05-01T01:00:00Z", properties: { $group_0: "org" } },
      { person: "b", event: "P", at: "2021-05-01T02:00:00Z", properties: { $group_0: "org" } },
      { person: "c", event: "S", at: "2021-05-01T01:00:00Z" },
    ],
  }

  test("is a group, and events of no group do not count", async () => {
    const rows = (await answer(data, { ...asked, aggregation_group_type_index: 0 })) as Row[]
    expect(rows.map(({ count }) => count)).toEqual([1, 1])
  })

  test("is what an expression says, and the actors are the persons who began", async () => {
    const project = await store.load(data)
    const context = project.context({
      now: new Date("2021-05-20T12:00:00Z"),
      compileExpression: () => ({
        expr: property({ table: EVENTS, of: "event", key: "$group_0" }),
        isAggregate: false,
      }),
    })
    const question = funnels.schema.parse({
      ...asked,
      funnelsFilter: { funnelAggregateByHogQL: "properties.$group_0" },
    })
    const { results } = await store.run(funnels.plan(question, context))
    expect((results as Row[]).map(({ count }) => count)).toEqual([1, 1])
    const source = await store.run(funnels.actors(question, { funnelStep: 2 }, context))
    const rows = await store.engine.rows(source.query, { timeoutMs: 60_000 })
    expect(rows.map(({ actor_id }) => project.nameOf(actor_id))).toEqual(["a"])
  })
})
