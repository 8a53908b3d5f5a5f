/** How long JSON is, without making it: a property is measured when it changes, and not with all others. */
import { exactNumberOf } from "../lib/exact-json.ts"
import type { JsonObject, JsonValue } from "../lib/json.ts"

/** Of a person's properties. */
export const PERSON_BYTES_MAX = 512 * 1024

export function isLargerThan(value: JsonObject, maxBytes: number): boolean {
  return jsonBytes(value) > maxBytes
}

export function jsonBytes(value: JsonValue): number {
  if (typeof value === "string") return exactNumberOf(value)?.length ?? stringBytes(value)
  if (typeof value === "number") return Number.isFinite(value) ? String(value).length : 4
  if (value === null || value === true) return 4
  if (value === false) return 5
  return Array.isArray(value) ? listBytes(value) : objectBytes(value as JsonObject)
}

/** What a property adds to the JSON of an object that has others. */
export function entryBytes(key: string, value: JsonValue): number {
  return stringBytes(key) + jsonBytes(value) + 2
}

function listBytes(list: readonly JsonValue[]): number {
  let bytes = list.length === 0 ? 2 : 1
  for (const item of list) bytes += jsonBytes(item) + 1
  return bytes
}

function objectBytes(object: JsonObject): number {
  let bytes = 1
  for (const key in object) bytes += entryBytes(key, object[key] as JsonValue)
  return Math.max(bytes, 2)
}

const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Control characters with a letter of their own: \b \t \n \f \r. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13])
const ESCAPE_BYTES = 6

function stringBytes(text: string): number {
  let bytes = 2
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < SPACE) bytes += SHORT_ESCAPES.has(code) ? 2 : ESCAPE_BYTES
    else if (code === QUOTE || code === BACKSLASH) bytes += 2
    else if (code < 0x80) bytes += 1
    else if (code < 0x800) bytes += 2
    else if (code < 0xd800 || code > 0xdfff) bytes += 3
    else if (isPair(text, index)) {
      bytes += 4
      index += 1
    } else bytes += ESCAPE_BYTES
  }
  return bytes
}

function isPair(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff
}
