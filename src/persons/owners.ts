/** Whose distinct ids are. */
import { toStorable } from "../lib/text.ts"
import type { Db } from "../relational/db.ts"

/** Uuids of persons by distinct id; ids that nobody has are left out. */
export async function findOwners(
  db: Db,
  projectId: number,
  distinctIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // Nobody has an id that cannot even be stored, or asked for.
  const possible = distinctIds.filter((distinctId) => toStorable(distinctId) === distinctId)
  if (possible.length === 0) return new Map()
  const rows = await db<{ distinct_id: string; uuid: string }[]>`
    select d.distinct_id, p.uuid from person_distinct_id d join person p on p.id = d.person_id
    where d.project_id = ${projectId} and d.distinct_id = any(${possible}::text[])`
  return new Map(rows.map(({ distinct_id, uuid }) => [distinct_id, uuid]))
}
