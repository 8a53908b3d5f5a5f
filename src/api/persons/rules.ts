/** How persons are named in paths and shown in answers. */
import { invalid } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import { displayNameOf, sortDistinctIds } from "../../persons/display-name.ts"
import type { Person as StoredPerson } from "../../persons/person.ts"
import type { PersonName } from "../../persons/store.ts"
import type { Person } from "./schema.ts"

/** No person has it; where a number is too large to be one, it stands for it. */
const NOBODY: PersonName = { id: 0 }

/** Undefined for what is no such name at all. */
export function findPersonName(text: string): PersonName | undefined {
  if (isUuid(text)) return { uuid: text }
  if (!/^\d+$/.test(text)) return undefined
  return Number.isSafeInteger(Number(text)) ? { id: Number(text) } : NOBODY
}

export function parsePersonName(text: string): PersonName {
  const name = findPersonName(text)
  if (name !== undefined) return name
  throw invalid(
    "A person is named by its number or its UUID here. To find one by a distinct id, use " +
      "/persons?distinct_id=<distinct id>.",
  )
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
