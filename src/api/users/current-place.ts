/** Where a user is: the organization and the project that `@current` stands for. */
import { invalid } from "../../lib/errors.ts"
import type { Db } from "../../relational/db.ts"
import type { Caller } from "../http/caller.ts"
import { mayEnter, mayEnterOrganization } from "./rules.ts"
import type { MeDraft } from "./schema.ts"
import {
  findFirstProject,
  listOwnOrganizations,
  listOwnProjects,
  type UserChanges,
} from "./store.ts"

type PlaceChange = Pick<UserChanges, "current_organization_id" | "current_project_id">

/** A project brings its organization along; an organization starts at the first project one can see there. */
export async function placeChangeOf(
  db: Db,
  caller: Caller,
  { set_current_organization: organizationId, set_current_team: projectId }: MeDraft,
): Promise<PlaceChange> {
  if (organizationId !== undefined) await checkOrganization(db, caller, organizationId)
  if (projectId === undefined) {
    if (organizationId === undefined) return {}
    const first = await findFirstProject(db, caller.user.id, organizationId)
    return { current_organization_id: organizationId, current_project_id: first ?? null }
  }
  const [project] = await listOwnProjects(db, caller.user.id, [projectId])
  if (project === undefined || !mayEnter(caller.key, project)) {
    const detail = `There is no project with the id ${projectId} that you can see.`
    throw invalid(detail, "set_current_team", "does_not_exist")
  }
  if (organizationId !== undefined && organizationId.toLowerCase() !== project.organization_id) {
    const detail = `Project ${projectId} belongs to another organization than ${organizationId}.`
    throw invalid(detail, "set_current_team")
  }
  return { current_organization_id: project.organization_id, current_project_id: project.id }
}

async function checkOrganization(db: Db, caller: Caller, id: string): Promise<void> {
  const own = await listOwnOrganizations(db, caller.user.id, [id])
  if (own.length === 1 && mayEnterOrganization(caller.key, id.toLowerCase())) return
  const detail = `There is no organization with the id ${id} that you belong to.`
  throw invalid(detail, "set_current_organization", "does_not_exist")
}
