/** What a person is called, and which of its distinct ids says most about it. */
import { exactNumberOf } from "../lib/exact-json.ts"
import type { JsonObject, JsonValue } from "../lib/json.ts"

const DEFAULT_NAME_KEYS = [
  ...["email", "Email", "$email"],
  ...["name", "Name"],
  ...["username", "Username", "UserName"],
]

export interface Named {
  readonly id: number
  readonly properties: JsonObject
  readonly distinct_ids: readonly string[]
}

/** `nameKeys` are the project's own, if it has chosen some: the first that the person has is its name. */
export function displayNameOf(person: Named, nameKeys: readonly string[] | null): string {
  const keys = nameKeys === null || nameKeys.length === 0 ? DEFAULT_NAME_KEYS : nameKeys
  for (const key of keys) {
    const text = Object.hasOwn(person.properties, key) ? nameText(person.properties[key]) : ""
    if (text !== "") return text
  }
  return sortDistinctIds(person.distinct_ids)[0] ?? String(person.id)
}

function nameText(value: JsonValue | undefined): string {
  if (typeof value === "number") return String(value)
  return typeof value === "string" ? (exactNumberOf(value) ?? value).trim() : ""
}

/** Ids that somebody chose come before those that an SDK drew; within each, the order stays. */
export function sortDistinctIds(distinctIds: readonly string[]): string[] {
  return [
    ...distinctIds.filter((each) => !isAnonymousId(each)),
    ...distinctIds.filter((each) => isAnonymousId(each)),
  ]
}

const ANONYMOUS = /^([a-z0-9]+-){4}[a-z0-9]+$/

function isAnonymousId(distinctId: string): boolean {
  return ANONYMOUS.test(distinctId)
}
