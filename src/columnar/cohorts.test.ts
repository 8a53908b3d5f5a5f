import { expect, test } from "vitest"
import { openEngine, openFolder } from "../../test/support/columnar-engine.ts"
import { column, PERSONS, table } from "../query/build.ts"
import { cohortMembers } from "../query/filters/cohort-conditions.ts"
import type { Select } from "../query/tree.ts"
import { append, LIMITS, personOf, uuidOf } from "./duckdb/testing.ts"
import type { ColumnarEngine } from "./engine.ts"

const cohort = { project_id: 1, cohort_id: 5 }
const merge = (old: number, person: number) => ({
  ...{ project_id: 1, old_person_id: uuidOf(old), person_id: uuidOf(person) },
})
const allPersons: Select = {
  columns: [{ as: "person_id", expr: column(PERSONS, "uuid") }],
  from: table("persons", PERSONS, 1),
}

/** The numbers of the members, as they are stored. */
async function membersOf(engine: ColumnarEngine, key = cohort): Promise<number[]> {
  const rows = await engine.rows(cohortMembers(key), LIMITS)
  return rows.map(({ person_id }) => Number(String(person_id).slice(-12))).toSorted((a, b) => a - b)
}

test("members are what they are replaced by, one cohort at a time", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, { persons: [1, 2, 3].map((number) => personOf(number)) })
  const other = { project_id: 1, cohort_id: 6 }
  expect(await engine.replaceCohortMembers(other, [uuidOf(9)], LIMITS)).toBe(1)
  expect(await engine.replaceCohortMembers(cohort, [1, 2, 2].map(uuidOf), LIMITS)).toBe(2)
  expect(await engine.replaceCohortMembers(cohort, [2, 3].map(uuidOf), LIMITS)).toBe(2)
  expect(await membersOf(engine)).toEqual([2, 3])
  expect(await engine.replaceCohortMembers(cohort, allPersons, LIMITS)).toBe(3)
  expect(await membersOf(engine)).toEqual([1, 2, 3])
  expect(await engine.replaceCohortMembers(cohort, [], LIMITS)).toBe(0)
  expect(await membersOf(engine)).toEqual([])
  expect(await membersOf(engine, other)).toEqual([9])
  await engine.removeCohort(other)
  expect(await membersOf(engine, other)).toEqual([])
})

test("many can be listed", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const uuids = Array.from({ length: 45_000 }, (_, index) => uuidOf(index))
  expect(await engine.replaceCohortMembers(cohort, uuids, LIMITS)).toBe(45_000)
})

test("a query that fails changes nothing", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await engine.replaceCohortMembers(cohort, [uuidOf(1)], LIMITS)
  const late = engine.replaceCohortMembers(cohort, allPersons, { timeoutMs: 0 })
  await expect(late).rejects.toThrow("took longer")
  expect(await membersOf(engine)).toEqual([1])
})

test("persons join and leave; who does both leaves", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const add = [1, 2, 3].map(uuidOf)
  expect(await engine.changeCohortMembers(cohort, { add, remove: [] })).toBe(3)
  expect(await engine.changeCohortMembers(cohort, { add: [uuidOf(1)], remove: [uuidOf(2)] })).toBe(
    2,
  )
  expect(await engine.changeCohortMembers(cohort, { add: [uuidOf(4)], remove: [uuidOf(4)] })).toBe(
    2,
  )
  expect(await membersOf(engine)).toEqual([1, 3])
})

test("a merged member is the person it became, before and after squashing", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await engine.replaceCohortMembers(cohort, [1, 2, 3].map(uuidOf), LIMITS)
  await append(engine, 1, { overrides: [merge(1, 2), merge(3, 4)] })
  expect(new Set(await membersOf(engine))).toEqual(new Set([2, 4]))
  expect(await engine.changeCohortMembers(cohort, { add: [uuidOf(4)], remove: [] })).toBe(2)
  await engine.squashOverrides()
  expect(await membersOf(engine)).toEqual([2, 4])
  await append(engine, 2, { overrides: [merge(2, 5)] })
  expect(await engine.changeCohortMembers(cohort, { add: [], remove: [uuidOf(5)] })).toBe(1)
  expect(await membersOf(engine)).toEqual([4])
})

test("persons that are removed are members no longer, nor is anything of a deleted project", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, { persons: [1, 2].map((number) => personOf(number)) })
  await engine.replaceCohortMembers(cohort, [1, 2, 3].map(uuidOf), LIMITS)
  await append(engine, 2, { overrides: [merge(3, 1)] })
  await engine.apply({ removed_persons: [{ project_id: 1, uuid: uuidOf(1) }] })
  expect(await membersOf(engine)).toEqual([2])
  await engine.deleteEvents([{ project_id: 1, until: "2030-01-01 00:00:00" }])
  expect(await membersOf(engine)).toEqual([])
})

test("members outlive compaction and a new start", async () => {
  await using place = await openFolder()
  {
    await using engine = await openEngine(place.folder)
    await engine.replaceCohortMembers(cohort, [1, 2].map(uuidOf), LIMITS)
    await engine.compact()
    expect(await membersOf(engine)).toEqual([1, 2])
  }
  await using engine = await openEngine(place.folder)
  expect(await membersOf(engine)).toEqual([1, 2])
})
