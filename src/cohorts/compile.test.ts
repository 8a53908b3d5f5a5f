import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openEngine, openFolder } from "../../test/support/columnar-engine.ts"
import { append, eventOf, LIMITS, personOf, uuidOf } from "../columnar/duckdb/testing.ts"
import type { EventRow, PersonRow } from "../columnar/engine.ts"
import type { JsonObject } from "../lib/json.ts"
import { compileCohort } from "./compile.ts"
import { parseCohortFilters } from "./parse.ts"

const NOW = "2026-03-30T12:00:00Z"

let folder: Awaited<ReturnType<typeof openFolder>>
let engine: Awaited<ReturnType<typeof openEngine>>
let projectId = 0
let position = 0

beforeAll(async () => {
  folder = await openFolder()
  engine = await openEngine(folder.folder)
})
afterAll(async () => {
  await engine.close()
  await folder[Symbol.asyncDispose]()
})

interface Small {
  readonly persons: readonly (Partial<PersonRow> & { readonly number: number })[]
  /** [whose, event, when, properties] */
  readonly events?: readonly (readonly [number, string, string, JsonObject?])[]
  readonly overrides?: readonly (readonly [old: number, person: number])[]
}

let eventCount = 0

/** A project with these persons, named by numbers, who did these things. */
async function put({ persons, events = [], overrides = [] }: Small): Promise<number> {
  projectId += 1
  position += 1
  const project_id = projectId
  await append(engine, position, {
    persons: persons.map(({ number, ...more }) => personOf(number, { project_id, ...more })),
    events: events.map(([number, event, timestamp, properties = {}]): EventRow => {
      eventCount += 1
      const person_id = uuidOf(number)
      return eventOf(eventCount, { project_id, event, timestamp, person_id, properties })
    }),
    overrides: overrides.map(([old, person]) => ({
      ...{ project_id, old_person_id: uuidOf(old), person_id: uuidOf(person) },
    })),
  })
  return project_id
}

interface Seen {
  readonly now?: string
  readonly timezone?: string
}

/** The numbers of the members. */
async function membersOf(
  project_id: number,
  properties: object,
  { now = NOW, timezone = "UTC" }: Seen = {},
): Promise<number[]> {
  const query = compileCohort(parseCohortFilters({ properties }), {
    ...{ project_id, timezone, now: new Date(now), personsByDistinctId: new Map() },
  })
  const rows = await engine.rows(query, LIMITS)
  return rows.map(({ person_id }) => Number(String(person_id).slice(-12))).toSorted((a, b) => a - b)
}

const all = (...values: object[]) => ({ type: "AND", values })
const any = (...values: object[]) => ({ type: "OR", values })
const did = (value: string, more: object) => ({ type: "behavioral", key: "buy", value, ...more })
const DAYS_3 = { time_value: 3, time_interval: "day" }
const WEEK = { time_value: 1, time_interval: "week" }

describe("conditions on persons", () => {
  const free = { type: "person", key: "plan", value: "free" }

  test("take persons by their properties, also those without an event", async () => {
    const project = await put({
      persons: [
        { number: 1, properties: { plan: "free" } },
        { number: 2, properties: { plan: "paid" } },
        { number: 3 },
      ],
    })
    expect(await membersOf(project, all(free))).toEqual([1])
    expect(await membersOf(project, all({ ...free, operator: "is_not" }))).toEqual([2, 3])
    expect(await membersOf(project, all({ ...free, operator: "is_set" }))).toEqual([1, 2])
  })

  test("may be negated, and then take who has no such property too", async () => {
    const project = await put({
      persons: [
        { number: 1, properties: { plan: "free", age: 3 } },
        { number: 2, properties: { age: 30 } },
        { number: 3, properties: { plan: "paid" } },
      ],
    })
    const adult = { type: "person", key: "age", operator: "is_set", value: "is_set" }
    expect(await membersOf(project, all(adult, { ...free, negation: true }))).toEqual([2])
  })

  test("nest in groups at will", async () => {
    const project = await put({
      persons: [1, 2, 3, 4].map((number) => ({ number, properties: { number, odd: number % 2 } })),
    })
    const is = (value: number) => ({ type: "person", key: "number", value })
    const odd = { type: "person", key: "odd", value: 1 }
    expect(await membersOf(project, any(all(odd, any(is(1), is(2))), is(4)))).toEqual([1, 4])
    expect(await membersOf(project, { type: "or", values: [is(2), all(is(3))] })).toEqual([2, 3])
  })
})

