/**
 * The use of an invite: membership, grants, no invite left, and word to the others. All in the caller's
 * transaction and under the organization's lock.
 */
import { sendMemberJoined } from "../../jobs/tasks/send-member-joined.ts"
import { notFound } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import type { Db } from "../../relational/db.ts"
import { recordActivity } from "../activity-log/store.ts"
import type { Services } from "../http/services.ts"
import {
  expiredBefore,
  findOpenInvite,
  grantProjects,
  type OpenInvite,
  removeInvitesTo,
} from "../invites/store.ts"
import type { Member } from "../members/schema.ts"
import { createMember, listOtherMembers, lockOrganization, makeCurrent } from "../members/store.ts"
import { alreadyMember } from "./rules.ts"

/** In a larger organization the rest reads it in the list of members. */
const MAILED_MEMBERS_MAX = 1_000

export interface Joining {
  readonly db: Db
  readonly now: Date
  readonly services: Services
  readonly siteUrl: string
}

export async function getInvite(
  { db, now, services }: Pick<Joining, "db" | "now" | "services">,
  id: string,
): Promise<OpenInvite> {
  const oldest = expiredBefore(now, services.config.inviteDays)
  const invite = isUuid(id) ? await findOpenInvite(db, id, oldest) : undefined
  if (invite === undefined) throw notFound()
  return invite
}

/** The invite as it is once nobody else can use, replace or withdraw it. */
export async function lockInvite(joining: Joining, found: OpenInvite): Promise<OpenInvite> {
  await lockOrganization(joining.db, found.organization_id)
  return getInvite(joining, found.id)
}

export async function join(joining: Joining, invite: OpenInvite, userId: number): Promise<Member> {
  const { db, now } = joining
  const { organization_id } = invite
  const key = { organization_id, user_id: userId }
  const member = await createMember(db, { ...key, level: invite.level, now })
  if (member === undefined) throw alreadyMember()
  await grantProjects(db, { ...key, access: invite.private_project_access ?? [] })
  await removeInvitesTo(db, invite)
  await makeCurrent(db, key)
  await recordActivity(
    db,
    { caller: member, now },
    {
      organization_id,
      activity: "created",
      scope: "OrganizationMembership",
      item_id: member.id,
      name: member.user.email,
    },
  )
  await tellOthers(joining, invite, userId)
  return member
}

async function tellOthers({ db, services, siteUrl }: Joining, invite: OpenInvite, userId: number) {
  const { organization_id, is_member_join_email_enabled } = invite
  if (!is_member_join_email_enabled || services.config.smtpUrl === undefined) return
  const key = { organization_id, user_id: userId }
  const readers = await listOtherMembers(db, { ...key, limit: MAILED_MEMBERS_MAX })
  const jobs = readers.map((reader_id) =>
    services.jobs.enqueue(db, sendMemberJoined.name, {
      ...{ organization_id, newcomer_id: userId, reader_id, site_url: siteUrl },
    }),
  )
  await Promise.all(jobs)
}
