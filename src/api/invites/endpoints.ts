import { sendInvite } from "../../jobs/tasks/send-invite.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import type { Db } from "../../relational/db.ts"
import { recordActivity } from "../activity-log/store.ts"
import { inOrganization } from "../http/access.ts"
import type { Caller } from "../http/caller.ts"
import { endpoint } from "../http/endpoint.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import type { Services } from "../http/services.ts"
import { findMemberAddress } from "../members/store.ts"
import { checkMayGrant } from "./project-access.ts"
import { checkInviteLevel, combineOffers, type Offer, offerOf } from "./rules.ts"
import { Invite, InviteBatch, InviteDraft, InviteOrInvites } from "./schema.ts"
import {
  createInvite,
  expiredBefore,
  expiryOf,
  findPendingOffer,
  listGrantableProjects,
  listInvites,
  removeInvite,
} from "./store.ts"

const tag = "Invites"

const list = endpoint({
  name: "invites_list",
  method: "GET",
  path: "/api/organizations/:organization_id/invites",
  tag,
  summary: "List the open invites, the newest first; expired ones too.",
  access: inOrganization(),
  scope: "organization_member:read",
  isKept: true,
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  reply: envelopeOf(Invite),

  async handle({ db, now, services, organization, page, paginate }) {
    const oldest = expiredBefore(now, services.config.inviteDays)
    const which = { organization_id: organization.id, oldest }
    return paginate(await listInvites(db, which, page))
  },
})

const create = endpoint({
  name: "invites_create",
  method: "POST",
  path: "/api/organizations/:organization_id/invites",
  tag,
  summary: "Invite a person; an earlier invite of the same address is replaced.",
  access: inOrganization(),
  scope: "organization_member:write",
  lock: "organization",
  body: InviteDraft,
  reply: Invite,
  status: 201,

  async handle({ body, ...inviting }) {
    const [offer = offerOf(body)] = await checkedOffers(inviting, [body])
    return inviteOne(inviting, body, offer)
  },
})

const createMany = endpoint({
  name: "invites_bulk_create",
  method: "POST",
  path: "/api/organizations/:organization_id/invites/bulk",
  tag,
  summary: "Invite up to 20 people, all or none. A list answers a list, one invite answers one.",
  access: inOrganization(),
  scope: "organization_member:write",
  lock: "organization",
  body: InviteBatch,
  reply: InviteOrInvites,

  async handle({ body: { drafts, isList }, ...inviting }) {
    const offers = await checkedOffers(inviting, drafts)
    const invites: Invite[] = []
    for (const [index, draft] of drafts.entries()) {
      invites.push(await inviteOne(inviting, draft, offers[index] ?? offerOf(draft)))
    }
    const [only] = invites
    return isList || only === undefined ? invites : only
  },
})

const remove = endpoint({
  name: "invites_destroy",
  method: "DELETE",
  path: "/api/organizations/:organization_id/invites/:id",
  tag,
  summary: "Withdraw an invite.",
  access: inOrganization(),
  scope: "organization_member:write",
  lock: "organization",
  reply: null,

  async handle({ db, caller, now, organization, params: { id } }) {
    const key = { id, organization_id: organization.id }
    const removed = isUuid(id) ? await removeInvite(db, key) : undefined
    if (removed === undefined) throw notFound()
    const entry = { ...entryOf(organization.id, { id, ...removed }), activity: "deleted" }
    await recordActivity(db, { caller, now }, entry)
    return null
  },
})

export const inviteEndpoints = [list, create, createMany, remove]

/** Who invites, where and when: the context of both endpoints. */
interface Inviting {
  readonly db: Db
  readonly caller: Caller
  readonly now: Date
  readonly organization: { readonly id: string; readonly level: number }
  readonly services: Services
  readonly siteUrl: string
}

/** What each draft offers, combined with a pending offer where asked: nobody gives more than they may. */
async function checkedOffers(inviting: Inviting, drafts: readonly InviteDraft[]): Promise<Offer[]> {
  const { db, organization } = inviting
  const offers: Offer[] = []
  for (const draft of drafts) {
    const offer = await combinedOffer(inviting, draft)
    checkInviteLevel(offer.level, organization.level)
    offers.push(offer)
  }
  await checkGrants(inviting, offers)
  const emails = drafts.map(({ target_email }) => target_email)
  const member = await findMemberAddress(db, { organization_id: organization.id, emails })
  if (member === undefined) return offers
  throw invalid(`${member.email} already belongs to the organization.`)
}

async function combinedOffer(inviting: Inviting, draft: InviteDraft): Promise<Offer> {
  const { db, now, organization, services } = inviting
  const offer = offerOf(draft)
  if (draft.combine_pending_invites !== true) return offer
  const address = { organization_id: organization.id, target_email: draft.target_email }
  const oldest = expiredBefore(now, services.config.inviteDays)
  const pending = await findPendingOffer(db, address, oldest)
  return pending === undefined ? offer : combineOffers(offer, pending)
}

async function checkGrants(inviting: Inviting, offers: readonly Offer[]): Promise<void> {
  const { db, caller, organization } = inviting
  const asked = offers.flatMap(({ private_project_access }) => private_project_access ?? [])
  if (asked.length === 0) return
  const ids = asked.map(({ id }) => id)
  const inviter = { organization_id: organization.id, user_id: caller.user.id }
  const projects = await listGrantableProjects(db, { ...inviter, ids })
  const byId = new Map(projects.map((project) => [project.id, project]))
  for (const access of asked) checkMayGrant(access, organization.level, byId.get(access.id))
}

/** The mail is a job of the same transaction: an invite that is not stored sends none. */
async function inviteOne(inviting: Inviting, draft: InviteDraft, offer: Offer): Promise<Invite> {
  const { db, caller, now, organization, services } = inviting
  const { inviteDays, smtpUrl } = services.config
  const sendEmail = draft.send_email ?? true
  const invite = await createInvite(db, {
    ...offer,
    organization_id: organization.id,
    target_email: draft.target_email,
    first_name: draft.first_name ?? "",
    message: draft.message ?? null,
    send_email: sendEmail,
    emailing_attempt_made: smtpUrl !== undefined && sendEmail,
    created_by: caller.user.id,
    now,
  })
  if (invite.emailing_attempt_made) {
    await services.jobs.enqueue(db, sendInvite.name, {
      invite_id: invite.id,
      site_url: inviting.siteUrl,
      expires_at: expiryOf(now, inviteDays).toISOString(),
    })
  }
  const entry = { ...entryOf(organization.id, invite), activity: "created" }
  await recordActivity(db, { caller, now }, entry)
  return invite
}

function entryOf(organizationId: string, invite: { id: string; target_email: string }) {
  return {
    organization_id: organizationId,
    scope: "OrganizationInvite",
    item_id: invite.id,
    name: invite.target_email,
  }
}
