import { newUuid } from "../../lib/ids.ts"
import { type Db, first } from "../../relational/db.ts"
import { LEVEL } from "../http/levels.ts"
import { type Listing, listed, type Page } from "../http/paging.ts"
import { visibleTo } from "../projects/store.ts"
import { embeddedUser } from "../users/store.ts"
import type { Member, MemberFilter } from "./schema.ts"

function memberColumns(db: Db) {
  return db`m.id, ${embeddedUser(db)} as user, m.level, m.joined_at, m.updated_at,
            false as is_2fa_enabled, false as has_social_auth`
}

/** People whose account is deactivated keep their membership, but are shown to nobody. */
function membersOf(db: Db, organizationId: string) {
  return db`from membership m join app_user u on u.id = m.user_id
            where m.organization_id = ${organizationId} and u.is_active`
}

/** The newest first, unless the filter says otherwise. */
export function listMembers(
  db: Db,
  { organization_id, filter }: { organization_id: string; filter: MemberFilter },
  page: Page,
): Promise<Listing<Member>> {
  const matching = db`${membersOf(db, organization_id)} ${conditions(db, filter)}`
  const order =
    filter.order === "joined_at" ? db`m.joined_at, m.id` : db`m.joined_at desc, m.id desc`
  return listed(
    page,
    db<Member[]>`
      select ${memberColumns(db)} ${matching}
      order by ${order} limit ${page.limit} offset ${page.offset}`,
    () => db<{ count: number }[]>`select count(*) ${matching}`,
  )
}

function conditions(db: Db, { email, search, updated_after }: MemberFilter) {
  const isFound = (text: string) => db`
    and (strpos(lower(u.first_name || ' ' || u.last_name), lower(${text})) > 0
         or strpos(lower(u.email), lower(${text})) > 0)`
  return db`
    ${email ? db`and u.email = ${email}` : db``}
    ${updated_after ? db`and m.updated_at > ${updated_after}` : db``}
    ${search ? isFound(search) : db``}`
}

export function findMember(db: Db, { organization_id, uuid }: MemberAddress) {
  return first(
    db<
      Member[]
    >`select ${memberColumns(db)} ${membersOf(db, organization_id)} and u.uuid = ${uuid}`,
  )
}

export interface MemberAddress {
  readonly organization_id: string
  /** Of the user. */
  readonly uuid: string
}

export interface MemberKey {
  readonly organization_id: string
  readonly user_id: number
}

/** Waits for every other change of who is in the organization; until the end of the transaction. */
export async function lockOrganization(db: Db, id: string): Promise<void> {
  await db`select 1 from organization where id = ${id} for no key update`
}

/** Undefined when the user already is a member. */
export async function createMember(
  db: Db,
  { organization_id, user_id, level, now }: MemberKey & { level: number; now: Date },
): Promise<Member | undefined> {
  const id = newUuid()
  await db`
    insert into membership (id, organization_id, user_id, level, joined_at, updated_at)
    values (${id}, ${organization_id}, ${user_id}, ${level}, ${now}, ${now})
    on conflict (organization_id, user_id) do nothing`
  return first(
    db<Member[]>`select ${memberColumns(db)} ${membersOf(db, organization_id)} and m.id = ${id}`,
  )
}

export async function updateMember(
  db: Db,
  id: string,
  { level, now }: { level: number; now: Date },
): Promise<void> {
  await db`update membership set level = ${level}, updated_at = ${now} where id = ${id}`
}

/**
 * The account and its keys stay; what it could see here, and that it is here, goes. The user's row is held,
 * because another organization may be removing them too and must not be where they are sent.
 */
export async function removeMember(db: Db, key: MemberKey): Promise<void> {
  const { organization_id, user_id } = key
  await db`select 1 from app_user where id = ${user_id} for no key update`
  await db`
    delete from project_grant g using project p
    where p.id = g.project_id and p.organization_id = ${organization_id} and g.user_id = ${user_id}`
  await db`
    delete from membership where organization_id = ${organization_id} and user_id = ${user_id}`
  await leaveCurrent(db, key)
}

/** Whoever was looking at the organization looks at their first other one now, or at none. */
async function leaveCurrent(db: Db, { organization_id, user_id }: MemberKey): Promise<void> {
  await db`
    update app_user set (current_organization_id, current_project_id) = (
      select m.organization_id, ${firstProject(db, user_id)} from membership m
      where m.user_id = ${user_id} order by m.joined_at, m.id limit 1)
    where id = ${user_id} and current_organization_id = ${organization_id}`
}

/** Makes an organization of the user's the one they look at. */
export async function makeCurrent(db: Db, { organization_id, user_id }: MemberKey): Promise<void> {
  await db`
    update app_user set (current_organization_id, current_project_id) = (
      select m.organization_id, ${firstProject(db, user_id)} from membership m
      where m.user_id = ${user_id} and m.organization_id = ${organization_id})
    where id = ${user_id}`
}

/** The first project that the user, as member `m`, can see. */
function firstProject(db: Db, userId: number) {
  const isVisible = visibleTo(db, { id: userId, level: db`m.level` })
  return db`(select min(p.id) from project p
             where p.organization_id = m.organization_id and ${isVisible})`
}

/** An owner whose account is deactivated cannot act, so it does not count. */
export async function hasOtherOwner(db: Db, { organization_id, user_id }: MemberKey) {
  const row = await first(db`
    select 1 ${membersOf(db, organization_id)}
      and m.level = ${LEVEL.owner} and m.user_id <> ${user_id} limit 1`)
  return row !== undefined
}

/** The one of the addresses that belongs to a member, whatever its case. */
export function findMemberAddress(
  db: Db,
  { organization_id, emails }: { organization_id: string; emails: readonly string[] },
): Promise<{ email: string } | undefined> {
  return first(db<{ email: string }[]>`
    select u.email from membership m join app_user u on u.id = m.user_id
    where m.organization_id = ${organization_id}
      and lower(u.email) = any(${emails.map((email) => email.toLowerCase())}) limit 1`)
}

/** The ids of those who are told that somebody joined, the longest there first. */
export async function listOtherMembers(
  db: Db,
  { organization_id, user_id, limit }: MemberKey & { limit: number },
): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select u.id ${membersOf(db, organization_id)} and m.user_id <> ${user_id}
    order by m.joined_at, m.id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Who joined, and one of those who are told. */
export interface JoinNews {
  readonly organization_name: string
  readonly newcomer: PersonNames
  readonly reader: PersonNames
}

interface PersonNames {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
}

/** Undefined when one of them has left, or the organization does not want such mails. */
export function findJoinNews(
  db: Db,
  { organization_id, newcomer_id, reader_id }: JoinPair,
): Promise<JoinNews | undefined> {
  const member = (userId: number) => db`
    select jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name,
                              'email', u.email) as person
    ${membersOf(db, organization_id)} and u.id = ${userId}`
  return first(db<JoinNews[]>`
    select o.name as organization_name, n.person as newcomer, r.person as reader
    from organization o, (${member(newcomer_id)}) n, (${member(reader_id)}) r
    where o.id = ${organization_id} and o.is_member_join_email_enabled`)
}

export interface JoinPair {
  readonly organization_id: string
  readonly newcomer_id: number
  readonly reader_id: number
}
