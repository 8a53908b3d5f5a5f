/** What a filter of type session compares: a field of the event's session. */
import { invalid } from "../../lib/errors.ts"
import { call, column, SESSIONS, text } from "../build.ts"
import { SESSION_FIELDS } from "../sessions.ts"
import type { Stored } from "./operators.ts"

type FieldName = keyof typeof SESSION_FIELDS

/** Keys that say a field in other words; `$duration` and `duration` say one in its own. */
const OTHER_WORDS: ReadonlyMap<string, FieldName> = new Map([
  ["$session_duration", "duration"],
  ["$start_timestamp", "min_timestamp"],
  ["$end_timestamp", "max_timestamp"],
  ["$entry_current_url", "entry_url"],
  ["$exit_current_url", "exit_url"],
  ["$entry_utm_source", "initial_utm_source"],
  ["$entry_utm_medium", "initial_utm_medium"],
  ["$entry_utm_campaign", "initial_utm_campaign"],
  ["$entry_utm_term", "initial_utm_term"],
  ["$entry_utm_content", "initial_utm_content"],
  ["$entry_referring_domain", "initial_referring_domain"],
])

export function sessionValue(key: string, timezone: string): Stored {
  const name = OTHER_WORDS.get(key) ?? findField(key.replace(/^\$/, ""))
  if (name === undefined) {
    const known = Object.keys(SESSION_FIELDS).join(", ")
    throw invalid(`Sessions have no "${key}"; they have ${known}.`, "properties")
  }
  const read = column(SESSIONS, name)
  const { kind } = SESSION_FIELDS[name].type
  if (kind === "integer" || kind === "float") {
    return { text: call("numberText", read), number: read }
  }
  if (kind === "moment") {
    const written = call("momentText", read, text(timezone))
    return { text: written, number: call("parseNumber", written), moment: read }
  }
  const written = kind === "array" ? call("toJson", read) : read
  return { text: written, number: call("parseNumber", written) }
}

function findField(name: string): FieldName | undefined {
  return Object.hasOwn(SESSION_FIELDS, name) ? (name as FieldName) : undefined
}