describe("conditions on cohorts", () => {
  test("go by the members, those merged away included", async () => {
    const project = await put({
      persons: [{ number: 1 }, { number: 2 }, { number: 3 }],
      overrides: [[9, 2]],
    })
    const cohort = { project_id: project, cohort_id: 5 }
    await engine.replaceCohortMembers(cohort, [uuidOf(1), uuidOf(9)], LIMITS)
    const inCohort = { type: "cohort", key: "id", value: 5 }
    expect(await membersOf(project, all(inCohort))).toEqual([1, 2])
    const isThere = { type: "person", key: "plan", operator: "is_not_set" }
    expect(await membersOf(project, all(isThere, { ...inCohort, negation: true }))).toEqual([3])
    expect(await membersOf(project, all(isThere, { ...inCohort, operator: "not_in" }))).toEqual([3])
    expect(await membersOf(project, all({ ...inCohort, value: [5, 6] }))).toEqual([1, 2])
  })

  test("that have no members match nobody, negated ones everybody", async () => {
    const project = await put({ persons: [{ number: 1 }] })
    const inCohort = { type: "cohort", key: "id", value: 77 }
    expect(await membersOf(project, all(inCohort))).toEqual([])
    const isThere = { type: "person", key: "plan", operator: "is_not_set" }
    expect(await membersOf(project, all(isThere, { ...inCohort, negation: true }))).toEqual([1])
  })
})

describe("performed_event", () => {
  test("takes who did it in the window, both ends included, and not in the future", async () => {
    const project = await put({
      persons: [1, 2, 3, 4, 5, 6].map((number) => ({ number })),
      events: [
        [1, "buy", "2026-03-27 12:00:00"],
        [2, "buy", "2026-03-27 11:59:59.999999"],
        [3, "buy", "2026-03-30 12:00:00"],
        [4, "buy", "2026-03-30 12:00:00.000001"],
        [5, "look", "2026-03-29 12:00:00"],
      ],
    })
    expect(await membersOf(project, all(did("performed_event", DAYS_3)))).toEqual([1, 3])
  })

  test.each([
    ["minute", "2026-03-30 11:58:00", "2026-03-30 11:57:59.999999"],
    ["hour", "2026-03-30 10:00:00", "2026-03-30 09:59:59.999999"],
    ["week", "2026-03-16 12:00:00", "2026-03-16 11:59:59.999999"],
    ["month", "2026-01-30 12:00:00", "2026-01-30 11:59:59.999999"],
    ["year", "2024-03-30 12:00:00", "2024-03-30 11:59:59.999999"],
  ])("counts back two of a %s", async (time_interval, inside, outside) => {
    const project = await put({
      persons: [{ number: 1 }, { number: 2 }],
      events: [
        [1, "buy", inside],
        [2, "buy", outside],
      ],
    })
    const condition = did("performed_event", { time_value: "2", time_interval })
    expect(await membersOf(project, all(condition))).toEqual([1])
  })

  test("counts days by the clock on the project's wall", async () => {
    // In Berlin the clocks went forward on the 29th: noon three days before is an hour later in UTC.
    const project = await put({
      persons: [{ number: 1 }, { number: 2 }],
      events: [
        [1, "buy", "2026-03-27 13:00:00"],
        [2, "buy", "2026-03-27 12:59:59.999999"],
      ],
    })
    const berlin = { timezone: "Europe/Berlin" }
    expect(await membersOf(project, all(did("performed_event", DAYS_3)), berlin)).toEqual([1])
    const hours = did("performed_event", { time_value: 71, time_interval: "hour" })
    expect(await membersOf(project, all(hours), berlin)).toEqual([1])
  })

  test("takes dates instead: whole days of the project's zone, or moments", async () => {
    const project = await put({
      persons: [1, 2, 3, 4].map((number) => ({ number })),
      events: [
        [1, "buy", "2026-03-10 23:00:00"],
        [2, "buy", "2026-03-10 22:59:59.999999"],
        [3, "buy", "2026-03-12 22:59:59.999999"],
        [4, "buy", "2026-03-12 23:00:00"],
      ],
    })
    const berlin = { timezone: "Europe/Berlin" }
    const between = (explicit_datetime: string, explicit_datetime_to?: string) =>
      all(did("performed_event", { explicit_datetime, explicit_datetime_to }))
    expect(await membersOf(project, between("2026-03-11", "2026-03-12"), berlin)).toEqual([1, 3])
    expect(await membersOf(project, between("2026-03-12T00:00:00Z"), berlin)).toEqual([3, 4])
    expect(await membersOf(project, between("-18d"), { now: "2026-03-30T12:00:00Z" })).toEqual([
      3, 4,
    ])
    expect(await membersOf(project, between("-30d", "-18d"))).toEqual([1, 2, 3, 4])
    expect(await membersOf(project, between("-30d", "-19d"))).toEqual([1, 2])
  })

  test("sees filters of the event, of its person and of its group", async () => {
    const project = await put({
      persons: [
        { number: 1, properties: { plan: "free" } },
        { number: 2, properties: { plan: "paid" } },
      ],
      events: [
        [1, "buy", "2026-03-30 10:00:00", { price: 10 }],
        [2, "buy", "2026-03-30 10:00:00", { price: 3 }],
        [2, "buy", "2026-03-30 11:00:00", { price: 20 }],
      ],
    })
    const with_ = (...event_filters: object[]) =>
      all(did("performed_event", { ...DAYS_3, event_filters }))
    const cheap = { type: "event", key: "price", operator: "lt", value: 15 }
    expect(await membersOf(project, with_(cheap))).toEqual([1, 2])
    expect(await membersOf(project, with_({ ...cheap, value: 5 }))).toEqual([2])
    const paid = { type: "person", key: "plan", value: "paid" }
    expect(await membersOf(project, with_(cheap, paid))).toEqual([2])
    const ofGroup = { type: "group", group_type_index: 0, key: "size", value: 5 }
    expect(await membersOf(project, with_(ofGroup))).toEqual([])
  })

  test("counts events of merged persons as the one they became, and deleted persons not at all", async () => {
    const project = await put({
      persons: [{ number: 1 }],
      overrides: [[8, 1]],
      events: [
        [8, "buy", "2026-03-30 10:00:00"],
        [1, "buy", "2026-03-30 10:00:00"],
        [7, "buy", "2026-03-30 10:00:00"],
      ],
    })
    expect(await membersOf(project, all(did("performed_event", DAYS_3)))).toEqual([1])
    const twice = did("performed_event_multiple", { ...DAYS_3, operator: "eq", operator_value: 2 })
    expect(await membersOf(project, all(twice))).toEqual([1])
  })

  test("negated takes who did not do it, with whatever else is asked", async () => {
    const project = await put({
      persons: [1, 2, 3].map((number) => ({ number, properties: { number } })),
      events: [[1, "buy", "2026-03-30 10:00:00"]],
    })
    const never = { ...did("performed_event", DAYS_3), negation: true }
    const few = { type: "person", key: "number", operator: "lt", value: 3 }
    expect(await membersOf(project, all(few, never))).toEqual([2])
  })
})

