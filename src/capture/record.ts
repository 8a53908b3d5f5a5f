/**
 * One request in the log: a version byte, the length of the head (4 bytes, little-endian), the head as JSON, and
 * the body's JSON bytes as they came. The head holds what only the request knew.
 */
import { parseExact } from "../lib/exact-json.ts"
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
  readonly events: readonly JsonObject[]
}

const VERSION = 1
const PREFIX_BYTES = 5

/** In two parts, as the log takes them, so that the body is not copied. */
export function encodeRecord(head: RecordHead, body: Buffer): readonly Buffer[] {
  const headText = JSON.stringify(head)
  const headBytes = Buffer.byteLength(headText)
  const start = Buffer.allocUnsafe(PREFIX_BYTES + headBytes)
  start[0] = VERSION
  start.writeUInt32LE(headBytes, 1)
  start.write(headText, PREFIX_BYTES, "utf8")
  return [start, body]
}

export function decodeRecord(payload: Buffer): CapturedRequest {
  if (payload.length < PREFIX_BYTES || payload[0] !== VERSION) {
    throw new Error(`a capture record of version ${payload[0]} cannot be read; ${VERSION} is known`)
  }
  const bodyStart = PREFIX_BYTES + payload.readUInt32LE(1)
  const head = JSON.parse(payload.toString("utf8", PREFIX_BYTES, bodyStart)) as RecordHead
  const events = eventsOf(parseExact(payload.toString("utf8", bodyStart)), head.shape)
  const kept = events.filter((event) => !isPerformanceEvent(event))
  const { v1 } = head
  return { head, events: v1 === undefined ? kept : kept.map((event) => withOptions(event, v1.lib)) }
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
