/**
 * Who is calling, and what of the organization or project in the path is theirs: one statement answers
 * both, because every request pays for it.
 */
import { sha256Hex } from "../../lib/ids.ts"
import { type Db, first } from "../../relational/db.ts"
import { LEVEL } from "./levels.ts"

interface CallerUser {
  readonly id: number
  readonly uuid: string
  readonly distinct_id: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly is_staff: boolean
  readonly current_organization_id: string | null
  readonly current_project_id: number | null
}

export interface CallerKey {
  readonly id: string
  readonly scopes: readonly string[]
  /** Empty: not limited. */
  readonly scoped_teams: readonly number[]
  readonly scoped_organizations: readonly string[]
}

interface CallerSession {
  readonly id_hash: string
  readonly csrf_token: string
}

export interface Caller {
  readonly user: CallerUser
  /** Exactly one of `key` and `session` is there. */
  readonly key: CallerKey | null
  readonly session: CallerSession | null
}

export interface OrganizationPlace {
  readonly id: string
  readonly name: string
  readonly plugins_access_level: number
  /** The caller's level; null when not a member. */
  readonly level: number | null
}

export interface ProjectPlace {
  readonly id: number
  readonly organization_id: string
  /** True when the project is private and the caller has neither a grant nor an admin level. */
  readonly is_hidden: boolean
  /** The caller's level in the project, from the organization or the grant. */
  readonly level: number
}

export interface Sighting {
  readonly caller: Caller
  readonly organization: OrganizationPlace | null
  readonly project: ProjectPlace | null
}

export type Credential =
  | { readonly kind: "key"; readonly value: string }
  | { readonly kind: "session"; readonly value: string }

/** The part of the path that names a place: an id as it was sent, or `@current`. */
export type PlaceName =
  | { readonly kind: "organization"; readonly name: string }
  | { readonly kind: "project"; readonly name: string }

/** A key's last use is stored at most this often. */
const LAST_USED_STEP_MS = 60 * 60 * 1_000

interface SightingRow extends CallerUser {
  key_id: string | null
  scopes: string[]
  scoped_teams: number[]
  scoped_organizations: string[]
  is_stale: boolean
  csrf_token: string
  id_hash: string
  organization_id: string | null
  organization_name: string
  plugins_access_level: number
  level: number | null
  project_id: number | null
  access_control: boolean
  grant_level: number | null
}

export async function findCaller(
  db: Db,
  credential: Credential,
  { place, now }: { place: PlaceName | undefined; now: Date },
): Promise<Sighting | undefined> {
  const hash = sha256Hex(credential.value)
  const join = placeJoin(db, place, credential.kind)
  const row = await first(
    credential.kind === "key"
      ? db<SightingRow[]>`
          select ${userColumns(db)}, ${placeColumns(db, place)},
                 k.id as key_id, k.scopes, k.scoped_teams, k.scoped_organizations,
                 coalesce(k.last_used_at < ${new Date(now.getTime() - LAST_USED_STEP_MS)}, true) as is_stale
          from personal_api_key k join app_user u on u.id = k.user_id ${join}
          where k.value_hash = ${hash} and u.is_active`
      : db<SightingRow[]>`
          select ${userColumns(db)}, ${placeColumns(db, place)}, s.csrf_token, s.id_hash
          from session s join app_user u on u.id = s.user_id ${join}
          where s.id_hash = ${hash} and s.expires_at > ${now} and u.is_active`,
  )
  if (row === undefined) return undefined
  if (row.key_id && row.is_stale) {
    // A row that somebody holds is passed over: no read waits for the sake of a time.
    await db`
      update personal_api_key set last_used_at = ${now}
      where id = (select id from personal_api_key where id = ${row.key_id} for update skip locked)`
  }
  return sightingOf(row)
}

function userColumns(db: Db) {
  return db`u.id, u.uuid, u.distinct_id, u.email, u.first_name, u.last_name, u.is_staff,
            u.current_organization_id, u.current_project_id`
}

