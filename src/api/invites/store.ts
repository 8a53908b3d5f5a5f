import { newUuid } from "../../lib/ids.ts"
import { type Db, first } from "../../relational/db.ts"
import { type Listing, listed, type Page } from "../http/paging.ts"
import { embeddedUser } from "../users/store.ts"
import type { GrantableProject, ProjectAccess } from "./project-access.ts"
import type { Offer } from "./rules.ts"
import type { Invite } from "./schema.ts"

const DAY_MS = 24 * 60 * 60 * 1_000

/** Invites made before this moment have expired. */
export function expiredBefore(now: Date, inviteDays: number): Date {
  return new Date(now.getTime() - inviteDays * DAY_MS)
}

export function expiryOf(createdAt: Date, inviteDays: number): Date {
  return new Date(createdAt.getTime() + inviteDays * DAY_MS)
}

function inviteColumns(db: Db, oldest: Date) {
  return db`
    i.id, i.target_email, i.first_name, i.emailing_attempt_made, i.level, i.created_at, i.updated_at,
    i.message, i.private_project_access, i.send_email, i.created_at < ${oldest} as is_expired,
    (select ${embeddedUser(db)} from app_user u where u.id = i.created_by) as created_by`
}

/** The newest first, the expired ones too. */
export function listInvites(
  db: Db,
  { organization_id, oldest }: { organization_id: string; oldest: Date },
  page: Page,
): Promise<Listing<Invite>> {
  const matching = db`from invite i where i.organization_id = ${organization_id}`
  return listed(
    page,
    db<Invite[]>`
      select ${inviteColumns(db, oldest)} ${matching}
      order by i.created_at desc, i.id desc limit ${page.limit} offset ${page.offset}`,
    () => db<{ count: number }[]>`select count(*) ${matching}`,
  )
}

export interface InvitedAddress {
  readonly organization_id: string
  readonly target_email: string
}

/** Whatever the case of the address. */
function isFor(db: Db, { organization_id, target_email }: InvitedAddress) {
  return db`organization_id = ${organization_id} and lower(target_email) = lower(${target_email})`
}

export function findPendingOffer(db: Db, address: InvitedAddress, oldest: Date) {
  return first(db<Offer[]>`
    select level, private_project_access from invite
    where ${isFor(db, address)} and created_at >= ${oldest}`)
}

export interface NewInvite extends InvitedAddress, Offer {
  readonly first_name: string
  readonly message: string | null
  readonly send_email: boolean
  readonly emailing_attempt_made: boolean
  readonly created_by: number
  readonly now: Date
}

/** Takes the place of every earlier invite of the address; the caller holds the organization's lock. */
export async function createInvite(db: Db, draft: NewInvite): Promise<Invite> {
  const { private_project_access: access, now } = draft
  await removeInvitesTo(db, draft)
  const id = newUuid()
  await db`
    insert into invite (id, organization_id, target_email, first_name, level, message,
                        private_project_access, send_email, emailing_attempt_made, created_by,
                        created_at, updated_at)
    values (${id}, ${draft.organization_id}, ${draft.target_email}, ${draft.first_name},
            ${draft.level}, ${draft.message}, ${access === null ? null : db.json(access as never)},
            ${draft.send_email}, ${draft.emailing_attempt_made}, ${draft.created_by}, ${now}, ${now})`
  // Just made, so it has not expired, whatever the setting.
  const [invite] = await db<[Invite]>`
    select ${inviteColumns(db, now)} from invite i where i.id = ${id}`
  return invite
}

export async function removeInvitesTo(db: Db, address: InvitedAddress): Promise<void> {
  await db`delete from invite where ${isFor(db, address)}`
}

/** The address it was for; undefined when there is no such invite. */
export function removeInvite(
  db: Db,
  { id, organization_id }: { id: string; organization_id: string },
) {
  return first(db<{ target_email: string }[]>`
    delete from invite where id = ${id} and organization_id = ${organization_id}
    returning target_email`)
}

/** An invite as whoever holds its link meets it. */
export interface OpenInvite extends Offer {
  readonly id: string
  readonly organization_id: string
  readonly organization_name: string
  readonly is_member_join_email_enabled: boolean
  readonly target_email: string
  readonly first_name: string
  readonly is_expired: boolean
}

export function findOpenInvite(db: Db, id: string, oldest: Date) {
  return first(db<OpenInvite[]>`
    select i.id, i.organization_id, o.name as organization_name, o.is_member_join_email_enabled,
           i.target_email, i.first_name, i.level, i.private_project_access,
           i.created_at < ${oldest} as is_expired
    from invite i join organization o on o.id = i.organization_id where i.id = ${id}`)
}

/** An invite as its mail tells it. */
export interface InviteLetter {
  readonly id: string
  readonly target_email: string
  readonly first_name: string
  readonly level: number
  readonly message: string | null
  readonly organization_name: string
  readonly inviter: { readonly first_name: string; readonly email: string } | null
}

export function findInviteLetter(db: Db, id: string) {
  return first(db<InviteLetter[]>`
    select i.id, i.target_email, i.first_name, i.level, i.message, o.name as organization_name,
           (select jsonb_build_object('first_name', u.first_name, 'email', u.email)
            from app_user u where u.id = i.created_by) as inviter
    from invite i join organization o on o.id = i.organization_id where i.id = ${id}`)
}

/** Those of the projects that are in the organization, with the inviter's own grants. */
export function listGrantableProjects(
  db: Db,
  { organization_id, user_id, ids }: { organization_id: string; user_id: number; ids: number[] },
) {
  return db<GrantableProject[]>`
    select p.id, p.access_control, g.level as grant_level from project p
    left join project_grant g on g.project_id = p.id and g.user_id = ${user_id}
    where p.organization_id = ${organization_id} and p.id = any(${ids}::integer[])`
}

/** Projects that are gone by now are passed over; a higher grant that is there stays. */
export async function grantProjects(
  db: Db,
  { organization_id, user_id, access }: GrantList,
): Promise<void> {
  await db`
    insert into project_grant (project_id, user_id, level)
    select p.id, ${user_id}::integer, max(a.level)
    from jsonb_to_recordset(${db.json(access as never)}) as a(id integer, level smallint)
    join project p on p.id = a.id and p.organization_id = ${organization_id}
    group by p.id
    on conflict (project_id, user_id)
      do update set level = greatest(project_grant.level, excluded.level)`
}

export interface GrantList {
  readonly organization_id: string
  readonly user_id: number
  readonly access: readonly ProjectAccess[]
}
