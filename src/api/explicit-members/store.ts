import { type Db, first } from "../../relational/db.ts"
import { LEVEL } from "../http/levels.ts"
import { type Listing, listed, type Page } from "../http/paging.ts"
import { embeddedUser } from "../users/store.ts"
import type { ExplicitMember } from "./schema.ts"

function columns(db: Db) {
  return db`${embeddedUser(db)} as user, g.level, m.level as parent_level,
    case when p.access_control and m.level < ${LEVEL.admin} then g.level else m.level end
      as effective_level`
}

function grantsOf(db: Db, projectId: number) {
  return db`from project_grant g
    join project p on p.id = g.project_id
    join app_user u on u.id = g.user_id
    join membership m on m.user_id = u.id and m.organization_id = p.organization_id
    where g.project_id = ${projectId} and u.is_active`
}

export function listExplicitMembers(
  db: Db,
  projectId: number,
  page: Page,
): Promise<Listing<ExplicitMember>> {
  const matching = grantsOf(db, projectId)
  return listed(
    page,
    db<ExplicitMember[]>`
      select ${columns(db)} ${matching}
      order by u.id limit ${page.limit} offset ${page.offset}`,
    () => db<{ count: number }[]>`select count(*) ${matching}`,
  )
}

export interface GrantName {
  readonly project_id: number
  readonly user_uuid: string
}

export function findExplicitMember(db: Db, { project_id, user_uuid }: GrantName) {
  return first(db<ExplicitMember[]>`
    select ${columns(db)} ${grantsOf(db, project_id)} and u.uuid = ${user_uuid}`)
}

/** The user with this id, when they are in the organization. */
export function findCandidate(db: Db, organizationId: string, userUuid: string) {
  return first(db<{ id: number }[]>`
    select u.id from app_user u join membership m on m.user_id = u.id
    where u.uuid = ${userUuid} and u.is_active and m.organization_id = ${organizationId}`)
}

export interface Grant {
  readonly project_id: number
  readonly user_id: number
  readonly level: number
}

/** False when the user has a grant already. */
export async function createGrant(db: Db, grant: Grant): Promise<boolean> {
  const { count } = await db`
    insert into project_grant (project_id, user_id, level)
    values (${grant.project_id}, ${grant.user_id}, ${grant.level}) on conflict do nothing`
  return count === 1
}

export async function updateGrant(db: Db, { project_id, user_id, level }: Grant): Promise<void> {
  await db`
    update project_grant set level = ${level}
    where project_id = ${project_id} and user_id = ${user_id}`
}

export async function removeGrant(db: Db, { project_id, user_id }: Omit<Grant, "level">) {
  await db`delete from project_grant where project_id = ${project_id} and user_id = ${user_id}`
}
