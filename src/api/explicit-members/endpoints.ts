/**
 * Who may see a private project besides the administrators of its organization. Grants may be made before
 * the project becomes private: until then they change nothing.
 */
import { invalid, notFound } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import type { Db } from "../../relational/db.ts"
import { recordActivity } from "../activity-log/store.ts"
import { inProject } from "../http/access.ts"
import type { Caller } from "../http/caller.ts"
import { endpoint, updateEndpoints } from "../http/endpoint.ts"
import { LEVEL } from "../http/levels.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import { findProject, moveOffHidden } from "../projects/store.ts"
import { ExplicitMember, ExplicitMemberDraft, ExplicitMemberUpdate } from "./schema.ts"
import {
  createGrant,
  findCandidate,
  findExplicitMember,
  listExplicitMembers,
  removeGrant,
  updateGrant,
} from "./store.ts"

const tag = "Projects"

const list = endpoint({
  name: "explicit_members_list",
  method: "GET",
  path: "/api/projects/:project_id/explicit_members",
  tag,
  summary: "List who was let into a private project.",
  access: inProject("admin"),
  scope: "project:read",
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  reply: envelopeOf(ExplicitMember),

  async handle({ db, project, page, paginate }) {
    return paginate(await listExplicitMembers(db, project.id, page))
  },
})

const create = endpoint({
  name: "explicit_members_create",
  method: "POST",
  path: "/api/projects/:project_id/explicit_members",
  tag,
  summary: "Let a member of the organization into a private project.",
  access: inProject("admin"),
  scope: "project:write",
  lock: "organization",
  body: ExplicitMemberDraft,
  reply: ExplicitMember,
  status: 201,

  async handle({ db, caller, now, organization, project, body }) {
    const { user_uuid, level = LEVEL.member } = body
    const user = await findCandidate(db, organization.id, user_uuid)
    if (user === undefined) {
      const detail = `The organization has no member with the id "${user_uuid}".`
      throw invalid(detail, "user_uuid", "does_not_exist")
    }
    const grant = { project_id: project.id, user_id: user.id, level }
    if (!(await createGrant(db, grant))) {
      throw invalid("This user was let into the project already.", "user_uuid", "unique")
    }
    const after = await getMember(db, { project_id: project.id, user_uuid })
    await recordGrant({ db, caller, now }, project.id, { before: null, after })
    return after
  },
})

const update = updateEndpoints({
  name: "explicit_members_update",
  path: "/api/projects/:project_id/explicit_members/:user__uuid",
  tag,
  summary: "Change the level of somebody who was let into a private project.",
  access: inProject("admin"),
  scope: "project:write",
  lock: "organization",
  body: ExplicitMemberUpdate,
  reply: ExplicitMember,
  load,

  async handle({ db, caller, now, project, loaded: before, body: { level = before.level } }) {
    await updateGrant(db, { project_id: project.id, user_id: before.user.id, level })
    const after = await getMember(db, { project_id: project.id, user_uuid: before.user.uuid })
    await recordGrant({ db, caller, now }, project.id, { before, after })
    return after
  },
})

const remove = endpoint({
  name: "explicit_members_destroy",
  method: "DELETE",
  path: "/api/projects/:project_id/explicit_members/:user__uuid",
  tag,
  summary: "Take back the access of somebody who was let into a private project.",
  access: inProject("admin"),
  scope: "project:write",
  lock: "organization",
  reply: null,
  load,

  async handle({ db, caller, now, project, loaded: before }) {
    await removeGrant(db, { project_id: project.id, user_id: before.user.id })
    await moveOffHidden(db, project.id)
    await recordGrant({ db, caller, now }, project.id, { before, after: null })
    return null
  },
})

export const explicitMemberEndpoints = [list, create, ...update, remove]

interface MemberContext {
  readonly db: Db
  readonly project: { readonly id: number }
  readonly params: { readonly user__uuid: string }
}

function load({ db, project, params }: MemberContext): Promise<ExplicitMember> {
  return getMember(db, { project_id: project.id, user_uuid: params.user__uuid })
}

async function getMember(db: Db, name: { project_id: number; user_uuid: string }) {
  const member = isUuid(name.user_uuid) ? await findExplicitMember(db, name) : undefined
  if (member === undefined) throw notFound()
  return member
}

interface GrantChange {
  readonly before: ExplicitMember | null
  readonly after: ExplicitMember | null
}

/** In the log of the project, as a change of one of its fields. */
async function recordGrant(
  { db, caller, now }: { db: Db; caller: Caller; now: Date },
  projectId: number,
  { before, after }: GrantChange,
): Promise<void> {
  const project = await findProject(db, projectId)
  if (project === undefined) throw notFound()
  const change = {
    type: "Project",
    action: before === null ? "created" : after === null ? "deleted" : "changed",
    field: "explicit_members",
    before: shown(before),
    after: shown(after),
  }
  await recordActivity(
    db,
    { caller, now },
    {
      organization_id: project.organization,
      project_id: projectId,
      scope: "Project",
      item_id: projectId,
      name: project.name,
      activity: "updated",
      changes: [change],
    },
  )
}

function shown(member: ExplicitMember | null) {
  return member === null ? null : { user: member.user.uuid, level: member.level }
}
