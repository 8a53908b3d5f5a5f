import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openEngine, openFolder } from "../../../test/support/columnar-engine.ts"
import { append, eventOf, LIMITS, personOf, uuidOf } from "../../columnar/duckdb/testing.ts"
import { column, EVENTS, PERSONS, selectEvents, table } from "../build.ts"
import type { Select } from "../tree.ts"
import { compileFilters } from "./compile.ts"
import { parsePropertyFilters } from "./parse.ts"

let folder: Awaited<ReturnType<typeof openFolder>>
let engine: Awaited<ReturnType<typeof openEngine>>

beforeAll(async () => {
  folder = await openFolder()
  engine = await openEngine(folder.folder)
  await append(engine, 1, {
    persons: [1, 2, 3].map((number) => personOf(number)),
    overrides: [{ project_id: 1, old_person_id: uuidOf(9), person_id: uuidOf(2) }],
    events: [1, 9, 3, 7].map((number) => eventOf(number, { person_id: uuidOf(number) })),
  })
  // The second is a member as the person that was merged into it.
  const cohort = { project_id: 1, cohort_id: 5 }
  await engine.replaceCohortMembers(cohort, [uuidOf(1), uuidOf(9)], LIMITS)
  await engine.replaceCohortMembers({ project_id: 1, cohort_id: 6 }, [uuidOf(3)], LIMITS)
  await engine.replaceCohortMembers({ project_id: 2, cohort_id: 7 }, [uuidOf(3)], LIMITS)
})
afterAll(async () => {
  await engine.close()
  await folder[Symbol.asyncDispose]()
})

const base = {
  ...{ project_id: 1, now: new Date("2026-01-01T00:00:00Z"), timezone: "UTC" },
  personsByDistinctId: new Map<string, string>(),
}

/** Numbers of the events that pass. */
function eventsIn(filter: object): Promise<number[]> {
  const group = parsePropertyFilters([filter])
  const where = compileFilters(group, { ...base, target: "events" })
  const columns = [{ as: "uuid", expr: column(EVENTS, "uuid") }]
  return numbersOf(selectEvents(1, { columns, where }))
}

function personsIn(filter: object): Promise<number[]> {
  const group = parsePropertyFilters([filter])
  const where = compileFilters(group, { ...base, target: "persons" })
  const columns = [{ as: "uuid", expr: column(PERSONS, "uuid") }]
  return numbersOf({ columns, from: table("persons", PERSONS, 1), where })
}

async function numbersOf(query: Select): Promise<number[]> {
  const rows = await engine.rows(query, LIMITS)
  return rows.map(({ uuid }) => Number(String(uuid).slice(-12))).toSorted((a, b) => a - b)
}

describe("a filter on a cohort", () => {
  const cohort = { type: "cohort", key: "id" }

  test("takes events of its members, whoever they were merged into", async () => {
    expect(await eventsIn({ ...cohort, value: 5 })).toEqual([1, 9])
    expect(await personsIn({ ...cohort, value: "5" })).toEqual([1, 2])
    expect(await personsIn({ ...cohort, type: "static-cohort", value: 6 })).toEqual([3])
    expect(await personsIn({ ...cohort, type: "precalculated-cohort", value: 6 })).toEqual([3])
  })

  test("takes all others when it says not_in or is negated, and its members when both", async () => {
    expect(await eventsIn({ ...cohort, value: 5, operator: "not_in" })).toEqual([3, 7])
    expect(await eventsIn({ ...cohort, value: 5, negation: true })).toEqual([3, 7])
    expect(await personsIn({ ...cohort, value: 5, operator: "not_in", negation: true })).toEqual([
      1, 2,
    ])
  })

  test("may name many: in any of them, or in none", async () => {
    expect(await personsIn({ ...cohort, value: [5, 6], operator: "in" })).toEqual([1, 2, 3])
    expect(await personsIn({ ...cohort, value: [5, 6], operator: "not_in" })).toEqual([])
    expect(await personsIn({ ...cohort, value: [6, 8], operator: "not_in" })).toEqual([1, 2])
  })

  test("that is not there, or of another project, matches nobody", async () => {
    expect(await personsIn({ ...cohort, value: 8 })).toEqual([])
    expect(await personsIn({ ...cohort, value: 7 })).toEqual([])
    expect(await personsIn({ ...cohort, value: 7, operator: "not_in" })).toEqual([1, 2, 3])
  })

  test.each([
    [{ ...cohort, value: "x" }, '"x" is no id of a cohort'],
    [{ ...cohort, value: 1.5 }, '"1.5" is no id of a cohort'],
    [{ ...cohort, key: "name", value: 5 }, 'has the key "id"'],
    [{ ...cohort, value: 5, operator: "gt" }, "not by gt"],
  ])("is refused when it makes no sense", (filter, message) => {
    expect(() => parsePropertyFilters([filter])).toThrow(message)
  })

  test("without a value filters nothing", async () => {
    expect(await personsIn(cohort)).toEqual([1, 2, 3])
  })
})
