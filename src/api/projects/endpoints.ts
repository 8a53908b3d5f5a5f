import { forbidden, notFound } from "../../lib/errors.ts"
import type { Db } from "../../relational/db.ts"
import { changesBetween, recordActivity } from "../activity-log/store.ts"
import { inOrganization, signedIn, theProject } from "../http/access.ts"
import type { Caller } from "../http/caller.ts"
import { endpoint, updateEndpoints } from "../http/endpoint.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import { checkKeyReaches, checkMayChange, checkOrganizationAdmin } from "./rules.ts"
import { Project, ProjectBasics, ProjectDraft, ProjectDraftSomewhere } from "./schema.ts"
import {
  createProject,
  findHome,
  findProject,
  listProjects,
  makeCurrent,
  moveOffHidden,
  newProjectToken,
  removeProject,
  updateProject,
} from "./store.ts"

const tag = "Projects"
/** The log says that they changed, never to what. */
const SECRET_FIELDS = ["api_token", "slack_incoming_webhook"]

const list = endpoint({
  name: "projects_list",
  method: "GET",
  path: "/api/projects",
  tag,
  summary: "List the projects you can see, of all your organizations.",
  access: signedIn("all"),
  scope: "project:read",
  isKept: true,
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  reply: envelopeOf(ProjectBasics),

  async handle({ db, caller: { user, key }, page, paginate }) {
    const organizationIds = key?.scoped_organizations ?? []
    const projectIds = key?.scoped_teams ?? []
    const filter = { userId: user.id, organizationIds, projectIds }
    return paginate(await listProjects(db, filter, page))
  },
})

const listOfOrganization = endpoint({
  name: "organization_projects_list",
  method: "GET",
  path: "/api/organizations/:organization_id/projects",
  tag,
  summary: "List the projects you can see in one organization.",
  access: inOrganization(),
  scope: "project:read",
  isKept: true,
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  reply: envelopeOf(ProjectBasics),

  async handle({ db, caller: { user }, organization, page, paginate }) {
    const filter = { userId: user.id, organizationIds: [organization.id], projectIds: [] }
    return paginate(await listProjects(db, filter, page))
  },
})

const create = endpoint({
  name: "projects_create",
  method: "POST",
  path: "/api/projects",
  tag,
  summary: "Create a project in your current organization or in the one that `organization` names.",
  access: signedIn(),
  scope: "project:write",
  body: ProjectDraftSomewhere,
  reply: Project,
  status: 201,

  async handle({ db, caller, now, body: { organization: wanted, ...draft } }) {
    const { id: userId, current_organization_id: current } = caller.user
    const limits = caller.key?.scoped_organizations ?? []
    const home = await findHome(db, { userId, wanted, current, limits })
    if (home === undefined) {
      throw wanted === undefined
        ? notFound("You need to belong to an organization.")
        : forbidden("You don't have access to the organization.")
    }
    checkKeyReaches(caller.key, home.id)
    checkOrganizationAdmin(home, "create projects")
    return addProject({ db, caller, now }, home, draft)
  },
})

const createInOrganization = endpoint({
  name: "organization_projects_create",
  method: "POST",
  path: "/api/organizations/:organization_id/projects",
  tag,
  summary: "Create a project in one organization.",
  access: inOrganization("admin"),
  scope: "project:write",
  lock: "organization",
  body: ProjectDraft,
  reply: Project,
  status: 201,

  handle: ({ db, caller, now, organization, body }) =>
    addProject({ db, caller, now }, organization, body),
})

const retrieve = endpoint({
  name: "projects_retrieve",
  method: "GET",
  path: "/api/projects/:id",
  tag,
  summary: "Get one project with its settings.",
  access: theProject(),
  scope: "project:read",
  isKept: true,
  reply: Project,

  handle: ({ db, project }) => getProject(db, project),
})

