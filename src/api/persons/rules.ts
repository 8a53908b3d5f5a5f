/** How persons are named in paths and shown in answers. */
import { invalid, notFound } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import { displayNameOf, sortDistinctIds } from "../../persons/display-name.ts"
import type { Person as StoredPerson } from "../../persons/person.ts"
import type { PersonName } from "../../persons/store.ts"
import type { Person } from "./schema.ts"

/** Undefined for what can name nobody. */
export function findPersonName(text: string): PersonName | undefined {
  if (/^\d+$/.test(text)) return { id: Number(text) }
  return isUuid(text) ? { uuid: text } : undefined
}

export function parsePersonName(text: string): PersonName {
  const name = findPersonName(text)
  if (name === undefined) {
    throw invalid(
      "A person is named by its number or its UUID here. To find one by a distinct id, use " +
        "/persons?distinct_id=<distinct id>.",
    )
  }
  if ("id" in name && !Number.isSafeInteger(name.id)) throw notFound()
  return name
}

export function shownPerson(person: StoredPerson, nameKeys: readonly string[] | null): Person {
  return {
    id: person.id,
    uuid: person.uuid,
    type: "person",
    name: displayNameOf(person, nameKeys),
    distinct_ids: sortDistinctIds(person.distinct_ids),
    properties: person.properties,
    created_at: person.created_at,
    is_identified: person.is_identified,
    matched_recordings: [],
    value_at_data_point: null,
  }
}
