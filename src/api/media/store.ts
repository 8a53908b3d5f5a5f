import { newUuid } from "../../lib/ids.ts"
import { type Db, first, one } from "../../relational/db.ts"

export interface NewMedia {
  readonly organization_id: string
  readonly file_name: string
  readonly content_type: string
  readonly bytes: Uint8Array
  readonly created_by: number
  readonly now: Date
}

export async function createMedia(db: Db, draft: NewMedia): Promise<string> {
  const id = newUuid()
  await db`
    insert into media (id, organization_id, file_name, content_type, content, created_by, created_at)
    values (${id}, ${draft.organization_id}, ${draft.file_name}, ${draft.content_type},
            ${Buffer.from(draft.bytes)}, ${draft.created_by}, ${draft.now})`
  return id
}

export async function countMedia(db: Db, organizationId: string): Promise<number> {
  const { count } = await one(db<{ count: number }[]>`
    select count(*) from media where organization_id = ${organizationId}`)
  return count
}

export function findMedia(
  db: Db,
  { organization_id, id }: { organization_id: string; id: string },
) {
  return first(db<{ id: string; file_name: string; created_by: number | null }[]>`
    select id, file_name, created_by from media
    where id = ${id} and organization_id = ${organization_id}`)
}

export function findContent(db: Db, id: string) {
  return first(db<{ content_type: string; content: Uint8Array }[]>`
    select content_type, content from media where id = ${id}`)
}

/** Where it is an organization's logo, there is none afterwards. */
export async function removeMedia(db: Db, id: string): Promise<void> {
  await db`delete from media where id = ${id}`
}
