/** Paths of random data, beside the plain reckoning of test/insights/reference. */
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  listPaths,
  type PlainQuestion,
  referenceActors,
  referencePaths,
} from "../../../test/insights/reference/paths.ts"
import {
  type InsightData,
  type InsightStore,
  type LoadedProject,
  openInsightStore,
} from "../../../test/support/insight-store.ts"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import { paths } from "./paths.ts"

const PROJECTS = 25
const QUESTIONS = 1_000
const LOOKUPS = 300
const TIMEOUT_MS = 240_000

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values)

/** Pauses of just less and just as much as what parts two paths, around a midnight. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 60 }), pick(0, 0, 0, -1, 0.001))
  .map(([slot, seconds]) =>
    new Date(Date.UTC(2020, 0, 10, 20) + slot * 600_000 + seconds * 1_000).toISOString(),
  )

const url = pick<JsonValue>("/", "/a", "/a/", "/b/1", "/b/22", "//", "", null, 5)

const event = fc.record({
  person: pick("ana", "bo", "cy", "di"),
  event: pick("$pageview", "$pageview", "$screen", "a", "b/1", "$identify"),
  at: moment,
  properties: fc
    .record({ $current_url: url, $screen_name: url }, { requiredKeys: [] })
    .map((record): JsonObject => record as JsonObject),
})

/** What one person does at one moment has no order that the plain reckoning could know. */
const data: fc.Arbitrary<InsightData> = fc
  .uniqueArray(event, {
    minLength: 30,
    maxLength: 60,
    selector: ({ person, at }) => `${person === "di" ? "ana" : person} ${at}`,
  })
  .map((events) => ({ events, merged: [{ from: "di", into: "ana" }] }))

const listOf = <T>(...values: readonly T[]) => fc.subarray([...values], { maxLength: 2 })
/** Else nothing. */
const sometimes = <T>(of: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: of })
const point = sometimes(pick("/", "/a", "a", "/b/22", "/:id"))

const question: fc.Arbitrary<PlainQuestion> = fc
  .record({
    from: pick("2020-01-10", "2020-01-10", "2020-01-11"),
    to: pick("2020-01-10", "2020-01-11", "2020-01-11"),
    types: listOf("$pageview", "$screen", "custom_event"),
    customs: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, listOf("a", "$identify")),
    excluded: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      listOf("/a", "a", "$pageview", "/b*"),
    ),
    groupings: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, listOf("/b*", "b*1", "/", "$*")),
    cleaning: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      listOf({ regex: "\\d+", alias: ":id" }, { regex: "/b", alias: "" }),
    ),
    start: point,
    end: point,
    stepLimit: pick(1, 2, 3, 4, 5, 5, 20),
    edgeLimit: sometimes(pick(1, 2, 3, 10)),
    minWeight: sometimes(pick(1, 2)),
    maxWeight: sometimes(pick(1, 3)),
  })
  .map(({ from, to, ...rest }) => ({
    ...rest,
    from: `${from}T00:00:00.000Z`,
    to: `${to < from ? from : to}T23:59:59.999Z`,
    // All custom events and some of them cannot be asked for at once.
    customs: rest.types.includes("custom_event") ? [] : rest.customs,
  }))

function askedOf(plain: PlainQuestion) {
  return paths.schema.parse({
    dateRange: { date_from: plain.from.slice(0, 10), date_to: plain.to.slice(0, 10) },
    pathsFilter: {
      includeEventTypes: plain.types,
      includeCustomEvents: plain.customs,
      excludeEvents: plain.excluded,
      pathGroupings: plain.groupings,
      pathReplacements: true,
      startPoint: plain.start === "/a" ? "/a/" : plain.start,
      endPoint: plain.end,
      stepLimit: plain.stepLimit,
      edgeLimit: plain.edgeLimit,
      minEdgeWeight: plain.minWeight,
      maxEdgeWeight: plain.maxWeight,
    },
  })
}

let store: InsightStore
let projects: readonly { readonly data: InsightData; readonly loaded: LoadedProject }[]

beforeAll(async () => {
  store = await openInsightStore()
  const samples = fc.sample(data, { numRuns: PROJECTS, seed: 5 })
  projects = await Promise.all(
    samples.map(async (sample) => ({ data: sample, loaded: await store.load(sample) })),
  )
}, TIMEOUT_MS)
afterAll(() => store[Symbol.asyncDispose]())

const project = fc.nat(PROJECTS - 1)
const contextOf = (loaded: LoadedProject, { cleaning }: PlainQuestion) =>
  loaded.context({ pathCleaning: cleaning })
const near = (value: unknown) => Number(Number(value).toPrecision(12))

test(
  "random paths have the edges that loops over all events find",
  async () => {
    let edges = 0
    await fc.assert(
      fc.asyncProperty(project, question, async (index, plain) => {
        const { data: held, loaded } = projects[index] as (typeof projects)[number]
        const { results } = await store.run(paths.plan(askedOf(plain), contextOf(loaded, plain)))
        const rounded = (all: readonly object[]) =>
          (all as readonly JsonObject[]).map((edge) => ({
            ...edge,
            average_conversion_time: near(edge.average_conversion_time),
          }))
        const expected = referencePaths(held, plain)
        edges += expected.length
        expect(rounded(results as readonly JsonObject[])).toEqual(rounded(expected))
      }),
      { numRuns: QUESTIONS, seed: 7 },
    )
    // Most questions must find something to compare.
    expect(edges).toBeGreaterThan(QUESTIONS)
  },
  TIMEOUT_MS,
)

test(
  "random persons behind a step are those whose paths loops find there",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        project,
        question,
        pick<"start" | "end" | "dropoff">("start", "end", "dropoff"),
        fc.nat(),
        async (index, plain, role, place) => {
          const { data: held, loaded } = projects[index] as (typeof projects)[number]
          const keys = listPaths(held, plain).flatMap(({ steps }) =>
            steps.map(({ item }, step) => `${step + 1}_${item}`),
          )
          const key = keys[place % Math.max(keys.length, 1)] ?? "1_/"
          const names = {
            start: "path_start_key",
            end: "path_end_key",
            dropoff: "path_dropoff_key",
          }
          const { selected } = paths.parseLookup({ [names[role]]: key })
          const context = contextOf(loaded, plain)
          const source = await store.run(paths.actors(askedOf(plain), selected, context))
          const rows = await store.engine.rows(source.query, { timeoutMs: TIMEOUT_MS })
          const found = rows.map(({ actor_id }) => loaded.nameOf(actor_id)).sort()
          expect(found).toEqual(referenceActors(held, plain, { role, key }))
        },
      ),
      { numRuns: LOOKUPS, seed: 11 },
    )
  },
  TIMEOUT_MS,
)
