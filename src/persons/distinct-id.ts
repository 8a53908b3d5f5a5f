import type { JsonValue } from "../lib/json.ts"
import { textOf, toStorable, truncate } from "../lib/text.ts"

const DISTINCT_ID_CHARACTERS_MAX = 200

/** A distinct id as it is stored, from whatever a client calls one; undefined for none. */
export function distinctIdOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  return truncate(toStorable(textOf(value)), DISTINCT_ID_CHARACTERS_MAX)
}

/** As an id was stored that somebody asks for as they sent it. */
export function storedDistinctId(id: string): string {
  return truncate(toStorable(id), DISTINCT_ID_CHARACTERS_MAX)
}

/** Placeholders that broken clients send for everyone: joining persons by one would make one person of all. */
const ILLEGAL_IN_ANY_CASE = [
  ...["anonymous", "guest", "distinctid", "distinct_id", "id", "not_authenticated", "email"],
  ...["undefined", "true", "false"],
]
const ILLEGAL_AS_WRITTEN = ["[object Object]", "NaN", "None", "none", "null", "0"]

const inAnyCase = new Set(ILLEGAL_IN_ANY_CASE.flatMap(withQuotes))
const asWritten = new Set(ILLEGAL_AS_WRITTEN.flatMap(withQuotes))

function withQuotes(id: string): string[] {
  return [id, `'${id}'`, `"${id}"`]
}

/** Whether no person may be merged by this id. */
export function isIllegalDistinctId(id: string): boolean {
  return id.trim() === "" || asWritten.has(id) || inAnyCase.has(id.toLowerCase())
}
