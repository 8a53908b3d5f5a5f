/** Property filters of a list of persons, as a condition on their columnar copies. */
import { toStorable } from "../../lib/text.ts"
import { compileFilters, listDistinctIdKeys } from "../../query/filters/compile.ts"
import { type PropertyGroup, parsePropertyFilters } from "../../query/filters/parse.ts"
import type { Expr } from "../../query/tree.ts"
import { type Db, one } from "../../relational/db.ts"

export interface FilterPlace {
  readonly project_id: number
  readonly now: Date
}

/** Undefined when nothing is filtered. */
export async function personConditionOf(
  db: Db,
  properties: string | undefined,
  { project_id, now }: FilterPlace,
): Promise<Expr | undefined> {
  const group = ofPersons(parsePropertyFilters(properties))
  if (group.members.length === 0) return undefined
  const { timezone } = await one(
    db<{ timezone: string }[]>`select timezone from project where id = ${project_id}`,
  )
  const personsByDistinctId = await findOwners(db, project_id, listDistinctIdKeys(group))
  const context = { project_id, target: "persons", now, timezone, personsByDistinctId } as const
  return compileFilters(group, context)
}

/** Filters that name no type are read as filters of events; here there is nothing but persons. */
function ofPersons({ members, ...group }: PropertyGroup): PropertyGroup {
  return {
    ...group,
    members: members.map((member) => {
      if (member.kind === "group") return ofPersons(member)
      return member.type === "event" ? { ...member, type: "person" } : member
    }),
  }
}

async function findOwners(
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
