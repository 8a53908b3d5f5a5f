/** Behaviors on random histories, held against the same rules in plain words. */
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEngine, openFolder } from "../../test/support/columnar-engine.ts"
import { append, eventOf, LIMITS, personOf, uuidOf } from "../columnar/duckdb/testing.ts"
import { columnarTime } from "../query/dates.ts"
import { compileCohort } from "./compile.ts"
import { parseCohortFilters } from "./parse.ts"

const NOW_MS = Date.parse("2026-03-30T12:00:00Z")
const HALF_DAY_MS = 12 * 3_600_000
const DATA_SETS = 400
const PERSONS = 6

interface Happening {
  readonly person: number
  readonly event: string
  /** Microseconds before now; negative ones are in the future. */
  readonly ago: number
}

/** Close to where windows begin and end, or exactly there. */
const ago = fc
  .tuple(fc.integer({ min: -1, max: 20 }), fc.constantFrom(-1, 0, 1))
  .map(([halfDays, micros]) => halfDays * HALF_DAY_MS * 1_000 + micros)

const happening = fc.record({
  person: fc.integer({ min: 1, max: PERSONS }),
  event: fc.constantFrom("buy", "look"),
  ago,
})

const UNIT_MS = { hour: 3_600_000, day: 2 * HALF_DAY_MS } as const
type Unit = keyof typeof UNIT_MS

const span = (maxHalfDays: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: maxHalfDays }), fc.boolean())
    .map(([count, isHours]): readonly [number, Unit] =>
      isHours ? [count * 12, "hour"] : [Math.ceil(count / 2), "day"],
    )

const behavior = fc.record({
  value: fc.constantFrom(
    ...["performed_event", "performed_event_multiple", "performed_event_first_time"],
    ...["performed_event_sequence", "performed_event_regularly"],
    ...["stopped_performing_event", "restarted_performing_event"],
  ),
  time: span(12),
  seq: span(4),
  operator: fc.constantFrom("gte", "gt", "lte", "lt", "eq"),
  operator_value: fc.integer({ min: 1, max: 3 }),
  total_periods: fc.integer({ min: 1, max: 5 }),
  min_periods: fc.integer({ min: 1, max: 3 }),
})

type Drawn = typeof behavior extends fc.Arbitrary<infer T> ? T : never

const microsOf = ([count, unit]: readonly [number, Unit]) => count * UNIT_MS[unit] * 1_000

function conditionOf(drawn: Drawn): object {
  const { time, seq, ...rest } = drawn
  return {
    ...rest,
    ...{ type: "behavioral", key: "buy", seq_event: "look" },
    ...{ time_value: time[0], time_interval: time[1] },
    ...{ seq_time_value: seq[0], seq_time_interval: seq[1] },
    min_periods: Math.min(drawn.min_periods, drawn.total_periods),
  }
}

const COMPARE: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  gte: (a, b) => a >= b,
  gt: (a, b) => a > b,
  lte: (a, b) => a <= b,
  lt: (a, b) => a < b,
  eq: (a, b) => a === b,
}

/** `buys` and `looks` are microseconds before now; larger is earlier. */
function isMember(buys: readonly number[], looks: readonly number[], drawn: Drawn): boolean {
  const past = buys.filter((moment) => moment >= 0)
  const [window, recent] = [microsOf(drawn.time), microsOf(drawn.seq)]
  const inWindow = past.filter((moment) => moment <= window)
  const isOften = (count: number) =>
    count > 0 && COMPARE[drawn.operator]?.(count, drawn.operator_value) === true
  switch (drawn.value) {
    case "performed_event":
      return inWindow.length > 0
    case "performed_event_multiple":
      return isOften(inWindow.length)
    case "performed_event_first_time":
      return inWindow.length > 0 && inWindow.length === past.length
    case "performed_event_sequence":
      return inWindow.some((buy) =>
        looks.some((look) => look >= 0 && look < buy && buy - look <= recent),
      )
    case "performed_event_regularly": {
      const periods = Array.from({ length: drawn.total_periods }, (_, index) =>
        past.filter((moment) => {
          const isAfterStart = moment <= window * (index + 1)
          return isAfterStart && (index === 0 || moment > window * index)
        }),
      )
      const minimum = Math.min(drawn.min_periods, drawn.total_periods)
      return periods.filter(({ length }) => isOften(length)).length >= minimum
    }
    case "stopped_performing_event":
      return inWindow.length > 0 && inWindow.every((moment) => moment > recent)
    default: {
      const isBefore = past.some((moment) => moment > window)
      const isBetween = past.some((moment) => moment <= window && moment > recent)
      return isBefore && !isBetween && past.some((moment) => moment <= recent)
    }
  }
}

const timeOf = (micros: number): string => {
  const ms = Math.floor(-micros / 1_000)
  const rest = -micros - ms * 1_000
  return columnarTime(NOW_MS + ms, String(rest).padStart(3, "0"))
}

const isPause = ({ value }: Drawn) =>
  value === "stopped_performing_event" || value === "restarted_performing_event"

const dataSets = fc
  .sample(
    fc.record({
      happenings: fc.array(happening, { maxLength: 25 }),
      drawn: behavior.filter(
        (drawn) => !isPause(drawn) || microsOf(drawn.seq) < microsOf(drawn.time),
      ),
    }),
    { numRuns: DATA_SETS, seed: 20_260_330 },
  )
  .map((data, index) => ({ ...data, project_id: index + 1 }))

let folder: Awaited<ReturnType<typeof openFolder>>
let engine: Awaited<ReturnType<typeof openEngine>>

beforeAll(async () => {
  folder = await openFolder()
  engine = await openEngine(folder.folder)
  let count = 0
  await append(engine, 1, {
    persons: dataSets.flatMap(({ project_id }) =>
      Array.from({ length: PERSONS }, (_, index) => personOf(index + 1, { project_id })),
    ),
    events: dataSets.flatMap(({ project_id, happenings }) =>
      happenings.map(({ person, event, ago: micros }: Happening) => {
        count += 1
        const person_id = uuidOf(person)
        return eventOf(count, { project_id, person_id, event, timestamp: timeOf(micros) })
      }),
    ),
  })
})
afterAll(async () => {
  await engine.close()
  await folder[Symbol.asyncDispose]()
})

test("every behavior finds who its rule means, on random histories", async () => {
  const withMembers = new Set<string>()
  for (const { project_id, happenings, drawn } of dataSets) {
    const filters = { properties: { type: "AND", values: [conditionOf(drawn)] } }
    const query = compileCohort(parseCohortFilters(filters), {
      ...{ project_id, timezone: "UTC", now: new Date(NOW_MS), personsByDistinctId: new Map() },
    })
    const rows = await engine.rows(query, LIMITS)
    const found = rows.map(({ person_id }) => Number(String(person_id).slice(-12)))
    const momentsOf = (person: number, event: string) =>
      happenings.filter((one) => one.person === person && one.event === event).map((one) => one.ago)
    const expected = Array.from({ length: PERSONS }, (_, index) => index + 1).filter((person) =>
      isMember(momentsOf(person, "buy"), momentsOf(person, "look"), drawn),
    )
    expect(found.toSorted(), JSON.stringify({ drawn, happenings })).toEqual(expected)
    if (found.length > 0 && found.length < PERSONS) withMembers.add(drawn.value)
  }
  expect(withMembers.size, "every behavior is told from its opposite").toBe(7)
})
