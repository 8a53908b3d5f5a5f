/** Retention beside a plain reckoning, on random data. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { retention } from "../../src/insights/retention/retention.ts"
import { openInsightStore } from "../support/insight-store.ts"
import {
  RANDOM_TIMEOUT_MS,
  RUNS,
  someData,
  someFilters,
  someRange,
  someSeries,
} from "./random-activity.ts"
import { type PlainRetention, retentionOf } from "./reference/retention.ts"

const PERIODS = { hour: "Hour", day: "Day", week: "Week", month: "Month" } as const

const someQuestion = fc
  .record({
    range: someRange,
    target: someSeries,
    returning: fc.option(someSeries),
    filters: someFilters,
    isFirstTime: fc.boolean(),
    isGroup: fc.boolean(),
    total: fc.integer({ min: 1, max: 12 }),
    row: fc.nat(),
    withActors: fc.boolean(),
  })
  .map(({ range: { dateRange, calendar }, ...rest }) => ({
    ...{ date_to: dateRange.date_to, calendar },
    ...rest,
  }))

function askedOf(question: PlainRetention) {
  const { target, returning, filters, isGroup, isFirstTime, total, date_to, calendar } = question
  const entity = ({ event, properties }: PlainRetention["target"]) => ({ id: event, properties })
  return retention.schema.parse({
    dateRange: { date_to: `${date_to}T12:00:00` },
    properties: filters,
    ...(isGroup ? { aggregation_group_type_index: 0 } : {}),
    retentionFilter: {
      ...{ period: PERIODS[calendar.interval], totalIntervals: total },
      retentionType: isFirstTime ? "retention_first_time" : "retention_recurring",
      targetEntity: entity(target),
      returningEntity: returning === null ? null : entity(returning),
    },
  })
}

type Appearing = Readonly<Record<"actor", string>> & { readonly appearances: readonly number[] }
const byName = (a: Appearing, b: Appearing) => (a.actor < b.actor ? -1 : 1)

test(
  "retention and its actors are those of a plain reckoning",
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
          const expected = retentionOf(data, question)
          const { results } = await store.run(retention.plan(askedOf(question), context))
          expect(results).toMatchObject(
            expected.map((members, row) => ({
              values: expected.slice(row).map((_, steps) => ({
                count: members.filter(({ appearances }) => appearances[steps] === 1).length,
              })),
            })),
          )
          if (!question.withActors) continue
          const interval = question.row % question.total
          const source = await store.run(retention.actors(askedOf(question), { interval }, context))
          const rows = await store.engine.rows(source.query, { timeoutMs: 20_000 })
          const found = rows.map(({ actor_id, appearances }) => ({
            actor: question.isGroup ? String(actor_id) : loaded.nameOf(actor_id),
            appearances: appearances as readonly number[],
          }))
          expect(found.sort(byName)).toEqual([...(expected[interval] ?? [])].sort(byName))
        }
      }),
      { numRuns: RUNS.dataSets, endOnFailure: true },
    )
  },
  RANDOM_TIMEOUT_MS,
)
