/** Text with half surrogate pairs is no Unicode: stores refuse it. Nearly no event has any, so looking is first. */
import type { JsonObject, JsonValue } from "../../lib/json.ts"

export function isWellFormed(value: JsonValue): boolean {
  if (typeof value === "string") return value.isWellFormed()
  if (typeof value !== "object" || value === null) return true
  if (Array.isArray(value)) {
    for (const item of value) if (!isWellFormed(item)) return false
    return true
  }
  const object = value as JsonObject
  for (const key in object) {
    const inner = object[key]
    if (typeof inner === "string") {
      if (!inner.isWellFormed()) return false
    } else if (typeof inner === "object" && inner !== null && !isWellFormed(inner)) return false
    if (!key.isWellFormed()) return false
  }
  return true
}

/** A copy in which each half is replaced by U+FFFD, in keys too. */
export function toWellFormed(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.toWellFormed()
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(toWellFormed)
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, inner]) => [
      key.toWellFormed(),
      toWellFormed(inner),
    ]),
  )
}