const update = updateEndpoints({
  name: "projects_update",
  path: "/api/projects/:id",
  tag,
  summary: "Change the settings of a project; access_control needs an administrator.",
  access: theProject(),
  scope: "project:write",
  lock: "organization",
  body: ProjectDraft,
  reply: Project,

  async handle({ db, caller, now, organization, project, body }) {
    const before = await getProject(db, project, "write")
    checkMayChange(organization, before, body)
    await updateProject(db, project.id, { changes: body, now })
    if (body.access_control === true) await moveOffHidden(db, project.id)
    const after = await getProject(db, project)
    const entry = updatedEntry(before, after, Object.keys(body))
    await recordActivity(db, { caller, now }, entry)
    return after
  },
})

const remove = endpoint({
  name: "projects_destroy",
  method: "DELETE",
  path: "/api/projects/:id",
  tag,
  summary: "Delete a project; its events are deleted later, by schedule.",
  access: theProject("admin"),
  scope: "project:write",
  lock: "organization",
  reply: null,

  async handle({ db, caller, now, organization, project }) {
    // Who administers only this project, by a grant, does not decide over its existence.
    checkOrganizationAdmin(organization, "delete projects")
    const before = await getProject(db, project, "write")
    await removeProject(db, project.id, { userId: caller.user.id, now })
    const entry = { ...entryOf(before), activity: "deleted" }
    await recordActivity(db, { caller, now }, entry)
    return null
  },
})

const tokenReset = {
  path: "/api/projects/:id/reset_token",
  tag,
  summary: "Give a project a new token; the old one stops working at once.",
  access: theProject("admin"),
  scope: "project:write",
  lock: "organization",
  reply: Project,

  async handle({ db, caller, now, project }: TokenResetContext) {
    const before = await getProject(db, project, "write")
    await updateProject(db, project.id, { changes: { api_token: newProjectToken() }, now })
    const after = await getProject(db, project)
    await recordActivity(db, { caller, now }, updatedEntry(before, after, ["api_token"]))
    return after
  },
} as const

interface TokenResetContext extends Author {
  readonly project: Seen
}

const resetToken = endpoint({
  ...tokenReset,
  name: "projects_reset_token_partial",
  method: "PATCH",
})
const resetTokenByPost = endpoint({ ...tokenReset, name: "projects_reset_token", method: "POST" })

export const projectEndpoints = [
  ...[list, listOfOrganization, create, createInOrganization, retrieve, ...update, remove],
  ...[resetToken, resetTokenByPost],
]

interface Author {
  readonly db: Db
  readonly caller: Caller
  readonly now: Date
}

/** A project and the level of whoever looks at it. */
interface Seen {
  readonly id: number
  readonly level: number
}

/** The new project becomes the current one of its maker. */
async function addProject(
  { db, caller, now }: Author,
  organization: { id: string; level: number },
  { name, ...settings }: ProjectDraft,
): Promise<Project> {
  const { id } = await createProject(db, { organization_id: organization.id, name, now })
  await updateProject(db, id, { changes: settings, now })
  await makeCurrent(db, caller.user.id, { id, organization_id: organization.id })
  const project = await getProject(db, { id, level: organization.level })
  await recordActivity(db, { caller, now }, { ...entryOf(project), activity: "created" })
  return project
}

async function getProject(
  db: Db,
  { id, level }: Seen,
  purpose: "read" | "write" = "read",
): Promise<Project> {
  const row = await findProject(db, id, purpose)
  if (row === undefined) throw notFound()
  const absent = { primary_dashboard: null, has_group_types: false }
  return { ...row, ...absent, effective_membership_level: level }
}

function entryOf({ id, organization, name }: Project) {
  return { organization_id: organization, project_id: id, scope: "Project", item_id: id, name }
}

/** Both as stored: the store orders the keys of JSON in its own way. */
function updatedEntry(before: Project, after: Project, fields: readonly string[]) {
  const written = Object.entries(after).filter(([field]) => fields.includes(field))
  const changes = changesBetween("Project", before, Object.fromEntries(written), SECRET_FIELDS)
  return { ...entryOf(before), activity: "updated", changes }
}
