/** The old way to say who is in a cohort, a list of groups of which one must hold, as filters. */
import { invalid } from "../lib/errors.ts"
import { isJsonObject, type JsonObject } from "../lib/json.ts"
import { shown } from "./parse-values.ts"

const DAYS_DEFAULT = 365

/** What it says wrongly inside its conditions is found when the filters are parsed. */
export function filtersOfGroups(groups: readonly unknown[]): JsonObject {
  return { properties: { type: "OR", values: groups.map(groupOf) } }
}

function groupOf(group: unknown): JsonObject {
  if (!isJsonObject(group)) throw wrongGroup(`${shown(group)} is no group.`)
  if (group.action_id != null) throw wrongGroup("There are no actions here: name an event_id.")
  if (group.event_id != null) return { type: "AND", values: [behavioralOf(group)] }
  if (Array.isArray(group.properties) && group.properties.length > 0) {
    return { type: "AND", values: group.properties.map(personOf) }
  }
  throw wrongGroup('A group has an "event_id", or a list of "properties" of persons.')
}

function personOf(property: unknown): JsonObject {
  if (!isJsonObject(property)) throw wrongGroup(`${shown(property)} is no property filter.`)
  return { ...property, type: property.type ?? "person" }
}

function behavioralOf(group: JsonObject): JsonObject {
  const { event_id, days, count, count_operator, start_date, end_date } = group
  const window =
    start_date == null
      ? { time_value: days ?? DAYS_DEFAULT, time_interval: "day" }
      : { explicit_datetime: start_date, explicit_datetime_to: end_date ?? null }
  const common = { type: "behavioral", key: event_id ?? null, event_type: "events", ...window }
  if (count == null) return { ...common, value: "performed_event" }
  return {
    ...common,
    value: "performed_event_multiple",
    operator: count_operator ?? "gte",
    operator_value: count,
  }
}

function wrongGroup(detail: string) {
  return invalid(detail, "groups")
}
