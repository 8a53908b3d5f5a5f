import { newUuid, randomToken } from "../../lib/ids.ts"
import { type Db, first, one } from "../../relational/db.ts"
import { LEVEL } from "../http/levels.ts"
import { type Listing, listed, type Page } from "../http/paging.ts"
import type { Project, ProjectBasics, ProjectDraft } from "./schema.ts"

const PROJECT_TOKEN_PREFIX = "phc_"

export interface ProjectKey {
  readonly id: number
  readonly api_token: string
}

export interface NewProject {
  readonly organization_id: string
  readonly name: string
  readonly now: Date
  readonly api_token?: string | undefined
}

export function newProjectToken(): string {
  return `${PROJECT_TOKEN_PREFIX}${randomToken()}`
}

export function createProject(db: Db, draft: NewProject): Promise<ProjectKey> {
  return one(db<ProjectKey[]>`
    insert into project (uuid, organization_id, name, api_token, created_at, updated_at)
    values (${newUuid()}, ${draft.organization_id}, ${draft.name},
            ${draft.api_token ?? newProjectToken()}, ${draft.now}, ${draft.now})
    returning id, api_token`)
}

/** The short form of project `p`, as it stands inside other resources. */
export function projectBasics(db: Db) {
  return db`jsonb_build_object(
    'id', p.id, 'uuid', p.uuid, 'organization', p.organization_id, 'project_id', p.id,
    'api_token', p.api_token, 'name', p.name,
    'completed_snippet_onboarding', p.completed_snippet_onboarding,
    'has_completed_onboarding_for', p.has_completed_onboarding_for,
    'ingested_event', p.ingested_event, 'is_demo', p.is_demo, 'timezone', p.timezone,
    'access_control', p.access_control)`
}

/** Whether project `p` is visible: open, or the user administers the organization, or has a grant. */
export function visibleTo(db: Db, user: { id: number | ReturnType<Db>; level: ReturnType<Db> }) {
  return db`(not p.access_control or ${user.level} >= ${LEVEL.admin}
    or exists (select 1 from project_grant g where g.project_id = p.id and g.user_id = ${user.id}))`
}

/** The rows outlive the projects: the deletion job reads them on its schedule. */
export async function queueProjectDeletions(
  db: Db,
  projectIds: readonly number[],
  { userId, now }: { userId: number; now: Date },
): Promise<void> {
  const ids = projectIds.map(() => newUuid())
  await db`
    insert into data_deletion (id, kind, project_id, key, created_by, created_at)
    select q.id, 'project', q.project_id, q.project_id::text, ${userId}, ${now}
    from unnest(${ids}::uuid[], ${[...projectIds]}::integer[]) as q (id, project_id)
    on conflict do nothing`
}

function basicColumns(db: Db) {
  return db`p.id, p.uuid, p.organization_id as organization, p.id as project_id, p.api_token, p.name,
    p.completed_snippet_onboarding, p.has_completed_onboarding_for, p.ingested_event, p.is_demo,
    p.timezone, p.access_control`
}

function settingColumns(db: Db) {
  return db`p.app_urls, p.recording_domains, p.slack_incoming_webhook, p.anonymize_ips,
    p.week_start_day, p.test_account_filters, p.test_account_filters_default_checked,
    p.path_cleaning_filters, p.data_attributes, p.person_display_name_properties,
    p.live_events_columns, p.autocapture_opt_out, p.session_recording_opt_in, p.extra_settings,
    p.created_at, p.updated_at`
}

export interface ProjectFilter {
  readonly userId: number
  /** Each is empty when there is no such limit. */
  readonly organizationIds: readonly string[]
  readonly projectIds: readonly number[]
}

/** What the user can see in the organizations they belong to, oldest first. */
export function listProjects(
  db: Db,
  { userId, organizationIds, projectIds }: ProjectFilter,
  page: Page,
): Promise<Listing<ProjectBasics>> {
  const matching = db`
    from project p
    join membership m on m.organization_id = p.organization_id and m.user_id = ${userId}
    where ${visibleTo(db, { id: userId, level: db`m.level` })}
      ${organizationIds.length === 0 ? db`` : db`and p.organization_id = any(${[...organizationIds]})`}
      ${projectIds.length === 0 ? db`` : db`and p.id = any(${[...projectIds]})`}`
  return listed(
    page,
    db<ProjectBasics[]>`
      select ${basicColumns(db)} ${matching}
      order by p.id limit ${page.limit} offset ${page.offset}`,
    () => db<{ count: number }[]>`select count(*) ${matching}`,
  )
}

