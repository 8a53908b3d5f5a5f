import { invalid, notFound } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import type { Db } from "../../relational/db.ts"
import { changesBetween, recordActivity } from "../activity-log/store.ts"
import { inOrganization } from "../http/access.ts"
import type { Caller } from "../http/caller.ts"
import { endpoint, updateEndpoints } from "../http/endpoint.ts"
import { LEVEL } from "../http/levels.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import { checkMayTouch, checkNewLevel } from "./rules.ts"
import { Member, MemberDraft, MemberFilter } from "./schema.ts"
import { findMember, hasOtherOwner, listMembers, removeMember, updateMember } from "./store.ts"

const tag = "Members"

const list = endpoint({
  name: "members_list",
  method: "GET",
  path: "/api/organizations/:organization_id/members",
  tag,
  summary: "List the members of the organization, the newest first.",
  access: inOrganization(),
  scope: "organization_member:read",
  isKept: true,
  query: MemberFilter,
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  reply: envelopeOf(Member),

  async handle({ db, organization, query: filter, page, paginate }) {
    return paginate(await listMembers(db, { organization_id: organization.id, filter }, page))
  },
})

const update = updateEndpoints({
  name: "members_update",
  path: "/api/organizations/:organization_id/members/:user__uuid",
  tag,
  summary: "Change the level of a member: 1 member, 8 administrator, 15 owner.",
  access: inOrganization(),
  scope: "organization_member:write",
  lock: "organization",
  body: MemberDraft,
  reply: Member,
  load: getTouchableMember,

  async handle({ db, caller, now, organization, loaded, body: { level } }) {
    if (level === undefined) return loaded
    const actor = { userId: caller.user.id, level: organization.level }
    checkNewLevel(actor, { userId: loaded.user.id, level: loaded.level }, level)
    await updateMember(db, loaded.id, { level, now })
    const changes = changesBetween("OrganizationMembership", loaded, { level })
    const entry = { ...entryOf(organization.id, loaded), activity: "updated", changes }
    await recordActivity(db, { caller, now }, entry)
    return getMember(db, { organization_id: organization.id, uuid: loaded.user.uuid })
  },
})

const remove = endpoint({
  name: "members_destroy",
  method: "DELETE",
  path: "/api/organizations/:organization_id/members/:user__uuid",
  tag,
  summary: "Remove a member from the organization, or leave it yourself (@me).",
  access: inOrganization(),
  scope: "organization_member:write",
  lock: "organization",
  reply: null,
  load: getTouchableMember,

  async handle({ db, caller, now, organization, loaded }) {
    const key = { organization_id: organization.id, user_id: loaded.user.id }
    if (loaded.level === LEVEL.owner && !(await hasOtherOwner(db, key))) {
      throw invalid("The only owner cannot leave the organization; make somebody else owner first.")
    }
    await removeMember(db, key)
    const entry = { ...entryOf(organization.id, loaded), activity: "deleted" }
    await recordActivity(db, { caller, now }, entry)
    return null
  },
})

export const memberEndpoints = [list, ...update, remove]

interface Named {
  readonly db: Db
  readonly caller: Caller
  readonly organization: { readonly id: string; readonly level: number }
  readonly params: { readonly user__uuid: string }
}

/** The member the path names, when the caller may change or remove it. */
async function getTouchableMember({ db, caller, organization, params }: Named): Promise<Member> {
  const uuid = params.user__uuid === "@me" ? caller.user.uuid : params.user__uuid
  const member = await getMember(db, { organization_id: organization.id, uuid })
  const actor = { userId: caller.user.id, level: organization.level }
  checkMayTouch(actor, { userId: member.user.id, level: member.level })
  return member
}

async function getMember(db: Db, address: Parameters<typeof findMember>[1]): Promise<Member> {
  const member = isUuid(address.uuid) ? await findMember(db, address) : undefined
  if (member === undefined) throw notFound()
  return member
}

function entryOf(organizationId: string, { id, user }: Member) {
  return {
    organization_id: organizationId,
    scope: "OrganizationMembership",
    item_id: id,
    name: user.email,
  }
}
