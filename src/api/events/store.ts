/** Which events a search means, as a tree: where they come from, and what must hold. */
import { isUuid } from "../../lib/ids.ts"
import { toStorable } from "../../lib/text.ts"
import {
  and,
  column,
  EVENTS,
  type EventsSource,
  eq,
  not,
  or,
  table,
  text,
  uuid,
} from "../../query/build.ts"
import {
  compileFilters,
  eventsForFilters,
  listDistinctIdKeys,
} from "../../query/filters/compile.ts"
import type { PathCleaning } from "../../query/filters/operators.ts"
import type { PropertyGroup } from "../../query/filters/parse.ts"
import type { Expr, Select } from "../../query/tree.ts"
import { type Db, first, one } from "../../relational/db.ts"
import type { EventSearch } from "./rules.ts"

/** What the project says about how its data is read. */
export interface ProjectSettings {
  readonly id: number
  readonly timezone: string
  readonly path_cleaning_filters: readonly PathCleaning[] | null
}

export function getProjectSettings(db: Db, projectId: number): Promise<ProjectSettings> {
  return one(db<ProjectSettings[]>`
    select id, timezone, path_cleaning_filters from project where id = ${projectId}`)
}

export interface Matching extends EventsSource {
  readonly where: Expr
}

/** Everything but the times; undefined when nothing can be meant. */
export async function matchingOf(
  db: Db,
  project: ProjectSettings,
  search: EventSearch,
): Promise<Matching | undefined> {
  const conditions: Expr[] = []
  if (search.event !== undefined) conditions.push(eq(column(EVENTS, "event"), text(search.event)))
  if (search.distinct_id !== undefined) {
    conditions.push(eq(column(EVENTS, "distinct_id"), text(search.distinct_id)))
  }
  if (search.person_id !== undefined) {
    const person = await findPersonUuid(db, project.id, search.person_id)
    if (person === undefined) return undefined
    conditions.push(isEventOf(project.id, person))
  }
  const hasFilters = search.properties.members.length > 0
  if (hasFilters) conditions.push(await compileProperties(db, project, search))
  const source = hasFilters
    ? eventsForFilters(search.properties, project.id)
    : { from: table("events", EVENTS, project.id), joins: [] }
  return { ...source, where: and(...conditions) }
}

async function compileProperties(
  db: Db,
  { id, timezone, path_cleaning_filters }: ProjectSettings,
  { properties, now }: EventSearch,
): Promise<Expr> {
  return compileFilters(properties, {
    target: "events",
    now,
    timezone,
    pathCleaning: path_cleaning_filters ?? [],
    personsByDistinctId: await listOwners(db, id, properties),
  })
}

async function listOwners(db: Db, projectId: number, group: PropertyGroup) {
  // Nobody has an id that cannot even be stored.
  const distinctIds = listDistinctIdKeys(group).filter((id) => toStorable(id) === id)
  if (distinctIds.length === 0) return new Map<string, string>()
  const rows = await db<{ distinct_id: string; uuid: string }[]>`
    select d.distinct_id, p.uuid from person_distinct_id d join person p on p.id = d.person_id
    where d.project_id = ${projectId} and d.distinct_id = any(${distinctIds})`
  return new Map(rows.map((row) => [row.distinct_id, row.uuid]))
}

const INTEGER_DIGITS_MAX = 15

/** A number is a person of ours or nobody; events of a uuid may be there without their person. */
async function findPersonUuid(db: Db, projectId: number, name: string) {
  if (isUuid(name)) return name.toLowerCase()
  if (!/^\d+$/.test(name) || name.length > INTEGER_DIGITS_MAX) return undefined
  const row = await first(db<{ uuid: string }[]>`
    select uuid from person where project_id = ${projectId} and id = ${Number(name)}`)
  return row?.uuid
}

const OVERRIDES_OF_PERSON = "po"

/**
 * Whether an event belongs to the person, those of persons merged into it included. Said by the stored ids
 * alone, so that an engine looks at one column of the events instead of joining all of them.
 */
export function isEventOf(projectId: number, personUuid: string): Expr {
  const stored = column(EVENTS, "person_id")
  const person = uuid(personUuid)
  const olds = (where: Expr): Select => ({
    columns: [{ as: "old_person_id", expr: column(OVERRIDES_OF_PERSON, "old_person_id") }],
    from: table("overrides", OVERRIDES_OF_PERSON, projectId),
    where,
  })
  const mergedInto = olds(eq(column(OVERRIDES_OF_PERSON, "person_id"), person))
  const itself = olds(eq(column(OVERRIDES_OF_PERSON, "old_person_id"), person))
  return or(and(eq(stored, person), not({ kind: "inQuery", operand: person, query: itself })), {
    kind: "inQuery",
    operand: stored,
    query: mergedInto,
  })
}
