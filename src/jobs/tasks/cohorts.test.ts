import { expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import {
  addCohortProject,
  filtersOf,
  is,
  makeCohort,
  membersOf,
} from "../../../test/support/cohorts.ts"

const app = useTestApp({ settings: { HEDGEROW_ROLES: "api,capture,jobs" } })
const SOON = { timeout: 10_000 }

async function addChanged() {
  const project = await addCohortProject(app)
  await project.person("ana", { plan: "free" })
  const id = await makeCohort(project, { filters: filtersOf(is("plan", "paid")) })
  // As a crash between the commit and the calculation leaves it.
  const filters = JSON.stringify(filtersOf(is("plan", "free")))
  await app.db`
    update cohort set pending_version = pending_version + 1, is_calculating = true,
                      filters = ${filters}::text::json
    where id = ${id}`
  return { id, members: () => membersOf(project, id) }
}

test("a cohort that was changed is worked out by its job, whatever became of the request", async () => {
  const { id, members } = await addChanged()
  const { jobs, database } = app.app.services
  await jobs.enqueue(database.db, "calculate-cohort", { cohort_id: id })
  await expect.poll(members, SOON).toEqual(["ana"])
})

test("the refresh takes up cohorts that wait", async () => {
  const { members } = await addChanged()
  const { jobs, database } = app.app.services
  await jobs.enqueue(database.db, "refresh-cohorts", {})
  await expect.poll(members, SOON).toEqual(["ana"])
})
