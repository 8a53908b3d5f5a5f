import { describe, expect, test } from "vitest"
import { useTestApp } from "../../test/support/app.ts"
import {
  addCohortProject,
  type CohortProject,
  filtersOf,
  is,
  makeCohort,
  membersOf,
} from "../../test/support/cohorts.ts"
import { updatePerson } from "../persons/store.ts"
import { type CalculationTools, calculateAround } from "./calculate.ts"
import { copyStaticCohorts, refreshCohorts } from "./refresh.ts"
import { claimCohort } from "./store.ts"

const app = useTestApp()

const MINUTE_MS = 60_000
const PATIENT = { timeoutMs: 10_000, isBrief: false }

function tools(more: Partial<CalculationTools> = {}): CalculationTools {
  const { database, columnar, clock } = app.app.services
  return { database, columnar, clock, ...more }
}

function afterMinutes(minutes: number) {
  app.clock.advanceMs(minutes * MINUTE_MS)
}

/** As an engine that cannot. */
const broken: CalculationTools["columnar"] = {
  rows: () => Promise.reject(new Error("no such luck")),
  replaceCohortMembers: () => Promise.reject(new Error("no such luck")),
  changeCohortMembers: () => Promise.reject(new Error("no such luck")),
  removeCohort: () => Promise.reject(new Error("no such luck")),
}

async function stateOf({ get }: CohortProject, id: number) {
  const { is_calculating, errors_calculating, count, last_calculation } = (await get(`/${id}`)).body
  return { is_calculating, errors_calculating, count, last_calculation }
}

async function addPaying(project: CohortProject) {
  const ana = await project.person("ana", { plan: "free" })
  const id = await makeCohort(project, { filters: filtersOf(is("plan", "paid")) })
  const pay = async () => {
    const { database, columnar } = app.app.services
    const paid = await database.transaction((db) => updatePerson(db, ana, { plan: "paid" }))
    await columnar.apply({ persons: [{ ...paid, created_at: "2026-03-01 00:00:00" }] })
  }
  return { id, pay }
}

describe("the refresh", () => {
  test("works out what changed since, once its time has come", async () => {
    const project = await addCohortProject(app)
    const { id, pay } = await addPaying(project)
    await pay()
    await refreshCohorts(tools())
    expect(await membersOf(project, id)).toEqual([])
    afterMinutes(15)
    await refreshCohorts(tools())
    expect(await membersOf(project, id)).toEqual(["ana"])
    expect(await stateOf(project, id)).toEqual({
      ...{ is_calculating: false, errors_calculating: 0, count: 1 },
      last_calculation: app.clock.now().toISOString().replace(".000Z", "Z"),
    })
  })

  test("works out what cohorts are made of before them", async () => {
    const project = await addCohortProject(app)
    const { id, pay } = await addPaying(project)
    const inCohort = { type: "cohort", key: "id", value: id }
    const outer = await makeCohort(project, { filters: filtersOf(inCohort) })
    // The outer one has waited longer.
    await app.db`update cohort set last_calculation = '2020-01-01Z' where id = ${outer}`
    await pay()
    afterMinutes(15)
    await refreshCohorts(tools())
    expect(await membersOf(project, outer)).toEqual(["ana"])
  })

  test("counts failures, and comes back later each time", async () => {
    const project = await addCohortProject(app)
    const id = await makeCohort(project, { filters: filtersOf(is("plan", "paid")) })
    const failures: unknown[] = []
    const failing = tools({ columnar: broken, onFailure: (error) => failures.push(error) })
    const errorsAfter = async (minutes: number, used = failing) => {
      afterMinutes(minutes)
      await refreshCohorts(used)
      return (await stateOf(project, id)).errors_calculating
    }
    expect(await errorsAfter(15)).toBe(1)
    expect(failures).toContainEqual(new Error("no such luck"))
    expect(await errorsAfter(15)).toBe(1)
    expect(await errorsAfter(15)).toBe(2)
    expect(await errorsAfter(30)).toBe(2)
    expect(await errorsAfter(60)).toBe(3)
    expect((await stateOf(project, id)).is_calculating).toBe(false)
    expect(await errorsAfter(24 * 60, tools())).toBe(0)
  })

  test("goes on with the others when one fails", async () => {
    const project = await addCohortProject(app)
    const bad = await makeCohort(project, { filters: filtersOf(is("plan", "paid")) })
    const { id, pay } = await addPaying(project)
    await app.db`update cohort set filters = '{"properties": 5}' where id = ${bad}`
    await pay()
    afterMinutes(15)
    await refreshCohorts(tools())
    expect((await stateOf(project, bad)).errors_calculating).toBe(1)
    expect(await membersOf(project, id)).toEqual(["ana"])
  })

  test("takes up what a crash left, once that is certain", async () => {
    const project = await addCohortProject(app)
    const { id, pay } = await addPaying(project)
    await claimCohort(app.db, id, app.clock.now())
    expect((await stateOf(project, id)).is_calculating).toBe(true)
    await pay()
    afterMinutes(15)
    await refreshCohorts(tools())
    expect((await stateOf(project, id)).is_calculating).toBe(true)
    afterMinutes(15)
    await refreshCohorts(tools())
    expect(await stateOf(project, id)).toMatchObject({ is_calculating: false, count: 1 })
  })
})

