import { invalid } from "../../lib/errors.ts"
import type { JsonObject } from "../../lib/json.ts"
import { isLargerThan, jsonBytes, PERSON_BYTES_MAX } from "../../persons/json-size.ts"
import { eventRowOf, type Person, stateOf } from "../../persons/person.ts"
import { updatedProperties } from "../../persons/property-updates.ts"
import { updatePerson } from "../../persons/store.ts"
import { type PersonActivityDraft, recordPersonActivity, type Writing } from "./activity.ts"

export interface PropertyChange extends PersonActivityDraft {
  readonly event: string
  /** Of the event: `$set` and `$unset` change the person. */
  readonly properties: JsonObject
}

/** The person afterwards. The event is there even when it changed nothing; the person must be locked. */
export async function changeProperties(
  writing: Writing,
  person: Person,
  change: PropertyChange,
): Promise<Person> {
  const { db, services, now } = writing
  const { event, properties, activity, changes } = change
  const next = updatedProperties(person.properties, properties, true)
  const isChanged = next !== person.properties
  if (isChanged) checkSize(person.properties, next)
  const after = isChanged ? await updatePerson(db, person, next) : person
  await services.columnarChanges.record(db, {
    ...(isChanged ? stateOf(after) : {}),
    events: [eventRowOf(after, { event, properties, now })],
  })
  if (isChanged) await recordPersonActivity(writing, person, { activity, changes })
  return after
}

/** What is too large already may still shrink. */
function checkSize(before: JsonObject, after: JsonObject): void {
  if (!isLargerThan(after, PERSON_BYTES_MAX)) return
  if (jsonBytes(after) < jsonBytes(before)) return
  throw invalid(
    `The properties of a person may have ${PERSON_BYTES_MAX} bytes as JSON; these would have ` +
      `${jsonBytes(after)}.`,
    "properties",
    "max_length",
  )
}
