/** Who changed which cohort. */
import type { Db } from "../../relational/db.ts"
import { type Author, changesBetween, recordActivity } from "../activity-log/store.ts"
import type { Cohort } from "./schema.ts"

export interface Writing extends Author {
  readonly db: Db
  readonly project: { readonly id: number; readonly organization_id: string }
}

type Named = Pick<Cohort, "id" | "name">
type Changes = ReturnType<typeof changesBetween>

export async function recordCohortActivity(
  writing: Writing,
  { id, name }: Named,
  activity: string | { readonly activity: string; readonly changes: Changes },
): Promise<void> {
  const { id: project_id, organization_id } = writing.project
  await recordActivity(writing.db, writing, {
    ...{ organization_id, project_id, scope: "Cohort", item_id: id, name },
    ...(typeof activity === "string" ? { activity } : activity),
  })
}

const SHOWN = ["name", "description", "filters", "groups", "query", "deleted", "count"] as const

/** What a caller can change; the count only of a list, where it is what they changed. */
export async function recordCohortChanges(
  writing: Writing,
  before: Cohort,
  after: Cohort,
): Promise<void> {
  const fields = SHOWN.filter((field) => field !== "count" || after.is_static)
  const shown = Object.fromEntries(fields.map((field) => [field, after[field]]))
  const changes = changesBetween("Cohort", before, shown)
  if (changes.length === 0) return
  const activity = after.deleted ? "deleted" : "updated"
  await recordCohortActivity(writing, after, { activity, changes })
}
