import { addMembers } from "../../cohorts/members.ts"
import { cohortQuery } from "../../cohorts/question.ts"
import { invalid } from "../../lib/errors.ts"
import type { Db } from "../../relational/db.ts"
import { inProject } from "../http/access.ts"
import { endpoint } from "../http/endpoint.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import type { Services } from "../http/services.ts"
import { recordCohortActivity, recordCohortChanges, type Writing } from "./activity.ts"
import { cohortDuplicateEndpoints } from "./duplicate-endpoints.ts"
import { collection, loadCohort, loadCohortToWrite, member, tag } from "./loading.ts"
import { cohortMemberEndpoints } from "./member-endpoints.ts"
import { type Definition, parseAdded, parseDefinition } from "./rules.ts"
import { Cohort, CohortDraft, CohortReplacement, CohortUpdate } from "./schema.ts"
import { enqueueCalculation, settleCohort } from "./settle.ts"
import {
  checkReferences,
  createCohort,
  listCohorts,
  lockDefinitions,
  markChanged,
  markDeleted,
  readCohort,
  updateCohort,
} from "./store.ts"

const list = endpoint({
  name: "cohorts_list",
  method: "GET",
  path: collection,
  tag,
  summary: "List cohorts, newest first.",
  access: inProject(),
  scope: "cohort:read",
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  reply: envelopeOf(Cohort),

  async handle({ db, project, page, paginate }) {
    return paginate(await listCohorts(db, project.id, page))
  },
})

const create = endpoint({
  name: "cohorts_create",
  method: "POST",
  path: collection,
  tag,
  summary:
    "Create a cohort: a dynamic one by its filters, or a static one by a list of persons (a CSV " +
    "file of distinct ids, or numbers and UUIDs of persons).",
  access: inProject(),
  scope: "cohort:write",
  takesUpload: true,
  body: CohortDraft,
  reply: Cohort,
  status: 201,
  after: settleCohort,

  async handle({ body, ...context }) {
    const { db, caller, project, now } = context
    const is_static = body.is_static ?? false
    const definition = parseDefinition(body, is_static)
    const added = parseAdded(body, is_static)
    if (!is_static && definition === undefined) {
      throw invalid("A cohort that is not static needs filters.", "filters", "required")
    }
    await checkDefinition(context, definition)
    const id = await createCohort(db, {
      ...{ project_id: project.id, name: body.name, description: body.description ?? "" },
      ...{ is_static, created_by: caller.user.id, now, ...definition },
    })
    if (added !== undefined) await addMembers(db, { id, project_id: project.id }, added)
    await enqueueCalculation(context.services, db, id)
    await recordCohortActivity(context, { id, name: body.name }, "created")
    return readCohort(db, id)
  },
})

const retrieve = endpoint({
  name: "cohorts_retrieve",
  method: "GET",
  path: member,
  tag,
  summary: "Get one cohort.",
  access: inProject(),
  scope: "cohort:read",
  reply: Cohort,
  load: loadCohort,

  handle: async ({ loaded: cohort }) => cohort,
})

const updating = {
  path: member,
  tag,
  summary:
    "Change a cohort; `deleted: true` deletes it. A file or a list of persons adds to a static one.",
  access: inProject(),
  scope: "cohort:write",
  takesUpload: true,
  reply: Cohort,
  load: loadCohortToWrite,
  after: settleCohort,
} as const

const update = [
  endpoint({
    ...updating,
    name: "cohorts_update_partial",
    method: "PATCH",
    body: CohortUpdate,
    handle: ({ body, loaded, ...context }) => change(context, loaded, body),
  }),
  endpoint({
    ...updating,
    name: "cohorts_update",
    method: "PUT",
    body: CohortReplacement,
    handle: ({ body, loaded, ...context }) => change(context, loaded, body),
  }),
]

export const cohortEndpoints = [
  list,
  create,
  retrieve,
  ...update,
  ...cohortMemberEndpoints,
  ...cohortDuplicateEndpoints,
]

interface Changing extends Writing {
  readonly services: Services
}

async function change(context: Changing, before: Cohort, draft: CohortUpdate): Promise<Cohort> {
  const { db, project, now } = context
  const { id, is_static } = before
  if (draft.is_static !== undefined && draft.is_static !== is_static) {
    throw invalid("A cohort stays static or dynamic: duplicate it instead.", "is_static")
  }
  const definition = parseDefinition(draft, is_static)
  const added = parseAdded(draft, is_static)
  const isRedefined = definition !== undefined && differs(before, definition)
  if (isRedefined) await checkDefinition(context, definition, id)
  await updateCohort(db, id, { ...namesIn(draft), ...(isRedefined ? definition : {}) })
  const joined = added && (await addMembers(db, { id, project_id: project.id }, added))
  if (isRedefined || joined !== undefined) await markChanged(db, id)
  if (draft.deleted === true) await markDeleted(db, id, now)
  if (isRedefined || joined !== undefined || draft.deleted) {
    await enqueueCalculation(context.services, db, id)
  }
  const after = await readCohort(db, id)
  await recordCohortChanges(context, before, after)
  return after
}

function namesIn({ name, description }: CohortUpdate) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description: description ?? "" }),
  }
}

function differs(before: Cohort, { filters, groups, query }: Definition): boolean {
  const textOf = (cohort: object) => JSON.stringify(cohort)
  return (
    textOf({ filters, groups, query }) !==
    textOf({ filters: before.filters, groups: before.groups, query: before.query })
  )
}

interface DefinitionPlace {
  readonly db: Db
  readonly now: Date
  readonly project: { readonly id: number }
}

/** Takes the lock under which loops are looked for. What would only show later is told at once. */
async function checkDefinition(
  { db, now, project: { id: project_id } }: DefinitionPlace,
  definition: Definition | undefined,
  id?: number,
): Promise<void> {
  if (definition?.filters == null) return
  await lockDefinitions(db, project_id)
  await cohortQuery(db, definition.filters, { project_id, now })
  await checkReferences(db, { project_id, id }, definition.depends_on)
}
