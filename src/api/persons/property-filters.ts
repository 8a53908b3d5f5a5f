/** Property filters of a list of persons, as a condition on their columnar copies. */
import { type FilterPlace, filterContextFor } from "../../analysis/filters.ts"
import { compileFilters } from "../../query/filters/compile.ts"
import { type PropertyGroup, parsePropertyFilters } from "../../query/filters/parse.ts"
import type { Expr } from "../../query/tree.ts"
import type { Db } from "../../relational/db.ts"

/** Undefined when nothing is filtered. */
export async function personConditionOf(
  db: Db,
  properties: string | undefined,
  place: FilterPlace,
): Promise<Expr | undefined> {
  const group = ofPersons(parsePropertyFilters(properties))
  if (group.members.length === 0) return undefined
  return compileFilters(group, await filterContextFor(db, place, { target: "persons", group }))
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
