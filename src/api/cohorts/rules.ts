/** What may be written about a cohort, and what it then is. */
import { listReferences } from "../../cohorts/definition.ts"
import { parseFirstColumn } from "../../cohorts/first-column.ts"
import { filtersOfGroups } from "../../cohorts/legacy-groups.ts"
import type { NamedPersons } from "../../cohorts/members.ts"
import { parseCohortFilters } from "../../cohorts/parse.ts"
import { invalid } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import { isJsonObject, type JsonObject } from "../../lib/json.ts"
import type { CohortUpdate } from "./schema.ts"

/** The definition of a cohort as it is stored. */
export interface Definition {
  readonly filters: JsonObject | null
  readonly groups: readonly JsonObject[]
  readonly query: JsonObject | null
  readonly depends_on: readonly number[]
}

const NOTHING: Definition = { filters: null, groups: [], query: null, depends_on: [] }

/** What a write says about who is in the cohort; undefined when it says nothing. */
export function parseDefinition(draft: CohortUpdate, isStatic: boolean): Definition | undefined {
  const { filters, groups, query } = draft
  const hasFilters = filters != null
  const hasGroups = groups != null && groups.length > 0
  if (query != null && (hasFilters || hasGroups)) {
    throw invalid("A cohort has filters or a query, not both.", "query")
  }
  if (isStatic) return parseStaticDefinition(draft, hasFilters || hasGroups)
  if (query != null) {
    throw invalid("Only a static cohort can have a query: set is_static to true.", "query")
  }
  if (!hasFilters && !hasGroups) return undefined
  // Whoever sends a cohort back as it came has both: the filters are what the groups were made into.
  const meant = hasFilters ? filters : filtersOfGroups(groups ?? [])
  const group = parseCohortFilters(meant)
  return {
    ...NOTHING,
    filters: meant as JsonObject,
    groups: hasGroups ? (groups as JsonObject[]) : [],
    depends_on: listReferences(group),
  }
}

function parseStaticDefinition({ query }: CohortUpdate, hasFilters: boolean) {
  if (hasFilters) {
    throw invalid("A static cohort is a list of persons: it has no filters.", "filters")
  }
  if (query == null) return undefined
  if (!isJsonObject(query) || query.kind !== "ActorsQuery") {
    throw invalid('The query of a cohort is an object whose kind is "ActorsQuery".', "query")
  }
  return { ...NOTHING, query }
}

export function checkIsStatic(isStatic: boolean, field: string): void {
  if (isStatic) return
  throw invalid("Only a static cohort has a list of persons.", field)
}

/** Persons that a write adds; undefined when it names none. */
export function parseAdded(draft: CohortUpdate, isStatic: boolean): NamedPersons | undefined {
  const { csv, _create_static_person_ids: personIds } = draft
  if (csv === undefined && personIds == null) return undefined
  checkIsStatic(isStatic, csv === undefined ? "_create_static_person_ids" : "csv")
  const distinctIds = csv === undefined ? [] : parseFirstColumn(csv.bytes)
  if (csv !== undefined && distinctIds.length === 0) {
    throw invalid("The file holds no distinct id in its first column.", "csv")
  }
  return { ...parsePersonIds(personIds ?? [], "_create_static_person_ids"), distinctIds }
}

export function parsePersonIds(
  personIds: readonly (string | number)[],
  field: string,
): Required<Pick<NamedPersons, "ids" | "uuids">> {
  const ids: number[] = []
  const uuids: string[] = []
  for (const name of personIds.map(String)) {
    if (isUuid(name)) uuids.push(name)
    else if (/^\d+$/.test(name)) {
      // Too large a number is nobody's.
      if (Number.isSafeInteger(Number(name))) ids.push(Number(name))
    } else {
      const shown = JSON.stringify(name.slice(0, 60))
      throw invalid(`A person is named by its number or its UUID, not by ${shown}.`, field)
    }
  }
  return { ids, uuids }
}
