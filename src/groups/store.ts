/** Kinds of groups (at most five a project, in order of first use) and what is known of each group. */
import type { GroupRow } from "../columnar/engine.ts"
import { parseExact, stringifyExact } from "../lib/exact-json.ts"
import type { JsonObject } from "../lib/json.ts"
import { slicesWithin } from "../lib/slices.ts"
import type { Db } from "../relational/db.ts"

export interface GroupType {
  readonly project_id: number
  readonly group_type: string
  readonly group_type_index: number
}

export interface GroupKey {
  readonly project_id: number
  readonly group_type_index: number
  readonly group_key: string
}

export function listGroupTypes(db: Db, projectIds: readonly number[]): Promise<GroupType[]> {
  return db<GroupType[]>`
    select project_id, group_type, group_type_index from group_type
    where project_id = any(${[...projectIds]}) order by project_id, group_type_index`
}

/** Answers how many were added: fewer when somebody else was first. */
export async function addGroupTypes(db: Db, types: readonly GroupType[]): Promise<number> {
  if (types.length === 0) return 0
  const { count } = await db`
    insert into group_type (project_id, group_type, group_type_index)
    select * from unnest(${types.map((type) => type.project_id)}::integer[],
                         ${types.map((type) => type.group_type)}::text[],
                         ${types.map((type) => type.group_type_index)}::smallint[])
    on conflict do nothing`
  return count
}

export async function listGroups(db: Db, keys: readonly GroupKey[]): Promise<GroupRow[]> {
  if (keys.length === 0) return []
  const rows = await db<(Omit<GroupRow, "properties"> & { properties: string })[]>`
    select project_id, group_type_index, group_key, version,
           to_char(created_at, 'YYYY-MM-DD HH24:MI:SS.US') as created_at,
           properties::text as properties
    from unnest(${keys.map((key) => key.project_id)}::integer[],
                ${keys.map((key) => key.group_type_index)}::smallint[],
                ${keys.map((key) => key.group_key)}::text[])
      w (project_id, group_type_index, group_key)
    join group_profile using (project_id, group_type_index, group_key)`
  return rows.map((row) => ({ ...row, properties: parseExact(row.properties) as JsonObject }))
}

/** Those that are there, with the bytes of the JSON of their properties. */
export function measureGroups(
  db: Db,
  keys: readonly GroupKey[],
): Promise<(GroupKey & { readonly properties_bytes: number })[]> {
  return db<(GroupKey & { readonly properties_bytes: number })[]>`
    select project_id, group_type_index, group_key,
           octet_length(properties::text) as properties_bytes
    from unnest(${keys.map((key) => key.project_id)}::integer[],
                ${keys.map((key) => key.group_type_index)}::smallint[],
                ${keys.map((key) => key.group_key)}::text[])
      w (project_id, group_type_index, group_key)
    join group_profile using (project_id, group_type_index, group_key)`
}

/** Of the JSON of properties in one statement. */
const STATEMENT_CHARACTERS_MAX = 8 * 1024 * 1024

/** Answers how many were written: fewer when one of them has changed since it was read. */
export async function writeGroups(db: Db, groups: readonly GroupRow[]): Promise<number> {
  let written = 0
  const texts = withTexts(groups)
  for (const some of slicesWithin(texts, STATEMENT_CHARACTERS_MAX, ({ text }) => text.length)) {
    written += await writeSome(db, some)
  }
  return written
}

type GroupText = Omit<GroupRow, "properties"> & { readonly text: string }

function* withTexts(groups: readonly GroupRow[]): Generator<GroupText> {
  for (const group of groups) yield { ...group, text: stringifyExact(group.properties) }
}

async function writeSome(db: Db, groups: readonly GroupText[]): Promise<number> {
  const { count } = await db`
    insert into group_profile as g
      (project_id, group_type_index, group_key, version, created_at, properties)
    select w.project_id, w.group_type_index, w.group_key, w.version, w.created_at, w.properties::json
    from unnest(${groups.map((group) => group.project_id)}::integer[],
                ${groups.map((group) => group.group_type_index)}::smallint[],
                ${groups.map((group) => group.group_key)}::text[],
                ${groups.map((group) => group.version)}::integer[],
                ${groups.map((group) => group.created_at)}::timestamptz[],
                ${groups.map(({ text }) => text)}::text[])
      w (project_id, group_type_index, group_key, version, created_at, properties)
    on conflict (project_id, group_type_index, group_key) do update
      set properties = excluded.properties, version = excluded.version
      where g.version = excluded.version - 1`
  return count
}
