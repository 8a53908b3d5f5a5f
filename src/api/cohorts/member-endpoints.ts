/** Persons that join and leave a static cohort one by one. */
import { addMembers, removeMembers } from "../../cohorts/members.ts"
import { inProject } from "../http/access.ts"
import { endpoint } from "../http/endpoint.ts"
import type { Services } from "../http/services.ts"
import { recordCohortChanges, type Writing } from "./activity.ts"
import { loadCohortToWrite, member, tag } from "./loading.ts"
import { checkIsStatic, parsePersonIds } from "./rules.ts"
import { Cohort, MembersDraft } from "./schema.ts"
import { enqueueCalculation, settleCohort } from "./settle.ts"
import { markChanged, readCohort } from "./store.ts"

const writing = {
  method: "POST",
  tag,
  access: inProject(),
  scope: "cohort:write",
  body: MembersDraft,
  reply: Cohort,
  load: loadCohortToWrite,
  after: settleCohort,
} as const

const add = endpoint({
  ...writing,
  name: "cohorts_add_persons",
  path: `${member}/add_persons_to_static_cohort`,
  summary: "Add persons to a static cohort, by number or UUID; who is not there is left out.",

  handle: ({ body, loaded: cohort, ...context }) =>
    changeMembers(context, { cohort, personIds: body.person_ids, change: addMembers }),
})

const remove = endpoint({
  ...writing,
  name: "cohorts_remove_persons",
  path: `${member}/remove_person_from_static_cohort`,
  summary: "Take persons out of a static cohort, by number or UUID.",

  handle: ({ body, loaded: cohort, ...context }) =>
    changeMembers(context, { cohort, personIds: body.person_ids, change: removeMembers }),
})

export const cohortMemberEndpoints = [add, remove]

interface MemberChange {
  readonly cohort: Cohort
  readonly personIds: readonly (string | number)[]
  readonly change: typeof addMembers
}

async function changeMembers(
  context: Writing & { readonly services: Services },
  { cohort, personIds, change }: MemberChange,
): Promise<Cohort> {
  const { db, project, services } = context
  const { id } = cohort
  checkIsStatic(cohort.is_static, "person_ids")
  await change(db, { id, project_id: project.id }, parsePersonIds(personIds, "person_ids"))
  await markChanged(db, id)
  await enqueueCalculation(services, db, id)
  const after = await readCohort(db, id)
  await recordCohortChanges(context, cohort, after)
  return after
}
