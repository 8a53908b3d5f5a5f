/** Lifecycles beside a plain reckoning, on random data. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { lifecycle } from "../../src/insights/lifecycle/lifecycle.ts"
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
import { lifecycleOf } from "./reference/lifecycle.ts"

const someQuestion = fc
  .record({
    range: someRange,
    series: someSeries,
    filters: someFilters,
    isGroup: fc.boolean(),
    place: fc.nat(),
    withActors: fc.boolean(),
    status: fc.constantFrom("new", "returning", "resurrecting", "dormant"),
  })
  .map(({ range, ...rest }) => ({ ...range, ...rest }))
type Question = typeof someQuestion extends fc.Arbitrary<infer T> ? T : never

function askedOf({ series, filters, isGroup, dateRange, calendar }: Question) {
  return lifecycle.schema.parse({
    ...{ series: [series], properties: filters, dateRange, interval: calendar.interval },
    ...(isGroup ? { aggregation_group_type_index: 0 } : {}),
  })
}

test(
  "a lifecycle and its actors are those of a plain reckoning",
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
          const expected = lifecycleOf(data, question)
          const answer = await store.run(lifecycle.plan(askedOf(question), context))
          expect(dataOfRows(answer.results)).toEqual(
            expected.map(({ status, buckets }) =>
              buckets.map(({ length }) => (status === "dormant" && length > 0 ? -length : length)),
            ),
          )
          if (!question.withActors) continue
          const [row] = answer.results as readonly { readonly days: readonly string[] }[]
          const place = question.place % (row?.days.length ?? 1)
          const selected = lifecycle.selection.parse({
            ...{ day: row?.days[place], status: question.status },
          })
          // The hour that comes twice has one name.
          if (row?.days.indexOf(selected.day) !== row?.days.lastIndexOf(selected.day)) continue
          const source = await store.run(lifecycle.actors(askedOf(question), selected, context))
          const rows = await store.engine.rows(source.query, { timeoutMs: 20_000 })
          const names = rows.map(({ actor_id }) =>
            question.isGroup ? String(actor_id) : loaded.nameOf(actor_id),
          )
          const wanted = expected.find(({ status }) => status === selected.status)
          expect(names.sort()).toEqual([...(wanted?.buckets[place] ?? [])].sort())
        }
      }),
      { numRuns: RUNS.dataSets, endOnFailure: true },
    )
  },
  RANDOM_TIMEOUT_MS,
)
