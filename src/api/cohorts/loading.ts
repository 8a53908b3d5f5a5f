/** What all endpoints of one cohort share. */
import { notFound } from "../../lib/errors.ts"
import type { Db } from "../../relational/db.ts"
import type { Cohort } from "./schema.ts"
import { findCohort, lockCohort } from "./store.ts"

export const tag = "Cohorts"
export const collection = "/api/projects/:project_id/cohorts"
export const member = `${collection}/:id` as const

const ID_MAX = 2_147_483_647

interface Place {
  readonly db: Db
  readonly project: { readonly id: number }
  readonly params: { readonly id: string }
}

export async function loadCohort({ db, project, params }: Place): Promise<Cohort> {
  const id = idIn(params)
  const cohort = id && (await findCohort(db, { project_id: project.id, id }))
  if (!cohort) throw notFound()
  return cohort
}

/** Locked until the end of the transaction. */
export async function loadCohortToWrite(place: Place): Promise<Cohort> {
  const id = idIn(place.params)
  if (id !== undefined) await lockCohort(place.db, { project_id: place.project.id, id })
  return loadCohort(place)
}

function idIn({ id }: { readonly id: string }): number | undefined {
  return /^\d{1,10}$/.test(id) && Number(id) <= ID_MAX ? Number(id) : undefined
}
