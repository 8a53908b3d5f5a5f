import { stringifyExact } from "../lib/exact-json.ts"
import type { JsonObject, JsonValue } from "../lib/json.ts"

/** Each UTF-16 unit is at most six bytes of JSON (`\u0001`), and no number is longer than 25. */
const UNIT_BYTES_MAX = 6
const NUMBER_BYTES_MAX = 25

/** Whether the JSON of a value is longer than allowed. Cheap for what is far below. */
export function isLargerThan(value: JsonObject, maxBytes: number): boolean {
  return roughBytes(value) > maxBytes && jsonBytes(value) > maxBytes
}

export function jsonBytes(value: JsonObject): number {
  return Buffer.byteLength(stringifyExact(value))
}

/** Never less than the true size. */
function roughBytes(value: JsonValue): number {
  if (typeof value === "string") return value.length * UNIT_BYTES_MAX + 2
  if (typeof value !== "object" || value === null) return NUMBER_BYTES_MAX
  let bytes = 2
  if (Array.isArray(value)) {
    for (const item of value) bytes += roughBytes(item) + 1
    return bytes
  }
  const object = value as JsonObject
  for (const key in object)
    bytes += key.length * UNIT_BYTES_MAX + 4 + roughBytes(object[key] ?? null)
  return bytes
}
