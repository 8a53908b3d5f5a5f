/** What a timeline is about: which events count, and which properties matter. */
import { invalid } from "../../lib/errors.ts"
import { isJsonObject, type JsonObject } from "../../lib/json.ts"
import { type PropertyGroup, parsePropertyFilters } from "../../query/filters/parse.ts"
import type { TimelineQuery } from "./timeline-schema.ts"

export interface TimelineSubject {
  /** Null: every event. */
  readonly eventNames: readonly string[] | null
  /** Sorted. A change of any of them begins a new point. */
  readonly crucialKeys: readonly string[]
}

const ENTITIES_MAX = 100

/** The values that filters ask for do not matter here: a timeline shows how they came to be. */
export function parseSubject(query: TimelineQuery): TimelineSubject {
  if (parseList(query.actions, "actions").length > 0) {
    throw invalid("There are no actions here; name the events themselves in `events`.", "actions")
  }
  const entities = parseList(query.events, "events").map(parseEntity)
  const names = entities.map(({ id }) => id ?? null)
  const keys = [
    ...personKeysIn(parsePropertyFilters(query.properties)),
    ...entities.flatMap(({ properties }) => personKeysIn(parsePropertyFilters(properties))),
    ...(query.breakdown_type === "person" ? breakdownKeys(query.breakdown) : []),
  ]
  return {
    eventNames: names.length === 0 || names.includes(null) ? null : names.map(String),
    crucialKeys: [...new Set(keys)].toSorted(),
  }
}

function parseList(text: string | undefined, attr: string): readonly unknown[] {
  if (!text) return []
  const value = parseJson(text)
  if (Array.isArray(value) && value.length <= ENTITIES_MAX) return value
  throw invalid(`Expected a list as JSON of at most ${ENTITIES_MAX}.`, attr)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseEntity(value: unknown): JsonObject {
  const isEntity = isJsonObject(value) && (value.id == null || typeof value.id === "string")
  if (isEntity) return value
  throw invalid('Expected objects such as {"id": "$pageview"}; an id of null means all.', "events")
}

function personKeysIn(group: PropertyGroup): string[] {
  return group.members.flatMap((member) => {
    if (member.kind === "group") return personKeysIn(member)
    return member.type === "person" ? [member.key] : []
  })
}

/** One key, or a list of them as JSON. */
function breakdownKeys(text: string | undefined): string[] {
  if (!text) return []
  const value = text.startsWith("[") ? parseJson(text) : undefined
  return Array.isArray(value) ? value.map(String) : [text]
}