function placeColumns(db: Db, place: PlaceName | undefined) {
  if (place === undefined) return db`null as organization_id, null as project_id`
  const organization = db`o.id as organization_id, o.name as organization_name,
                          o.plugins_access_level, m.level`
  return place.kind === "organization"
    ? db`${organization}, null as project_id`
    : db`${organization}, p.id as project_id, p.access_control, g.level as grant_level`
}

function placeJoin(db: Db, place: PlaceName | undefined, kind: Credential["kind"]) {
  if (place === undefined) return db``
  const membership = db`left join membership m on m.organization_id = o.id and m.user_id = u.id`
  if (place.kind === "organization") {
    const id = place.name === "@current" ? currentOrganization(db, kind) : db`${place.name}::uuid`
    return db`left join organization o on o.id = ${id} ${membership}`
  }
  const id = place.name === "@current" ? currentProject(db, kind) : db`${place.name}::integer`
  return db`
    left join project p on p.id = ${id}
    left join organization o on o.id = p.organization_id ${membership}
    left join project_grant g on g.project_id = p.id and g.user_id = u.id`
}

/**
 * Of the organizations the user belongs to: one that the key is limited to, the one they last chose, the one
 * they joined first. So a script with a limited key goes on when its owner looks at another organization.
 */
function currentOrganization(db: Db, kind: Credential["kind"]) {
  const isInLimits =
    kind === "key"
      ? db`(k.scoped_organizations = '{}' or organization_id = any(k.scoped_organizations)) desc,`
      : db``
  return db`(select organization_id from membership where user_id = u.id
    order by ${isInLimits} organization_id is not distinct from u.current_organization_id desc,
             joined_at, id
    limit 1)`
}

/** Likewise, of the projects the user can see. */
function currentProject(db: Db, kind: Credential["kind"]) {
  const isInLimits =
    kind === "key"
      ? db`((k.scoped_teams = '{}' or cp.id = any(k.scoped_teams))
            and (k.scoped_organizations = '{}'
                 or cp.organization_id = any(k.scoped_organizations))) desc,`
      : db``
  return db`(select cp.id from project cp
    join membership cm on cm.organization_id = cp.organization_id and cm.user_id = u.id
    where not cp.access_control or cm.level >= ${LEVEL.admin} or exists (
      select 1 from project_grant cg where cg.project_id = cp.id and cg.user_id = u.id)
    order by ${isInLimits} cp.id is not distinct from u.current_project_id desc,
             cp.organization_id = ${currentOrganization(db, kind)} desc, cp.id
    limit 1)`
}

function sightingOf(row: SightingRow): Sighting {
  const { id, uuid, distinct_id, email, first_name, last_name, is_staff } = row
  const { current_organization_id, current_project_id } = row
  const user = {
    ...{ id, uuid, distinct_id, email, first_name, last_name, is_staff },
    ...{ current_organization_id, current_project_id },
  }
  return {
    caller: { user, ...proofOf(row) },
    organization: row.organization_id === null ? null : organizationOf(row, row.organization_id),
    project: row.project_id === null ? null : projectOf(row, row.project_id),
  }
}

function proofOf(row: SightingRow): Pick<Caller, "key" | "session"> {
  if (!row.key_id) {
    return { key: null, session: { id_hash: row.id_hash, csrf_token: row.csrf_token } }
  }
  const { scopes, scoped_teams, scoped_organizations } = row
  return { key: { id: row.key_id, scopes, scoped_teams, scoped_organizations }, session: null }
}

function organizationOf(row: SightingRow, id: string): OrganizationPlace {
  const { organization_name, plugins_access_level, level } = row
  return { id, name: organization_name, plugins_access_level, level }
}

function projectOf(row: SightingRow, id: number): ProjectPlace {
  const level = row.level ?? 0
  const isHidden = row.access_control && level < LEVEL.admin && row.grant_level === null
  return {
    id,
    organization_id: row.organization_id ?? "",
    is_hidden: isHidden,
    level: row.access_control
      ? Math.max(level >= LEVEL.admin ? level : 0, row.grant_level ?? 0)
      : level,
  }
}
