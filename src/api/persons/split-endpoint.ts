import type { ColumnarChange } from "../../columnar/engine.ts"
import { invalid } from "../../lib/errors.ts"
import { type Person, stateOf } from "../../persons/person.ts"
import { splitPerson } from "../../persons/split.ts"
import { isIdOf, LISTED_DISTINCT_IDS_MAX, updatePerson } from "../../persons/store.ts"
import { endpoint } from "../http/endpoint.ts"
import { recordPersonActivity, type Writing } from "./activity.ts"
import { inFormat, personPath, showPerson, writingPerson } from "./reading.ts"
import { ChangedPerson, FormatQuery, SplitDraft } from "./schema.ts"

const split = endpoint({
  ...writingPerson,
  name: "persons_split",
  method: "POST",
  path: `${personPath}/split`,
  summary:
    "Make every distinct id a person of its own, with its past events. The person keeps " +
    "`main_distinct_id` and its properties; without one, its first distinct id and no properties.",
  query: FormatQuery,
  body: SplitDraft,
  reply: ChangedPerson,

  async handle({ query, body, loaded: person, ...writing }) {
    const { main_distinct_id: main } = body
    const after = await takeApart(writing, person, main ?? undefined)
    const shown = await showPerson(writing.db, after)
    return inFormat(query.format, { ...shown, success: true as const })
  },
})

/** A person of one distinct id stays as it is: there is nothing to tell apart. */
async function takeApart(
  writing: Writing,
  person: Person,
  chosen: string | undefined,
): Promise<Person> {
  const { db, now, services } = writing
  const main = chosen ?? person.distinct_ids[0] ?? ""
  if (chosen !== undefined) await checkOwnId(writing, person, chosen)
  const record = (change: ColumnarChange) => services.columnarChanges.record(db, change)
  const count = await splitPerson(db, person, { main, now, record })
  if (count === 0) return person
  const kept = await updatePerson(db, person, chosen === undefined ? {} : person.properties)
  await record(stateOf(kept))
  const after = { distinct_ids: person.distinct_ids.slice(0, LISTED_DISTINCT_IDS_MAX) }
  await recordPersonActivity(writing, person, {
    activity: "split_person",
    changes: [{ type: "Person", action: "split", field: null, before: null, after }],
  })
  return { ...kept, distinct_ids: [main] }
}

async function checkOwnId({ db }: Writing, person: Person, distinctId: string): Promise<void> {
  if (await isIdOf(db, person, distinctId)) return
  throw invalid(
    `"${distinctId}" is not a distinct id of this person.`,
    "main_distinct_id",
    "does_not_exist",
  )
}

export const personSplitEndpoints = [split]
