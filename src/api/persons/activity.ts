/** What is told about changes of persons. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts"
import { textOf, toStorable, truncate } from "../../lib/text.ts"
import type { Person } from "../../persons/person.ts"
import type { Db } from "../../relational/db.ts"
import type { Change } from "../activity-log/schema.ts"
import { recordActivity } from "../activity-log/store.ts"
import type { Caller } from "../http/caller.ts"
import type { Services } from "../http/services.ts"

/** The context of a write, as far as its parts need it. */
export interface Writing {
  readonly db: Db
  readonly services: Services
  readonly caller: Caller
  readonly organization: { readonly id: string }
  readonly project: { readonly id: number }
  readonly now: Date
}

export interface PersonActivityDraft {
  readonly activity: string
  readonly changes: readonly Change[] | null
}

export async function recordPersonActivity(
  { db, caller, organization, project, now }: Writing,
  person: Pick<Person, "id" | "uuid">,
  draft: PersonActivityDraft,
): Promise<void> {
  await recordActivity(
    db,
    { caller, now },
    {
      organization_id: organization.id,
      project_id: project.id,
      scope: "Person",
      item_id: person.id,
      name: person.uuid,
      ...draft,
    },
  )
}

const LOGGED_CHARACTERS_MAX = 1_000

/** A value as the log keeps it: small ones as they are, others as the beginning of their text. */
export function loggable(value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null) return null
  if (typeof value === "number" || typeof value === "boolean") return value
  const text = textOf(value)
  const isKept = isJsonObject(value) || Array.isArray(value)
  if (isKept && text.length <= LOGGED_CHARACTERS_MAX && toStorable(text) === text) {
    return storableTree(value)
  }
  return truncate(toStorable(text), LOGGED_CHARACTERS_MAX)
}

/** Numbers with many digits become text; what no database can keep is replaced. */
function storableTree(value: JsonValue): JsonValue {
  if (typeof value === "string") return toStorable(textOf(value))
  if (Array.isArray(value)) return value.map(storableTree)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value as JsonObject)
  return Object.fromEntries(entries.map(([key, held]) => [toStorable(key), storableTree(held)]))
}
