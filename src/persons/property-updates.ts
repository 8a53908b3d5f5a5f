/**
 * What one event does to its person's properties: `$set_once` (only keys that are absent), then `$set`, then
 * `$unset`. The event's own properties that tell about the person count as `$set` and, under their initial keys, as
 * `$set_once`; what the event says explicitly wins over them.
 */
import { isDeepStrictEqual } from "node:util"
import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts"
import { initialKeys, isAutoProperty } from "./auto-properties.ts"

type MutableObject = Record<string, JsonValue>

/** Properties after the event: the same object when nothing worth a write changes. */
export function updatedProperties(
  current: JsonObject,
  eventProperties: JsonObject,
  isEveryChangeWritten: boolean,
): JsonObject {
  const { $unset } = eventProperties
  const unset = $unset === undefined ? NO_KEYS : new Set(unsetKeys($unset))
  const changes = new Changes(current, { unset, isEveryChangeWritten })
  const once = eventProperties.$set_once
  const set = eventProperties.$set
  if (isJsonObject(once)) for (const key in once) changes.setOnce(key, once[key] as JsonValue)
  for (const key in eventProperties) {
    const initialKey = initialKeys.get(key)
    if (initialKey === undefined) continue
    const value = eventProperties[key] as JsonValue
    changes.setOnce(initialKey, value)
    if (!isJsonObject(set) || !Object.hasOwn(set, key)) changes.set(key, value)
  }
  if (isJsonObject(set)) for (const key in set) changes.set(key, set[key] as JsonValue)
  for (const key of unset) changes.remove(key)
  return changes.result()
}

/** The keys of a `$unset`: a list of them, or an object that has them. */
export function unsetKeys(unset: JsonValue): readonly string[] {
  if (Array.isArray(unset)) return unset.filter((key) => typeof key === "string")
  return isJsonObject(unset) ? Object.keys(unset) : []
}

const NO_KEYS: ReadonlySet<string> = new Set()

interface ChangeRules {
  /** Removed in the end, so that setting them first is no change. */
  readonly unset: ReadonlySet<string>
  readonly isEveryChangeWritten: boolean
}

/** Collects changes over a state and copies it only once something differs. */
class Changes {
  readonly #current: JsonObject
  readonly #rules: ChangeRules
  #next: MutableObject | undefined
  #isWritten = false

  constructor(current: JsonObject, rules: ChangeRules) {
    this.#current = current
    this.#rules = rules
  }

  setOnce(key: string, value: JsonValue): void {
    if (Object.hasOwn(this.#next ?? this.#current, key) || this.#rules.unset.has(key)) return
    this.#put(key, value)
    this.#isWritten = true
  }

  set(key: string, value: JsonValue): void {
    const state = this.#next ?? this.#current
    const isNew = !Object.hasOwn(state, key)
    if (!isNew && isSame(state[key] as JsonValue, value)) return
    if (this.#rules.unset.has(key)) return
    this.#put(key, value)
    this.#isWritten ||= isNew || this.#rules.isEveryChangeWritten || !isAutoProperty(key)
  }

  remove(key: string): void {
    if (!Object.hasOwn(this.#next ?? this.#current, key)) return
    this.#next ??= { ...this.#current }
    delete this.#next[key]
    this.#isWritten = true
  }

  result(): JsonObject {
    return this.#isWritten && this.#next !== undefined ? this.#next : this.#current
  }

  #put(key: string, value: JsonValue): void {
    this.#next ??= { ...this.#current }
    putOwn(this.#next, key, value)
  }
}

function isSame(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true
  if (typeof left !== "object" || typeof right !== "object") return false
  return isDeepStrictEqual(left, right)
}

/** Assigning to the key `__proto__` would change what the object is, not what it holds. */
export function putOwn(target: MutableObject, key: string, value: JsonValue): void {
  if (key !== "__proto__") target[key] = value
  else {
    const property = { value, enumerable: true, configurable: true, writable: true }
    Object.defineProperty(target, key, property)
  }
}
