/** Everything that answering a question about one project needs, and what the project says about itself. */
import type { ColumnarEngine, QueryLimits, Row } from "../columnar/engine.ts"
import type { InsightContext, Plan } from "../insights/insight.ts"
import { isJsonObject, type JsonValue } from "../lib/json.ts"
import { listUuidsByDistinctIds } from "../persons/store.ts"
import type { PathCleaning } from "../query/filters/operators.ts"
import { parsePropertyFilters } from "../query/filters/parse.ts"
import {
  compileCondition,
  compileExpression,
  type LanguageContext,
} from "../query/language/compile.ts"
import { type Db, one } from "../relational/db.ts"

export interface Desk {
  readonly db: Db
  readonly columnar: Pick<ColumnarEngine, "rows">
  readonly limits: QueryLimits
  readonly project: ProjectFacts
  readonly now: Date
}

export interface ProjectFacts {
  readonly id: number
  readonly timezone: string
  readonly week_start_day: 0 | 1 | null
  readonly test_account_filters: JsonValue
  readonly path_cleaning_filters: readonly PathCleaning[] | null
  /** Ids and names of the cohorts that are not deleted. */
  readonly cohorts: readonly { readonly id: number; readonly name: string }[]
}

export function getProjectFacts(db: Db, projectId: number): Promise<ProjectFacts> {
  return one(db<ProjectFacts[]>`
    select p.id, p.timezone, p.week_start_day, p.test_account_filters, p.path_cleaning_filters,
      (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name) order by c.id desc), '[]')
       from cohort c where c.project_id = p.id and not c.deleted) as cohorts
    from project p where p.id = ${projectId}`)
}

export async function runPlan<T>(plan: Plan<T>, { columnar, limits }: Desk): Promise<T> {
  let step = plan.next()
  while (step.done !== true) step = plan.next(await columnar.rows(step.value, limits))
  return step.value
}

export async function askRows(
  { columnar, limits }: Desk,
  query: Parameters<ColumnarEngine["rows"]>[0],
): Promise<readonly Row[]> {
  return columnar.rows(query, limits)
}

/** What plans and filters may know. `asked` is searched for the persons that its filters name. */
export async function contextFor(desk: Desk, asked: JsonValue): Promise<InsightContext> {
  const { project, now } = desk
  const distinctIds = [
    ...findDistinctIds(asked),
    ...findDistinctIds(project.test_account_filters),
  ].slice(0, DISTINCT_IDS_MAX)
  return {
    project_id: project.id,
    now,
    timezone: project.timezone,
    weekStartsOn: project.week_start_day ?? 0,
    testAccountFilters: parsePropertyFilters(project.test_account_filters),
    pathCleaning: project.path_cleaning_filters ?? [],
    personsByDistinctId: await listUuidsByDistinctIds(desk.db, project.id, distinctIds),
    cohortNames: new Map(project.cohorts.map(({ id, name }) => [id, name])),
    compileExpression: (text) => compileExpression(text, "events", languageContext(desk)),
    compileCondition: (text) => compileCondition(text, "events", languageContext(desk)).expr,
  }
}

export function languageContext({ project, now }: Pick<Desk, "project" | "now">): LanguageContext {
  return {
    project_id: project.id,
    timezone: project.timezone,
    weekStartsOn: project.week_start_day ?? 0,
    now,
    // The newest of one name comes first and is the one that is meant.
    cohorts: new Map(
      [...project.cohorts].reverse().flatMap(({ id, name }) => [
        [name, id],
        [String(id), id],
      ]),
    ),
  }
}

const DISTINCT_IDS_MAX = 10_000
const DEPTH_MAX = 50

/** Values of all filters by distinct id, wherever they stand. */
function findDistinctIds(value: JsonValue, depth = 0): readonly string[] {
  if (depth > DEPTH_MAX) return []
  if (Array.isArray(value)) return value.flatMap((item) => findDistinctIds(item, depth + 1))
  if (!isJsonObject(value)) return []
  if (value.type === "person" && value.key === "distinct_id") {
    return [value.value].flat().flatMap((id) => (typeof id === "string" ? [id] : []))
  }
  return Object.values(value).flatMap((item) => findDistinctIds(item, depth + 1))
}
