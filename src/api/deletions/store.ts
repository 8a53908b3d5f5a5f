/** Requests to delete events later; `src/deletion` carries them out. */
import type { Db } from "../../relational/db.ts"
import { type Listing, listed, type Page } from "../http/paging.ts"
import { embeddedUser } from "../users/store.ts"
import type { Deletion, DeletionQuery } from "./schema.ts"

/** Newest first. */
export function listDeletions(
  db: Db,
  { project_id, state }: DeletionQuery & { readonly project_id: number },
  page: Page,
): Promise<Listing<Deletion>> {
  const isWanted = {
    queued: db`and d.finished_at is null`,
    done: db`and d.finished_at is not null`,
  }
  const matching = db`
    from data_deletion d
    where d.project_id = ${project_id} ${state === undefined ? db`` : isWanted[state]}`
  return listed(
    page,
    db<Deletion[]>`
      select d.id, d.kind, d.key, d.created_at, d.finished_at,
             case when d.finished_at is null then 'queued' else 'done' end as state,
             (select ${embeddedUser(db)} from app_user u where u.id = d.created_by) as created_by
      ${matching} order by d.created_at desc, d.id desc limit ${page.limit} offset ${page.offset}`,
    () => db<{ count: number }[]>`select count(*) ${matching}`,
  )
}