describe("a calculation", () => {
  test("that is short of time leaves the cohort to one that is not, without a failure", async () => {
    const project = await addCohortProject(app)
    const { id, pay } = await addPaying(project)
    await pay()
    await app.db`update cohort set pending_version = 2, is_calculating = true where id = ${id}`
    const { columnar } = app.app.services
    const hasty = tools({
      columnar: {
        ...broken,
        replaceCohortMembers: (cohort, members) =>
          columnar.replaceCohortMembers(cohort, members, { timeoutMs: 0 }),
      },
    })
    await calculateAround(hasty, id, { timeoutMs: 1_000, isBrief: true })
    expect(await stateOf(project, id)).toMatchObject({
      is_calculating: true,
      errors_calculating: 0,
    })
    await calculateAround(tools(), id, PATIENT)
    expect(await stateOf(project, id)).toMatchObject({ is_calculating: false, count: 1 })
  })

  test("of a cohort that changes meanwhile is done again", async () => {
    const project = await addCohortProject(app)
    await project.person("ana", { plan: "free" })
    const id = await makeCohort(project, { filters: filtersOf(is("plan", "paid")) })
    const { columnar } = app.app.services
    let calls = 0
    const slow = tools({
      columnar: {
        ...broken,
        async replaceCohortMembers(cohort, members, limits) {
          calls += 1
          const count = await columnar.replaceCohortMembers(cohort, members, limits)
          if (calls > 1) return count
          const filters = JSON.stringify(filtersOf(is("plan", "free")))
          await app.db`
            update cohort set pending_version = 3, filters = ${filters}::text::json
            where id = ${id}`
          return count
        },
      },
    })
    await app.db`update cohort set pending_version = 2 where id = ${id}`
    await calculateAround(slow, id, PATIENT)
    expect(calls).toBe(2)
    expect(await membersOf(project, id)).toEqual(["ana"])
  })

  test("of a cohort that is deleted meanwhile leaves no members", async () => {
    const project = await addCohortProject(app)
    await project.person("ana", { plan: "free" })
    const id = await makeCohort(project, { filters: filtersOf(is("plan", "free")) })
    const { columnar } = app.app.services
    let isRemoved = false
    const slow = tools({
      columnar: {
        ...broken,
        async replaceCohortMembers(cohort, members, limits) {
          await app.db`update cohort set deleted = true where id = ${id}`
          return columnar.replaceCohortMembers(cohort, members, limits)
        },
        async removeCohort(cohort) {
          isRemoved = true
          await columnar.removeCohort(cohort)
        },
      },
    })
    await app.db`update cohort set pending_version = 2 where id = ${id}`
    await calculateAround(slow, id, PATIENT)
    expect(isRemoved).toBe(true)
  })

  test("asks the query of a static cohort once, and then keeps the list", async () => {
    const project = await addCohortProject(app)
    const buy = (distinct_id: string) => ({ event: "buy", distinct_id })
    await app.capture({ id: project.projectId }, [
      buy("ana"),
      { event: "look", distinct_id: "bob" },
    ])
    const text = "select distinct person_id from events where event = 'buy'"
    const query = { kind: "ActorsQuery", source: { kind: "HogQLQuery", query: text }, limit: 1 }
    const id = await makeCohort(project, { is_static: true, query })
    expect(await membersOf(project, id)).toEqual(["ana"])
    await app.capture({ id: project.projectId }, [buy("cleo")])
    await project.post({ person_ids: [1] }, `/${id}/remove_person_from_static_cohort`)
    expect(await membersOf(project, id)).toEqual(["ana"])
    await project.patch(id, { query: { ...query, limit: 2 } })
    expect(await membersOf(project, id)).toEqual(["ana", "cleo"])
  })

  test("of a query that cannot be answered is a failure", async () => {
    const project = await addCohortProject(app)
    const query = { kind: "ActorsQuery", source: { kind: "HogQLQuery", query: "select" } }
    const id = await makeCohort(project, { is_static: true, query })
    expect(await stateOf(project, id)).toMatchObject({
      ...{ is_calculating: false, errors_calculating: 1, count: 0 },
    })
  })

  test("of many at the same time, of the same cohort, ends for all of them", async () => {
    const project = await addCohortProject(app)
    const { id, pay } = await addPaying(project)
    await pay()
    await app.db`update cohort set pending_version = 2 where id = ${id}`
    await Promise.all([1, 2, 3, 4].map(() => calculateAround(tools(), id, PATIENT)))
    expect(await stateOf(project, id)).toMatchObject({ is_calculating: false, count: 1 })
  })
})

test("copies of static cohorts can be made anew", async () => {
  const project = await addCohortProject(app)
  const ana = await project.person("ana")
  const draft = { is_static: true, _create_static_person_ids: [ana.id] }
  const id = await makeCohort(project, draft)
  await app.app.services.columnar.removeCohort({ project_id: project.projectId, cohort_id: id })
  expect(await membersOf(project, id)).toEqual([])
  expect(await copyStaticCohorts(tools())).toBeGreaterThan(0)
  expect(await membersOf(project, id)).toEqual(["ana"])
})