/** A project without what depends on who looks at it. */
export type ProjectRow = Omit<
  Project,
  "effective_membership_level" | "primary_dashboard" | "has_group_types"
>

export function findProject(db: Db, id: number, purpose: "read" | "write" = "read") {
  return first(db<ProjectRow[]>`
    select ${basicColumns(db)}, ${settingColumns(db)} from project p where p.id = ${id}
    ${purpose === "write" ? db`for no key update` : db``}`)
}

const JSON_FIELDS: ReadonlySet<string> = new Set<keyof ProjectDraft>([
  "has_completed_onboarding_for",
  "app_urls",
  "recording_domains",
  "test_account_filters",
  "path_cleaning_filters",
  "data_attributes",
  "person_display_name_properties",
  "live_events_columns",
  "extra_settings",
])

export async function updateProject(
  db: Db,
  id: number,
  { changes, now }: { changes: Partial<ProjectDraft> & { api_token?: string }; now: Date },
): Promise<void> {
  const columns = Object.entries(changes).map(([field, value]) => {
    // A null stays the null of SQL: the null of JSON is another value.
    const isJson = JSON_FIELDS.has(field) && value !== null
    return [field, isJson ? db.json(value as never) : value]
  })
  const row = { ...Object.fromEntries(columns), updated_at: now }
  await db`update project set ${db(row)} where id = ${id}`
}

export async function makeCurrent(
  db: Db,
  userId: number,
  { id, organization_id }: { id: number; organization_id: string },
): Promise<void> {
  await db`
    update app_user set current_organization_id = ${organization_id}, current_project_id = ${id}
    where id = ${userId}`
}

/** Users whose current project this is, but who cannot see it, get another of the organization, or none. */
export async function moveOffHidden(db: Db, projectId: number): Promise<void> {
  const sees = db`exists (
    select 1 from project p
    join membership m on m.organization_id = p.organization_id and m.user_id = u.id
    where p.id = ${projectId} and ${visibleTo(db, { id: db`u.id`, level: db`m.level` })})`
  await moveOff(db, projectId, db`not ${sees}`)
}

async function moveOff(db: Db, projectId: number, isConcerned: ReturnType<Db>): Promise<void> {
  await db`
    update app_user u set current_project_id = (
      select min(p.id) from project p
      join membership m on m.organization_id = p.organization_id and m.user_id = u.id
      where p.id <> ${projectId}
        and p.organization_id = (select organization_id from project where id = ${projectId})
        and ${visibleTo(db, { id: db`u.id`, level: db`m.level` })})
    where u.current_project_id = ${projectId} and ${isConcerned}`
}

/** The events are queued for deletion. */
export async function removeProject(
  db: Db,
  id: number,
  by: { userId: number; now: Date },
): Promise<void> {
  await moveOff(db, id, db`true`)
  await queueProjectDeletions(db, [id], by)
  await db`delete from project where id = ${id}`
}

/** The organization a new project goes to: the wanted one, else the user's current one, else the oldest. */
export function findHome(
  db: Db,
  {
    userId,
    wanted,
    current,
    limits,
  }: {
    userId: number
    wanted: string | undefined
    current: string | null
    /** The organizations of a limited key; empty when it has none. */
    limits: readonly string[]
  },
) {
  // Locked, so that a level read here is still the user's when the project is there.
  return first(db<{ id: string; level: number }[]>`
    select o.id, m.level from organization o
    join membership m on m.organization_id = o.id and m.user_id = ${userId}
    where ${wanted === undefined ? db`true` : db`o.id = ${wanted}`}
    order by not (o.id = any(${[...limits]}::uuid[])), o.id is distinct from ${current},
             m.joined_at, m.id
    limit 1 for key share of o for share of m`)
}

/** Which project events with this token are of. */
export function findProjectByToken(db: Db, token: string) {
  return first(db<{ project_id: number }[]>`
    select id as project_id from project where api_token = ${token}`)
}

/** What ingestion heeds of those that still exist. */
export function listIngestProjects(db: Db, ids: readonly number[]) {
  return db<{ id: number; anonymize_ips: boolean; ingested_event: boolean }[]>`
    select id, anonymize_ips, ingested_event from project where id = any(${[...ids]})`
}

/** Notes that a project has events. */
export async function markIngesting(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db`
    update project set ingested_event = true where id = any(${[...ids]}) and not ingested_event`
}
