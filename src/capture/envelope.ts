/** What a request says once it is JSON: its shape, its events, its token; and whether they can be kept. */
import { isUuid } from "../lib/ids.ts"
import { findDistinctId, isObject, isPerformanceEvent, type JsonObject } from "./event-fields.ts"
import { refusal } from "./refusal.ts"

/** One event, a list of events, or an object whose `batch` is the list. */
export type Shape = "one" | "array" | "batch"

export interface Envelope {
  readonly shape: Shape
  /** As they came: `checkEvents` says whether they are events. */
  readonly events: readonly unknown[]
  /** As it came, of any type; undefined when nothing in the body names one. */
  readonly token: unknown
  readonly sentAt: number | string | null
}

export function openEnvelope(value: unknown): Envelope {
  if (Array.isArray(value)) return listEnvelope(value)
  if (!isObject(value)) {
    throw refusal("invalid_payload", "The body must be an event, a list of events, or a batch.")
  }
  const { batch } = value
  if (Array.isArray(batch)) {
    const events = withSome(batch)
    const token = value.api_key ?? value.token ?? sharedToken(events)
    return { shape: "batch", events, token, sentAt: sentAtOf(value.sent_at) }
  }
  if (batch !== undefined && value.event === undefined) {
    throw refusal("invalid_payload", '"batch" must be a list of events.', "batch")
  }
  return { shape: "one", events: [value], token: tokenOf(value), sentAt: sentAtOf(value.sent_at) }
}

function listEnvelope(list: readonly unknown[]): Envelope {
  const events = withSome(list)
  return { shape: "array", events, token: sharedToken(events), sentAt: null }
}

function withSome(events: readonly unknown[]): readonly unknown[] {
  if (events.length === 0) throw refusal("no_data", "The request holds no event.")
  return events
}

const SENT_AT_LENGTH_MAX = 64

export function sentAtOf(value: unknown): number | string | null {
  if (typeof value === "number" && Number.isFinite(value)) return value
  return typeof value === "string" && value.length <= SENT_AT_LENGTH_MAX ? value : null
}

/** Events without a token are of the project that the others name. */
function sharedToken(events: readonly unknown[]): unknown {
  let shared: unknown
  for (const event of events) {
    const token = isObject(event) ? tokenOf(event) : undefined
    if (token === undefined || token === shared) continue
    if (shared !== undefined) {
      throw refusal(
        "inconsistent_api_keys",
        "The events of the batch name different project tokens.",
      )
    }
    shared = token
  }
  return shared
}

function tokenOf(event: JsonObject): unknown {
  const own = event.token ?? event.$token ?? event.api_key
  if (own !== undefined && own !== null) return own
  return isObject(event.properties) ? (event.properties.token ?? undefined) : undefined
}

const TOKEN_LENGTH_MAX = 64
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/

/** A token that could be one; whether a project has it is another question. */
export function parseToken(token: unknown): string {
  if (token === undefined || token === null) {
    throw refusal("missing_api_key", "The request names no project token: add api_key.")
  }
  const fault = tokenFault(token)
  if (fault !== undefined)
    throw refusal("invalid_api_key", `The project token is not valid: ${fault}.`)
  return token as string
}

export function isWellFormedToken(token: string): boolean {
  return tokenFault(token) === undefined
}

function tokenFault(token: unknown): string | undefined {
  if (typeof token !== "string") return "it must be a string"
  if (token === "") return "it is empty"
  if (token.length > TOKEN_LENGTH_MAX) return `it is longer than ${TOKEN_LENGTH_MAX} characters`
  if (token.startsWith("phx_")) return "it is a personal API key, which must stay secret"
  if (!PRINTABLE_ASCII.test(token)) return "it holds characters that are not ASCII"
  return undefined
}

/** Refuses all for the first bad one; answers how many there are to be dropped without a word. */
export function checkEvents(events: readonly unknown[], isEngage: boolean): number {
  let droppedCount = 0
  for (let index = 0; index < events.length; index++) {
    const event = events[index]
    if (!isObject(event)) throw badEvent(events, index, "it must be an object")
    const fault = eventFault(event, isEngage)
    if (fault !== undefined) throw badEvent(events, index, fault)
    if (isPerformanceEvent(event)) droppedCount += 1
  }
  return droppedCount
}

function badEvent(events: readonly unknown[], index: number, fault: string) {
  return refusal("invalid_event", `Event ${index + 1} of ${events.length}: ${fault}.`)
}

function eventFault(event: JsonObject, isEngage: boolean): string | undefined {
  const { event: name, uuid } = event
  if (name === "") return "event is empty; give the event a name"
  if ((name === undefined || name === null) && !isEngage) return "event is missing"
  const distinctId = findDistinctId(event)
  if (distinctId === undefined) return "distinct_id is missing"
  if (distinctId === "") return "distinct_id is empty"
  if (uuid !== undefined && uuid !== null && uuid !== "" && !isUuidValue(uuid)) {
    return "uuid is not a UUID"
  }
  if (!isObjectOrNone(event.properties)) return "properties must be an object"
  if (!isObjectOrNone(event.$set)) return "$set must be an object"
  return isObjectOrNone(event.$set_once) ? undefined : "$set_once must be an object"
}

function isUuidValue(value: unknown): boolean {
  return typeof value === "string" && isUuid(value)
}

function isObjectOrNone(value: unknown): boolean {
  return value === undefined || value === null || isObject(value)
}
