/**
 * What one event does to its person's properties: `$set_once` (only keys that are absent), then `$set`, then
 * `$unset`. The event's own properties that tell about the person count as `$set` and, under their initial keys, as
 * `$set_once`; what the event says explicitly wins over them.
 */
import { isDeepStrictEqual } from "node:util"
import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts"
import { initialKeys, isAutoProperty } from "./auto-properties.ts"

type MutableObject = Record<string, JsonValue>

/** Properties after the event: the same object when nothing worth a write changes, which is the common case. */
export function updatedProperties(
  current: JsonObject,
  eventProperties: JsonObject,
  isEveryChangeWritten: boolean,
): JsonObject {
  const { $set, $set_once, $unset } = eventProperties
  const updates: Updates = {
    event: eventProperties,
    once: isJsonObject($set_once) ? $set_once : NOTHING,
    set: isJsonObject($set) ? $set : NOTHING,
    unset: $unset === undefined ? NO_KEYS : new Set(unsetKeys($unset)),
    isEveryChangeWritten,
  }
  return isWorthWriting(current, updates) ? applied(current, updates) : current
}

/** The keys of a `$unset`: a list of them, or an object that has them. */
export function unsetKeys(unset: JsonValue): readonly string[] {
  if (Array.isArray(unset)) return unset.filter((key) => typeof key === "string")
  return isJsonObject(unset) ? Object.keys(unset) : []
}

interface Updates {
  readonly event: JsonObject
  readonly once: JsonObject
  readonly set: JsonObject
  /** Removed in the end, so that setting them first is no change. */
  readonly unset: ReadonlySet<string>
  readonly isEveryChangeWritten: boolean
}

const NOTHING: JsonObject = {}
const NO_KEYS: ReadonlySet<string> = new Set()

/** A new key, a removed one, or another value of a key that does not change all the time. */
function isWorthWriting(current: JsonObject, updates: Updates): boolean {
  const { event, once, set, unset, isEveryChangeWritten } = updates
  for (const key in event) {
    const initialKey = initialKeys.get(key)
    if (initialKey === undefined) continue
    // Every event comes here with a dozen keys. None of them is a part of all objects: reading is asking.
    if (current[initialKey] === undefined && !unset.has(initialKey)) return true
    const value = current[key]
    if (value !== undefined && !isEveryChangeWritten) continue
    if (isSame(value, event[key]) || Object.hasOwn(set, key) || unset.has(key)) continue
    return true
  }
  for (const key in once) if (!Object.hasOwn(current, key) && !unset.has(key)) return true
  for (const key in set) {
    if (unset.has(key)) continue
    if (!Object.hasOwn(current, key)) return true
    if (isSame(current[key], set[key])) continue
    if (isEveryChangeWritten || !isAutoProperty(key)) return true
  }
  for (const key of unset) if (Object.hasOwn(current, key)) return true
  return false
}

function applied(current: JsonObject, { event, once, set, unset }: Updates): JsonObject {
  const next: MutableObject = { ...current }
  for (const key in once) putOnce(next, key, once[key] as JsonValue)
  for (const key in event) {
    const initialKey = initialKeys.get(key)
    if (initialKey === undefined) continue
    putOnce(next, initialKey, event[key] as JsonValue)
    putOwn(next, key, event[key] as JsonValue)
  }
  for (const key in set) putOwn(next, key, set[key] as JsonValue)
  for (const key of unset) delete next[key]
  return next
}

function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true
  if (typeof left !== "object" || typeof right !== "object") return false
  return isDeepStrictEqual(left, right)
}

function putOnce(target: MutableObject, key: string, value: JsonValue): void {
  if (!Object.hasOwn(target, key)) putOwn(target, key, value)
}

/** Assigning to the key `__proto__` would change what the object is, not what it holds. */
function putOwn(target: MutableObject, key: string, value: JsonValue): void {
  if (key !== "__proto__") target[key] = value
  else {
    const property = { value, enumerable: true, configurable: true, writable: true }
    Object.defineProperty(target, key, property)
  }
}
