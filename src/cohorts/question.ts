/** The query of a cohort's members, with all that its filters mean in its project. */
import { type FilterPlace, filterContextFor } from "../analysis/filters.ts"
import type { PropertyGroup } from "../query/filters/parse.ts"
import type { Select } from "../query/tree.ts"
import type { Db } from "../relational/db.ts"
import { compileCohort } from "./compile.ts"
import { type CohortGroup, listConditions } from "./definition.ts"
import { parseCohortFilters } from "./parse.ts"

/** Throws what is wrong with the filters, on the field of that name. */
export async function cohortQuery(db: Db, filters: unknown, place: FilterPlace): Promise<Select> {
  const group = parseCohortFilters(filters)
  const asked = { target: "persons", group: filtersIn(group) } as const
  return compileCohort(group, await filterContextFor(db, place, asked))
}

/** All property filters of all conditions. */
function filtersIn(group: CohortGroup): PropertyGroup {
  const members = listConditions(group).flatMap((condition): PropertyGroup["members"] => {
    if (condition.kind === "person") return [condition.filter]
    if (condition.kind === "cohort") return []
    const { of, behavior } = condition
    return behavior.value === "performed_event_sequence"
      ? [of.filters, behavior.next.filters]
      : [of.filters]
  })
  return { kind: "group", type: "AND", members }
}
