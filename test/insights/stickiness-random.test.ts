/** Stickiness beside a plain reckoning, on random data. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { stickiness } from "../../src/insights/stickiness/stickiness.ts"
import { openInsightStore } from "../support/insight-store.ts"
import { dataOfRows } from "./lifecycle-cases.ts"
import {
  RANDOM_TIMEOUT_MS,
  RUNS,
  someData,
  someFilters,
  someRange,
  someSeries,
} from "./random-activity.ts"
import { stickinessOf } from "./reference/stickiness.ts"

const someQuestion = fc
  .record({
    range: someRange,
    series: fc.array(
      fc.tuple(someSeries, fc.boolean()).map(([series, isGroup]) => ({ ...series, isGroup })),
      { minLength: 1, maxLength: 3 },
    ),
    filters: someFilters,
    day: fc.integer({ min: 1, max: 4 }),
    withActors: fc.boolean(),
  })
  .map(({ range, ...rest }) => ({ ...range, ...rest }))
type Question = typeof someQuestion extends fc.Arbitrary<infer T> ? T : never

function askedOf({ series, filters, dateRange, calendar }: Question) {
  return stickiness.schema.parse({
    series: series.map(({ isGroup, ...each }) =>
      isGroup ? { ...each, math: "unique_group", math_group_type_index: 0 } : each,
    ),
    ...{ properties: filters, dateRange, interval: calendar.interval },
  })
}

test(
  "stickiness and its actors are those of a plain reckoning",
  async () => {
    await using store = await openInsightStore()
    const questions = fc.array(someQuestion, {
      ...{ minLength: RUNS.questionsEach, maxLength: RUNS.questionsEach },
    })
    await fc.assert(
      fc.asyncProperty(someData, questions, async (data, asked) => {
        const loaded = await store.load(data)
        for (const question of asked) {
          const context = loaded.context(question.calendar)
          const expected = stickinessOf(data, question)
          const answer = await store.run(stickiness.plan(askedOf(question), context))
          expect(dataOfRows(answer.results)).toEqual(
            expected.map((days) => days.map(({ length }) => length)),
          )
          if (!question.withActors) continue
          const { day } = question
          const source = await store.run(stickiness.actors(askedOf(question), { day }, context))
          const rows = await store.engine.rows(source.query, { timeoutMs: 20_000 })
          const names = rows.map(({ actor_id }) =>
            question.series[0]?.isGroup === true ? String(actor_id) : loaded.nameOf(actor_id),
          )
          expect(names.sort()).toEqual([...(expected[0]?.[day - 1] ?? [])].sort())
        }
      }),
      { numRuns: RUNS.dataSets, endOnFailure: true },
    )
  },
  RANDOM_TIMEOUT_MS,
)
