import { DomainError } from "../../lib/errors.ts"
import { newUuid } from "../../lib/ids.ts"
import { type Db, first } from "../../relational/db.ts"
import { LEVEL } from "../http/levels.ts"
import { type Listing, listed, type Page } from "../http/paging.ts"
import {
  createProject,
  projectBasics,
  queueProjectDeletions,
  visibleTo,
} from "../projects/store.ts"
import type { Organization, OrganizationDraft } from "./schema.ts"
import { slugOf, slugVariant } from "./slug.ts"

const SLUG_ATTEMPTS = 10

/** As one member of it sees it: level, visible projects. */
function organizationColumns(db: Db, userId: number) {
  return db`
    o.id, o.name, o.slug, o.logo_media_id, o.created_at, o.updated_at, o.plugins_access_level,
    o.is_member_join_email_enabled, o.customer_id, o.enforce_2fa,
    m.level as membership_level,
    '[]'::jsonb as available_product_features,
    '{"instance_tag": "none"}' as metadata,
    (select count(*)::text from membership om join app_user ou on ou.id = om.user_id
     where om.organization_id = o.id and ou.is_active) as member_count,
    (select coalesce(jsonb_agg(${projectBasics(db)} order by p.id), '[]') from project p
     where p.organization_id = o.id and ${visibleTo(db, { id: userId, level: db`m.level` })}) as teams`
}

export function findOrganization(db: Db, id: string, userId: number) {
  return first(db<Organization[]>`
    select ${organizationColumns(db, userId)}
    from organization o left join membership m on m.organization_id = o.id and m.user_id = ${userId}
    where o.id = ${id}`)
}

/** The user's organizations, oldest first; `limitedTo` is empty when the key is not limited. */
export function listOrganizations(
  db: Db,
  { userId, limitedTo }: { userId: number; limitedTo: readonly string[] },
  page: Page,
): Promise<Listing<Organization>> {
  const isInLimits = limitedTo.length === 0 ? db`true` : db`o.id = any(${[...limitedTo]})`
  const matching = db`from organization o
    join membership m on m.organization_id = o.id and m.user_id = ${userId} where ${isInLimits}`
  return listed(
    page,
    db<Organization[]>`
      select ${organizationColumns(db, userId)} ${matching}
      order by o.created_at, o.id limit ${page.limit} offset ${page.offset}`,
    () => db<{ count: number }[]>`select count(*) ${matching}`,
  )
}

export interface NewOrganization extends OrganizationDraft {
  readonly ownerId: number
  readonly now: Date
  /** Given only at the first start. */
  readonly projectToken?: string | undefined
}

/** With its owner and a first project, both of which become the owner's current ones. */
export async function createOrganization(db: Db, draft: NewOrganization) {
  const { ownerId, now, projectToken } = draft
  const id = await insertOrganization(db, draft)
  await db`
    insert into membership (id, organization_id, user_id, level, joined_at, updated_at)
    values (${newUuid()}, ${id}, ${ownerId}, ${LEVEL.owner}, ${now}, ${now})`
  const project = await createProject(db, {
    organization_id: id,
    name: "Default project",
    now,
    api_token: projectToken,
  })
  await db`
    update app_user set current_organization_id = ${id}, current_project_id = ${project.id}
    where id = ${ownerId}`
  return { id, project }
}

async function insertOrganization(db: Db, draft: NewOrganization): Promise<string> {
  const id = newUuid()
  const wanted = slugOf(draft.name)
  for (let attempt = 0; attempt <= SLUG_ATTEMPTS; attempt++) {
    const slug = attempt === 0 ? wanted : slugVariant(wanted)
    const { count } = await db`
      insert into organization (id, name, slug, logo_media_id, is_member_join_email_enabled,
                                enforce_2fa, created_at, updated_at)
      values (${id}, ${draft.name}, ${slug}, ${draft.logo_media_id ?? null},
              ${draft.is_member_join_email_enabled ?? true}, ${draft.enforce_2fa ?? null},
              ${draft.now}, ${draft.now})
      on conflict (slug) do nothing`
    if (count === 1) return id
  }
  throw new DomainError("conflict", {
    code: "conflict",
    detail: `No free slug was found for the name "${draft.name}"; try another name.`,
    attr: "name",
  })
}

export async function updateOrganization(
  db: Db,
  id: string,
  { changes, now }: { changes: Partial<OrganizationDraft>; now: Date },
): Promise<void> {
  await db`update organization set ${db({ ...changes, updated_at: now })} where id = ${id}`
}

/** Everything of the organization goes with it; the events of its projects are queued for deletion. */
export async function removeOrganization(
  db: Db,
  id: string,
  { userId, now }: { userId: number; now: Date },
): Promise<void> {
  // Whoever is adding a project now is waited for, and the next one finds no organization.
  await db`select 1 from organization where id = ${id} for update`
  const projects = await db<{ id: number }[]>`select id from project where organization_id = ${id}`
  await queueProjectDeletions(
    db,
    projects.map((project) => project.id),
    { userId, now },
  )
  await db`delete from organization where id = ${id}`
}

/** A logo must be a picture the caller can see. */
export async function isMediaOf(db: Db, mediaId: string, userId: number): Promise<boolean> {
  const row = await first(db`
    select 1 from media d join membership m on m.organization_id = d.organization_id
    where d.id = ${mediaId} and m.user_id = ${userId}`)
  return row !== undefined
}
