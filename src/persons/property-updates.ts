/**
 * What one event does to its person's properties: `$set_once` (only keys that are absent), then `$set`, then
 * `$unset`. The event's own properties that tell about the person count as `$set` and, under their initial keys, as
 * `$set_once`; what the event says explicitly wins over them.
 */
import { isDeepStrictEqual } from "node:util"
import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts"
import { initialKeys, isAutoProperty } from "./auto-properties.ts"
import { entryBytes } from "./json-size.ts"

export type MutableObject = Record<string, JsonValue>

/** Takes work in proportion to the update, whatever the person has already. */
export interface PropertyChange {
  readonly put: ReadonlyMap<string, JsonValue>
  readonly removed: readonly string[]
  /** By which the JSON of the properties grows, or shrinks. */
  readonly bytes: number
}

/** Properties after the event: the same object when nothing worth a write changes. */
export function updatedProperties(
  current: JsonObject,
  eventProperties: JsonObject,
  isEveryChangeWritten: boolean,
): JsonObject {
  const change = findChange(current, eventProperties, isEveryChangeWritten)
  if (change === undefined) return current
  const next = { ...current }
  applyChange(next, change)
  return next
}

/** Undefined when nothing worth a write changes, which is the common case. */
export function findChange(
  current: JsonObject,
  eventProperties: JsonObject,
  isEveryChangeWritten: boolean,
): PropertyChange | undefined {
  const { $set, $set_once, $unset } = eventProperties
  const updates: Updates = {
    event: eventProperties,
    once: isJsonObject($set_once) ? $set_once : NOTHING,
    set: isJsonObject($set) ? $set : NOTHING,
    unset: $unset === undefined ? NO_KEYS : new Set(unsetKeys($unset)),
    isEveryChangeWritten,
  }
  return isWorthWriting(current, updates) ? changeBy(current, updates) : undefined
}

/** What is missing in the one, from the other. */
export function missingIn(current: JsonObject, other: JsonObject): PropertyChange {
  const put = new Map<string, JsonValue>()
  for (const key in other) {
    if (!Object.hasOwn(current, key)) put.set(key, other[key] as JsonValue)
  }
  return measured(current, put, [])
}

/** All of the one, over the other. */
export function replacedIn(current: JsonObject, other: JsonObject): PropertyChange {
  return measured(current, new Map(Object.entries(other)), [])
}

export function applyChange(target: MutableObject, { put, removed }: PropertyChange): void {
  for (const [key, value] of put) putOwn(target, key, value)
  for (const key of removed) delete target[key]
}

/** Assigning to the key `__proto__` would change what the object is, not what it holds. */
export function putOwn(target: MutableObject, key: string, value: JsonValue): void {
  if (key !== "__proto__") target[key] = value
  else {
    const property = { value, enumerable: true, configurable: true, writable: true }
    Object.defineProperty(target, key, property)
  }
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
    // Asked first: what is never written must not cost a look at all that the person has there.
    if (!isEveryChangeWritten && isAutoProperty(key)) continue
    if (!isSame(current[key], set[key])) return true
  }
  for (const key of unset) if (Object.hasOwn(current, key)) return true
  return false
}

function changeBy(current: JsonObject, { event, once, set, unset }: Updates): PropertyChange {
  const put = new Map<string, JsonValue>()
  const putOnce = (key: string, value: JsonValue) => {
    if (!put.has(key) && !Object.hasOwn(current, key)) put.set(key, value)
  }
  for (const key in once) putOnce(key, once[key] as JsonValue)
  for (const key in event) {
    const initialKey = initialKeys.get(key)
    if (initialKey === undefined) continue
    putOnce(initialKey, event[key] as JsonValue)
    put.set(key, event[key] as JsonValue)
  }
  for (const key in set) put.set(key, set[key] as JsonValue)
  for (const key of unset) put.delete(key)
  const removed = [...unset].filter((key) => Object.hasOwn(current, key))
  return measured(current, put, removed)
}

function measured(
  current: JsonObject,
  put: Map<string, JsonValue>,
  removed: readonly string[],
): PropertyChange {
  let bytes = 0
  for (const [key, value] of put) {
    if (!Object.hasOwn(current, key)) bytes += entryBytes(key, value)
    else if (current[key] === value) put.delete(key)
    else bytes += entryBytes(key, value) - entryBytes(key, current[key] as JsonValue)
  }
  for (const key of removed) bytes -= entryBytes(key, current[key] as JsonValue)
  return { put, removed, bytes }
}

function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true
  if (typeof left !== "object" || typeof right !== "object") return false
  return isDeepStrictEqual(left, right)
}
