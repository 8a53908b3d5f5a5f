/** What property filters mean in a project, wherever they are written. */
import { listUuidsByDistinctIds } from "../persons/store.ts"
import { type FilterContext, listDistinctIdKeys } from "../query/filters/compile.ts"
import type { PropertyGroup } from "../query/filters/parse.ts"
import { compileCondition } from "../query/language/compile.ts"
import type { Db } from "../relational/db.ts"
import { getProjectFacts, languageContext } from "./desk.ts"

export interface FilterPlace {
  readonly project_id: number
  readonly now: Date
}

export async function filterContextFor(
  db: Db,
  { project_id, now }: FilterPlace,
  { target, group }: { readonly target: FilterContext["target"]; readonly group: PropertyGroup },
): Promise<FilterContext> {
  const project = await getProjectFacts(db, project_id)
  return {
    project_id,
    target,
    now,
    timezone: project.timezone,
    pathCleaning: project.path_cleaning_filters ?? [],
    personsByDistinctId: await listUuidsByDistinctIds(db, project_id, listDistinctIdKeys(group)),
    compileCondition: (text, of) =>
      compileCondition(text, of, languageContext({ project, now })).expr,
  }
}
