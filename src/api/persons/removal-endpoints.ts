/** Persons that go, and events that are to go. */
import { invalid } from "../../lib/errors.ts"
import { queueEventDeletions, removePersons } from "../../persons/removal.ts"
import { type LockedPerson, lockPersons, type PersonName } from "../../persons/store.ts"
import { endpoint } from "../http/endpoint.ts"
import { recordPersonActivity, type Writing } from "./activity.ts"
import { collection, inFormat, personPath, showPerson, writing, writingPerson } from "./reading.ts"
import { findPersonName } from "./rules.ts"
import {
  BulkRemovalDraft,
  ChangedPerson,
  DistinctIdDraft,
  Done,
  FormatQuery,
  RemovalQuery,
  RemovedPersons,
} from "./schema.ts"

const remove = endpoint({
  ...writingPerson,
  name: "persons_destroy",
  method: "DELETE",
  path: personPath,
  summary:
    "Delete a person at once. With `delete_events=true` its events are deleted too, by the next " +
    "run of the deletion schedule.",
  query: RemovalQuery,
  reply: null,

  async handle({ query, loaded: person, ...context }) {
    await removeAll(context, [person], query.delete_events)
    return null
  },
})

const removeMany = endpoint({
  ...writing,
  name: "persons_bulk_delete",
  method: "POST",
  path: `${collection}/bulk_delete`,
  summary: "Delete up to 1,000 persons by `ids` or `distinct_ids`; unknown ones are skipped.",
  query: RemovalQuery,
  body: BulkRemovalDraft,
  reply: RemovedPersons,

  async handle({ query, body, ...context }) {
    const { db, project } = context
    const persons = await lockPersons(db, project.id, namesIn(body))
    await removeAll(context, persons, query.delete_events || body.delete_events)
    return { success: true as const, persons_deleted: persons.length }
  },
})

const removeEvents = endpoint({
  ...writingPerson,
  name: "persons_delete_events",
  method: "POST",
  path: `${personPath}/delete_events`,
  summary:
    "Queue the deletion of all events that a person has by now, for the next run of the deletion " +
    "schedule. The person stays.",
  query: FormatQuery,
  reply: ChangedPerson,

  async handle({ query, loaded: person, ...context }) {
    const { db, now, project, caller } = context
    const request = { projectId: project.id, userId: caller.user.id, now }
    await queueEventDeletions(db, [person.uuid], request)
    await recordPersonActivity(context, person, { activity: "delete_events", changes: null })
    return inFormat(query.format, { ...(await showPerson(db, person)), success: true as const })
  },
})

const resetDistinctId = endpoint({
  ...writing,
  name: "persons_reset_distinct_id",
  method: "POST",
  path: `${collection}/reset_person_distinct_id`,
  summary:
    "Make the distinct id of a deleted person usable again. It always is, so this changes nothing; " +
    "scripts that call it go on working.",
  body: DistinctIdDraft,
  reply: Done,
  status: 202,

  handle: async () => ({ success: true as const }),
})

export const personRemovalEndpoints = [remove, removeMany, removeEvents, resetDistinctId]

async function removeAll(
  context: Writing,
  persons: readonly LockedPerson[],
  withEvents: boolean,
): Promise<void> {
  if (persons.length === 0) return
  const { db, services, caller, project, now } = context
  const removal = { projectId: project.id, userId: caller.user.id, now }
  const uuids = persons.map(({ uuid }) => uuid)
  await removePersons(db, persons, removal)
  if (withEvents) await queueEventDeletions(db, uuids, removal)
  await services.columnarChanges.record(db, {
    removed_persons: uuids.map((uuid) => ({ project_id: project.id, uuid })),
  })
  const entry = { activity: "deleted", changes: null }
  await Promise.all(persons.map((person) => recordPersonActivity(context, person, entry)))
}

function namesIn({ ids, distinct_ids: distinctIds }: BulkRemovalDraft): readonly PersonName[] {
  if (!ids && !distinctIds) {
    throw invalid(
      "Say whom to delete: `ids` (numbers or UUIDs of persons) or `distinct_ids`.",
      "ids",
      "required",
    )
  }
  const named = (ids ?? []).map((id, index) => parseId(String(id), index))
  return [...named, ...(distinctIds ?? []).map((distinct_id) => ({ distinct_id }))]
}

function parseId(text: string, index: number): PersonName {
  const name = findPersonName(text)
  if (name !== undefined) return name
  throw invalid(`"${text}" is neither the number nor the UUID of a person.`, `ids__${index}`)
}
