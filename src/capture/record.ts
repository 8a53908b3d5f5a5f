/**
 * One request in the log: a version sign, the head as a line of JSON, and the body's JSON bytes as they came. The
 * head holds what only the request knew.
 */
import { parseExact } from "../lib/exact-json.ts"
import type { JsonObject as JsonEvent } from "../lib/json.ts"
import type { Shape } from "./envelope.ts"
import { isObject, isPerformanceEvent, type JsonObject } from "./event-fields.ts"

export interface RecordHead {
  readonly project_id: number
  /** When the request was here, in milliseconds. */
  readonly received_at: number
  /** Null when the client asked to be without. */
  readonly ip: string | null
  /** The client's clock when it sent this: text or number of the body, milliseconds of the query, or nothing. */
  readonly sent_at: number | string | null
  readonly shape: Shape
  /** `/engage`: an event without a name is an `$identify`. */
  readonly is_engage?: true
  /** `/i/v1/…`: what those SDKs take out of the properties is put back; `lib` is "name/version". */
  readonly v1?: { readonly lib: string | null }
}

export interface CapturedRequest {
  readonly head: RecordHead
  /** Exactly as they came (`lib/exact-json.ts`), without those that nobody keeps. */
  readonly events: readonly JsonEvent[]
}

const VERSION = "1"
const LINE_END = 0x0a

/** In two parts, as the log takes them, so that the body is not copied. */
export function encodeRecord(head: RecordHead, body: Buffer): readonly Buffer[] {
  return [Buffer.from(`${VERSION}${JSON.stringify(head)}\n`), body]
}

export function decodeRecord(payload: Buffer): CapturedRequest {
  const headEnd = payload.indexOf(LINE_END)
  const version = payload.toString("latin1", 0, 1)
  if (headEnd === -1 || version !== VERSION) {
    throw new Error(`a capture record of version "${version}" cannot be read; ${VERSION} is known`)
  }
  const head = JSON.parse(payload.toString("utf8", 1, headEnd)) as RecordHead
  return requestOf(head, parseExact(payload.toString("utf8", headEnd + 1)))
}

/** The same as it will be read from the log, of a body that is parsed already. */
export function requestOf(head: RecordHead, body: unknown): CapturedRequest {
  const events = eventsOf(body, head.shape)
  const kept = events.some(isPerformanceEvent)
    ? events.filter((event) => !isPerformanceEvent(event))
    : events
  const { v1 } = head
  const all = v1 === undefined ? kept : kept.map((event) => withOptions(event, v1.lib))
  // Whatever was parsed is JSON.
  return { head, events: all as readonly JsonEvent[] }
}

function eventsOf(body: unknown, shape: Shape): readonly JsonObject[] {
  const events = shape === "one" ? [body] : shape === "array" ? body : isObject(body) && body.batch
  if (!Array.isArray(events) || !events.every(isObject)) {
    throw new Error(`a capture record of shape "${shape}" holds no list of events`)
  }
  return events
}

/** Which option of a v1 event is which property of all others. */
const OPTION_PROPERTIES: readonly (readonly [string, string])[] = [
  ["cookieless_mode", "$cookieless_mode"],
  ["disable_skew_correction", "$ignore_sent_at"],
  ["process_person_profile", "$process_person_profile"],
  ["product_tour_id", "$product_tour_id"],
]
const FIELD_PROPERTIES: readonly (readonly [string, string])[] = [
  ["session_id", "$session_id"],
  ["window_id", "$window_id"],
]

function withOptions(event: JsonObject, lib: string | null): JsonObject {
  const { options, properties, ...rest } = event
  const [name, version] = lib?.split("/") ?? []
  const moved = new Map<string, unknown>([
    ["$lib", name],
    ["$lib_version", version],
    ...FIELD_PROPERTIES.map(([field, property]) => [property, event[field]] as const),
  ])
  if (isObject(options)) {
    for (const [option, property] of OPTION_PROPERTIES) moved.set(property, options[option])
  }
  const known = [...moved].filter(([, value]) => value !== undefined && value !== null)
  const given = isObject(properties) ? properties : {}
  return { ...rest, properties: { ...Object.fromEntries(known), ...given } }
}
