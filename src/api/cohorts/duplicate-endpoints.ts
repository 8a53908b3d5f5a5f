/** A dynamic cohort as it is at this moment, kept as a list. */
import { addMembers } from "../../cohorts/members.ts"
import { invalid } from "../../lib/errors.ts"
import { cohortMembers } from "../../query/filters/cohort-conditions.ts"
import { inProject } from "../http/access.ts"
import { endpoint } from "../http/endpoint.ts"
import type { Services } from "../http/services.ts"
import { recordCohortActivity, type Writing } from "./activity.ts"
import { loadCohort, member, tag } from "./loading.ts"
import { Cohort } from "./schema.ts"
import { enqueueCalculation, settleCohort } from "./settle.ts"
import { createCohort, readCohort } from "./store.ts"

/** As many as a name may have, less the suffix. */
const NAME_KEPT_CHARACTERS = 380

const duplicating = {
  path: `${member}/duplicate_as_static_cohort`,
  tag,
  access: inProject(),
  scope: "cohort:write",
  reply: Cohort,
  load: loadCohort,
} as const

const duplicate = endpoint({
  ...duplicating,
  name: "cohorts_duplicate_as_static",
  method: "POST",
  status: 201,
  summary: "Make a static cohort of those who are in a dynamic one now.",
  outside: ({ loaded, ...context }) => listMembers(context, loaded),
  handle: ({ loaded, brought, ...context }) => copy(context, loaded, brought),
  after: settleCohort,
})

/** Clients of old ask for a copy with GET. */
const duplicateByGet = endpoint({
  ...duplicating,
  name: "cohorts_duplicate_as_static_by_get",
  method: "GET",
  summary: "The same as POST: makes a static cohort of those who are in a dynamic one now.",

  async handle({ loaded, ...context }) {
    const { services } = context
    const members = await listMembers(context, loaded)
    const made = await services.database.transaction((db) =>
      copy({ ...context, db }, loaded, members),
    )
    await settleCohort(services, made)
    return made
  },
})

export const cohortDuplicateEndpoints = [duplicate, duplicateByGet]

interface Duplicating extends Writing {
  readonly services: Services
  readonly caller: { readonly user: { readonly id: number } }
}

async function listMembers(
  { services, project }: Pick<Duplicating, "services" | "project">,
  { id, is_static }: Cohort,
): Promise<readonly string[]> {
  if (is_static) throw invalid("The cohort is static already: there is nothing to keep.")
  const { columnar, config } = services
  const query = cohortMembers({ project_id: project.id, cohort_id: id })
  const rows = await columnar.rows(query, { timeoutMs: config.query.timeoutMs })
  return [...new Set(rows.map(({ person_id }) => String(person_id)))]
}

async function copy(
  context: Duplicating,
  { name, description }: Cohort,
  uuids: readonly string[],
): Promise<Cohort> {
  const { db, caller, project, now, services } = context
  const draft = {
    ...{ project_id: project.id, name: `${name.slice(0, NAME_KEPT_CHARACTERS)} (static copy)` },
    ...{ description, is_static: true, created_by: caller.user.id, now },
  }
  const id = await createCohort(db, draft)
  await addMembers(db, { id, project_id: project.id }, { uuids })
  await enqueueCalculation(services, db, id)
  await recordCohortActivity(context, { id, name: draft.name }, "created")
  return readCohort(db, id)
}
