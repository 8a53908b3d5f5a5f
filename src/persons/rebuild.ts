/**
 * Makes the columnar copies of persons and groups anew from PostgreSQL, which is the truth about them, page by page
 * while everything goes on. Each page is done between two batches of ingestion, because a person that is being
 * merged is in one store and not in the other for a moment. Against changes by the API, PostgreSQL is asked again
 * after a page is written: whoever is deleted later is removed by that deletion itself.
 */
import type { ColumnarEngine, GroupRow, PersonRow } from "../columnar/engine.ts"
import { parseExact } from "../lib/exact-json.ts"
import type { JsonObject } from "../lib/json.ts"
import { asc, column, gt, number, PERSONS, table } from "../query/build.ts"
import type { Database } from "../relational/db.ts"

export interface RebuildParts {
  readonly database: Database
  readonly columnar: Pick<ColumnarEngine, "apply" | "rows">
  /** Without it nothing is ingested here. */
  readonly ingest: { whileIdle<T>(work: () => Promise<T>): Promise<T> } | undefined
  readonly tell: (message: string) => void
}

export interface RebuildCounts {
  readonly persons: number
  readonly groups: number
  readonly removed: number
}

const PAGE_ROWS = 2_000
const QUERY_LIMITS = { timeoutMs: 60_000 }

export async function rebuildPersons(parts: RebuildParts): Promise<RebuildCounts> {
  const persons = await copyPersons(parts)
  const groups = await copyGroups(parts)
  const removed = await removeGone(parts)
  return { persons, groups, removed }
}

async function copyPersons(parts: RebuildParts): Promise<number> {
  let count = 0
  for (let lastId: number | undefined = 0; ; ) {
    const after: number = lastId
    const ids = await whileIdle(parts, () => copyPersonsAfter(parts, after))
    lastId = ids.at(-1)
    if (lastId === undefined) return count
    count += ids.length
    parts.tell(`${count} persons rebuilt`)
  }
}

async function copyPersonsAfter(parts: RebuildParts, lastId: number): Promise<readonly number[]> {
  const { database, columnar } = parts
  const rows = await database.db<(Omit<PersonRow, "properties"> & { properties: string })[]>`
    select project_id, id, uuid, version, snapshot_id, is_identified,
           to_char(created_at, 'YYYY-MM-DD HH24:MI:SS.US') as created_at,
           properties::text as properties
    from person where id > ${lastId} order by id limit ${PAGE_ROWS}`
  if (rows.length === 0) return []
  const persons = rows.map(withProperties)
  const snapshots = persons.map(({ project_id, snapshot_id, uuid, properties }) => ({
    ...{ project_id, snapshot_id, person_id: uuid, properties },
  }))
  await columnar.apply({ persons, snapshots })
  // No merge comes in meanwhile, so who is missing was deleted, and its state must not come back.
  const removed_persons = await listMissing(parts, persons)
  if (removed_persons.length > 0) await columnar.apply({ removed_persons })
  return persons.map(({ id }) => id)
}

/** Nobody deletes groups, so a copy that a batch makes newer meanwhile stays, and all is well. */
async function copyGroups({ database, columnar, tell }: RebuildParts): Promise<number> {
  let count = 0
  for (let last = { project_id: -1, group_type_index: -1, group_key: "" }; ; ) {
    const rows = await database.db<(Omit<GroupRow, "properties"> & { properties: string })[]>`
      select project_id, group_type_index, group_key, version,
             to_char(created_at, 'YYYY-MM-DD HH24:MI:SS.US') as created_at,
             properties::text as properties
      from group_profile
      where (project_id, group_type_index, group_key)
        > (${last.project_id}, ${last.group_type_index}, ${last.group_key})
      order by project_id, group_type_index, group_key limit ${PAGE_ROWS}`
    const groups = rows.map(withProperties)
    if (groups.length === 0) return count
    await columnar.apply({ groups })
    count += groups.length
    last = groups.at(-1) ?? last
    tell(`${count} groups rebuilt`)
  }
}

function withProperties<T extends { readonly properties: string }>(row: T) {
  return { ...row, properties: parseExact(row.properties) as JsonObject }
}

/** Copies of persons that PostgreSQL does not know. */
async function removeGone(parts: RebuildParts): Promise<number> {
  // Of a project that was deleted, deferred deletion removes all.
  const projects = await parts.database.db<{ id: number }[]>`select id from project order by id`
  let removed = 0
  for (const { id: projectId } of projects) {
    for (let lastId: number | undefined = 0; lastId !== undefined; ) {
      const after: number = lastId
      const page = await whileIdle(parts, async () => {
        const copies = await listCopies(parts, projectId, after)
        // Events may refer to their states; the deletion of a person removes those itself.
        const merged = await listMissing(parts, copies)
        if (merged.length > 0) await parts.columnar.apply({ merged })
        removed += merged.length
        return copies
      })
      lastId = page.at(-1)?.id
      if (lastId !== undefined) parts.tell(`copies of project ${projectId}: ${removed} removed`)
    }
  }
  return removed
}

interface Copy {
  readonly project_id: number
  readonly id: number
  readonly uuid: string
}

async function listCopies(
  { columnar }: RebuildParts,
  project_id: number,
  lastId: number,
): Promise<readonly Copy[]> {
  const rows = await columnar.rows(
    {
      columns: ["id", "uuid"].map((name) => ({ as: name, expr: column(PERSONS, name) })),
      from: table("persons", PERSONS, project_id),
      where: gt(column(PERSONS, "id"), number(lastId)),
      orderBy: [asc(column(PERSONS, "id"))],
      limit: PAGE_ROWS,
    },
    QUERY_LIMITS,
  )
  return rows.map(({ id, uuid }) => ({ project_id, id: Number(id), uuid: String(uuid) }))
}

/** Asked after the copies were read or written: who was created meanwhile is there. */
async function listMissing({ database }: RebuildParts, copies: readonly Copy[]) {
  const missing = await database.db<{ project_id: number; uuid: string }[]>`
    select w.project_id, w.uuid
    from unnest(${copies.map(({ project_id }) => project_id)}::integer[],
                ${copies.map(({ uuid }) => uuid)}::uuid[]) w (project_id, uuid)
    where not exists (select 1 from person p
                      where p.project_id = w.project_id and p.uuid = w.uuid)`
  return missing.map(({ project_id, uuid }) => ({ project_id, uuid }))
}

function whileIdle<T>({ ingest }: RebuildParts, work: () => Promise<T>): Promise<T> {
  return ingest === undefined ? work() : ingest.whileIdle(work)
}
