import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { rounded, trendsCases } from "../../../test/insights/trends-cases.ts"
import { type InsightStore, openInsightStore } from "../../../test/support/insight-store.ts"
import { compileExpression } from "../../query/language/compile.ts"
import type { InsightContext } from "../insight.ts"
import { trends } from "./trends.ts"

let store: InsightStore
beforeAll(async () => {
  store = await openInsightStore()
})
afterAll(() => store[Symbol.asyncDispose]())

function withLanguage(context: InsightContext): InsightContext {
  return {
    ...context,
    compileExpression: (text) =>
      compileExpression(text, "events", { ...context, cohorts: new Map() }),
  }
}

describe("a trend", () => {
  test.each(trendsCases)("$name", async ({ data, asked, expected, now }) => {
    const loaded = await store.load(data)
    const context = withLanguage(loaded.context(now === undefined ? {} : { now: new Date(now) }))
    const { results } = await store.run(trends.plan(trends.schema.parse(asked), context))
    expect(rounded(results)).toMatchObject(rounded(expected) as object)
  })
})