describe("performed_event_multiple", () => {
  test.each([
    ["gte", 2, [2, 3]],
    ["gt", 2, [3]],
    ["lte", 2, [1, 2]],
    ["lt", 2, [1]],
    ["eq", 2, [2]],
  ])(
    "%s %d counts events in the window, of those who did it",
    async (operator, operator_value, expected) => {
      const project = await put({
        persons: [1, 2, 3, 4].map((number) => ({ number })),
        events: [1, 2, 3].flatMap((number) => [
          ...Array.from(
            { length: number },
            (_, hour) => [number, "buy", `2026-03-30 0${hour}:00:00`] as const,
          ),
          [number, "buy", "2026-03-01 00:00:00"] as const,
        ]),
      })
      const condition = did("performed_event_multiple", { ...DAYS_3, operator, operator_value })
      expect(await membersOf(project, all(condition))).toEqual(expected)
    },
  )
})

test("performed_event_first_time takes whose first time ever lies in the window", async () => {
  const project = await put({
    persons: [1, 2, 3, 4].map((number) => ({ number })),
    events: [
      [1, "buy", "2026-03-27 12:00:00"],
      [1, "buy", "2026-03-29 12:00:00"],
      [2, "buy", "2026-03-27 11:59:59.999999"],
      [2, "buy", "2026-03-29 12:00:00"],
      [3, "buy", "2026-03-30 13:00:00"],
      [4, "buy", "2020-01-01 00:00:00", { price: 1 }],
      [4, "buy", "2026-03-29 00:00:00", { price: 9 }],
    ],
  })
  expect(await membersOf(project, all(did("performed_event_first_time", DAYS_3)))).toEqual([1])
  const dear = { event_filters: [{ type: "event", key: "price", operator: "gt", value: 5 }] }
  const firstDear = did("performed_event_first_time", { ...DAYS_3, ...dear })
  expect(await membersOf(project, all(firstDear))).toEqual([4])
})

