/** What ingestion could not do with an event, for the project's people to read. Bounded: old ones go. */
import { exactNumberOf } from "../../lib/exact-json.ts"
import type { JsonObject } from "../../lib/json.ts"
import type { Db } from "../../relational/db.ts"
import { type Listing, listed, type Page } from "../http/paging.ts"
import type { IngestionWarning } from "./schema.ts"

/** One broken client must not fill the table with the same sentence. */
const WARNINGS_PER_BATCH_MAX = 100
const WARNINGS_KEPT_MAX = 10_000
const DETAIL_CHARACTERS_MAX = 1_000

export interface NewWarning {
  readonly project_id: number
  readonly type: string
  readonly details: JsonObject
  readonly created_at: Date
}

/** Of each project and type at most so many of one call are kept, and of each project the newest. */
export async function recordWarnings(db: Db, warnings: readonly NewWarning[]): Promise<void> {
  if (warnings.length === 0) return
  const kept = firstOfEachKind(warnings)
  await db`
    insert into ingestion_warning (project_id, type, details, created_at)
    select w.project_id, w.type, w.details::jsonb, w.created_at
    from unnest(${kept.map(({ project_id }) => project_id)}::integer[],
                ${kept.map(({ type }) => type)}::text[],
                ${kept.map(({ details }) => detailsText(details))}::text[],
                ${kept.map(({ created_at }) => created_at.toISOString())}::timestamptz[])
         with ordinality as w (project_id, type, details, created_at, position)
    order by w.position`
  await prune(db, [...new Set(kept.map(({ project_id }) => project_id))])
}

function firstOfEachKind(warnings: readonly NewWarning[]): NewWarning[] {
  const counts = new Map<string, number>()
  return warnings.filter(({ project_id, type }) => {
    const kind = `${project_id} ${type}`
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= WARNINGS_PER_BATCH_MAX
  })
}

/** Details quote what clients sent, which may hold what jsonb can not. */
function detailsText(details: NewWarning["details"]): string {
  return JSON.stringify(details, (_key, value: unknown) =>
    typeof value === "string" ? storableText(exactNumberOf(value) ?? value) : value,
  )
}

function storableText(text: string): string {
  return text.slice(0, DETAIL_CHARACTERS_MAX).replaceAll("\u0000", "\ufffd").toWellFormed()
}

async function prune(db: Db, projectIds: readonly number[]): Promise<void> {
  await db`
    delete from ingestion_warning w
    using (select p.project_id,
                  (select id from ingestion_warning where project_id = p.project_id
                   order by id desc offset ${WARNINGS_KEPT_MAX - 1} limit 1) as oldest_id
           from unnest(${[...projectIds]}::integer[]) as p (project_id)) kept
    where w.project_id = kept.project_id and w.id < kept.oldest_id`
}

export interface WarningFilter {
  readonly project_id: number
  readonly type: string | undefined
}

/** Newest first. */
export function listWarnings(
  db: Db,
  { project_id, type }: WarningFilter,
  page: Page,
): Promise<Listing<IngestionWarning>> {
  const matching = db`
    from ingestion_warning where project_id = ${project_id}
    ${type === undefined ? db`` : db`and type = ${type}`}`
  return listed(
    page,
    db<IngestionWarning[]>`
      select id, type, details, created_at ${matching}
      order by id desc limit ${page.limit} offset ${page.offset}`,
    () => db<{ count: number }[]>`select count(*) ${matching}`,
  )
}
