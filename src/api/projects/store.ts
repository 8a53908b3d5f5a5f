import { newUuid, randomToken } from "../../lib/ids.ts"
import { type Db, one } from "../../relational/db.ts"
import { LEVEL } from "../http/access.ts"

export const PROJECT_TOKEN_PREFIX = "phc_"

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
export function visibleTo(db: Db, user: { id: number; level: ReturnType<Db> }) {
  return db`(not p.access_control or ${user.level} >= ${LEVEL.admin}
    or exists (select 1 from project_grant g where g.project_id = p.id and g.user_id = ${user.id}))`
}

/** The rows outlive the projects: the deletion job reads them on its schedule. */
export async function queueProjectDeletions(
  db: Db,
  projectIds: readonly number[],
  { userId, now }: { userId: number; now: Date },
): Promise<void> {
  for (const projectId of projectIds) {
    await db`
      insert into data_deletion (id, kind, project_id, key, created_by, created_at)
      values (${newUuid()}, 'project', ${projectId}, ${String(projectId)}, ${userId}, ${now})
      on conflict do nothing`
  }
}