test("performed_event_sequence wants the next event after one in the window, within its time", async () => {
  const project = await put({
    persons: [1, 2, 3, 4, 5, 6].map((number) => ({ number })),
    events: [
      // An hour later, to the microsecond.
      [1, "look", "2026-03-29 10:00:00"],
      [1, "buy", "2026-03-29 11:00:00"],
      [2, "look", "2026-03-29 10:00:00"],
      [2, "buy", "2026-03-29 11:00:00.000001"],
      // At once, and before.
      [3, "look", "2026-03-29 10:00:00"],
      [3, "buy", "2026-03-29 10:00:00"],
      // The first of two is too early, the other is not.
      [4, "look", "2026-03-29 08:00:00"],
      [4, "look", "2026-03-29 10:30:00"],
      [4, "buy", "2026-03-29 11:00:00"],
      // The first is before the window.
      [5, "look", "2026-03-27 11:59:59"],
      [5, "buy", "2026-03-27 12:00:01"],
      // The other way round.
      [6, "buy", "2026-03-29 10:00:00"],
      [6, "look", "2026-03-29 10:10:00"],
    ],
  })
  const hour = { seq_event: "buy", seq_time_value: 1, seq_time_interval: "hour" }
  const condition = { ...did("performed_event_sequence", { ...DAYS_3, ...hour }), key: "look" }
  expect(await membersOf(project, all(condition))).toEqual([1, 4])
})

test("performed_event_regularly wants enough of the last periods", async () => {
  const project = await put({
    persons: [1, 2, 3, 4].map((number) => ({ number })),
    events: [
      // Weeks begin at noon on Mondays, as now is.
      [1, "buy", "2026-03-23 12:00:00"],
      [1, "buy", "2026-03-23 11:59:59.999999"],
      [2, "buy", "2026-03-24 12:00:00"],
      [2, "buy", "2026-03-25 12:00:00"],
      [3, "buy", "2026-03-09 12:00:00"],
      [3, "buy", "2026-03-30 12:00:00"],
      [4, "buy", "2026-03-09 11:59:59.999999"],
      [4, "buy", "2026-03-30 12:00:00"],
    ],
  })
  const periods = { ...WEEK, total_periods: 3, min_periods: 2 }
  expect(await membersOf(project, all(did("performed_event_regularly", periods)))).toEqual([1, 3])
  const often = { ...periods, min_periods: 1, operator: "gte", operator_value: 2 }
  expect(await membersOf(project, all(did("performed_event_regularly", often)))).toEqual([2])
})

test("stopped_performing_event wants events in the span, none in its recent part", async () => {
  const project = await put({
    persons: [1, 2, 3, 4].map((number) => ({ number })),
    events: [
      [1, "buy", "2026-03-29 11:59:59.999999"],
      [2, "buy", "2026-03-28 12:00:00"],
      [2, "buy", "2026-03-29 12:00:00"],
      [3, "buy", "2026-03-23 12:00:00"],
      [4, "buy", "2026-03-23 11:59:59.999999"],
    ],
  })
  const recent = { seq_time_value: 1, seq_time_interval: "day" }
  const condition = did("stopped_performing_event", { ...WEEK, ...recent })
  expect(await membersOf(project, all(condition))).toEqual([1, 3])
})

test("restarted_performing_event wants events before the span, a gap, and events again", async () => {
  const project = await put({
    persons: [1, 2, 3, 4].map((number) => ({ number })),
    events: [
      [1, "buy", "2026-03-23 11:59:59.999999"],
      [1, "buy", "2026-03-29 12:00:00"],
      [2, "buy", "2026-03-23 12:00:00"],
      [2, "buy", "2026-03-29 12:00:00"],
      [3, "buy", "2026-03-01 00:00:00"],
      [3, "buy", "2026-03-29 11:59:59.999999"],
      [3, "buy", "2026-03-30 00:00:00"],
      [4, "buy", "2026-03-01 00:00:00"],
      [4, "buy", "2026-03-30 12:00:00.000001"],
    ],
  })
  const recent = { seq_time_value: 1, seq_time_interval: "day" }
  const condition = did("restarted_performing_event", { ...WEEK, ...recent })
  expect(await membersOf(project, all(condition))).toEqual([1])
})
