/** Events in: read, decoded, checked, appended; answered when they are on disk. */
import { positionAfter } from "../log/log.ts"
import { ACCEPTED, type Answer, jsonAnswer, NO_CONTENT } from "./answers.ts"
import { clientAddress, sentAtOfQuery } from "./client-address.ts"
import { checkEvents, type Envelope, openEnvelope, parseToken, sentAtOf } from "./envelope.ts"
import { isObject } from "./event-fields.ts"
import { findField } from "./form.ts"
import { findLongItem, parseBounded } from "./json-text.ts"
import type { ParsedBody } from "./recent.ts"
import { encodeRecord, type RecordHead } from "./record.ts"
import { refusal } from "./refusal.ts"
import { getProject, isBeacon, payloadOf, tokenOfQuery, type Visit, withBody } from "./visit.ts"

const EVENT_MAX_BYTES = 1024 * 1024

export function captureEvents(visit: Visit): Promise<Answer> {
  return withBody(visit, async (body) => {
    const { query, route } = visit.found
    const { json, formToken } = await payloadOf(visit, body)
    const text = json.toString("utf8")
    const value = parseBounded(text)
    const envelope = openEnvelope(value)
    const token = parseToken(envelope.token ?? formToken ?? tokenOfQuery(query))
    const droppedCount = check(envelope, json, route.isEngage)
    const { project_id } = await getProject(visit, token)
    const head = { project_id, ...headOf(visit, envelope) }
    await keep(visit, { head, json, text, value, eventCount: envelope.events.length, droppedCount })
    return isBeacon(query) ? NO_CONTENT : ACCEPTED
  })
}

/** The newer protocol: the token as a Bearer, one result for each event. */
export function captureEventsV1(visit: Visit): Promise<Answer> {
  return withBody(visit, async (body) => {
    const token = parseToken(bearerOf(visit.request.headers.authorization))
    const { json } = await payloadOf(visit, body)
    const text = json.toString("utf8")
    const value = parseBounded(text)
    const envelope = openEnvelope(value)
    const droppedCount = check(envelope, json, false)
    const { project_id } = await getProject(visit, token)
    const createdAt = isObject(value) ? value.created_at : undefined
    const head = { project_id, ...headOf(visit, envelope), ...headOfV1(visit, createdAt) }
    await keep(visit, { head, json, text, value, eventCount: envelope.events.length, droppedCount })
    return jsonAnswer({ results: Object.fromEntries(envelope.events.flatMap(resultOf)) })
  })
}

interface Checked extends ParsedBody {
  readonly head: RecordHead
  readonly json: Buffer
  readonly eventCount: number
  readonly droppedCount: number
}

async function keep({ parts }: Visit, checked: Checked): Promise<void> {
  const { head, json, droppedCount } = checked
  const keptCount = checked.eventCount - droppedCount
  if (keptCount > 0) {
    const payload = encodeRecord(head, json)
    const position = await parts.log.append(payload)
    const { value, text } = checked
    const next = positionAfter(position, payload)
    parts.recent?.keep({ position, next, head, body: { value, text } })
  }
  parts.counts.accept(keptCount)
  parts.counts.drop("performance_event", droppedCount)
}

/** How many of the events are to be dropped. */
function check(envelope: Envelope, json: Buffer, isEngage: boolean): number {
  checkSizes(envelope, json)
  return checkEvents(envelope.events, isEngage)
}

function checkSizes({ shape, events }: Envelope, json: Buffer): void {
  if (json.length <= EVENT_MAX_BYTES) return
  const longIndex = shape === "one" ? 0 : findLongItem(json, EVENT_MAX_BYTES)
  if (longIndex === undefined) return
  const which = `Event ${longIndex + 1} of ${events.length}`
  throw refusal("request_too_large", `${which}: it is larger than 1 MB.`)
}

function headOf(visit: Visit, { shape, sentAt }: Envelope): Omit<RecordHead, "project_id"> {
  const { parts, request, found } = visit
  const { query, route } = found
  const isWithoutIp = query !== "" && findField(query, "ip") === "0"
  return {
    received_at: parts.clock.now().getTime(),
    ip: isWithoutIp ? null : clientAddress(request, parts.trustProxy),
    sent_at: sentAt ?? sentAtOfQuery(query),
    shape,
    ...(route.isEngage ? { is_engage: true } : {}),
  }
}

const LIB_LENGTH_MAX = 100

/** A retried batch keeps the time it was made at; the header tells when it was sent. */
function headOfV1({ request }: Visit, createdAt: unknown): Pick<RecordHead, "sent_at" | "v1"> {
  const { headers } = request
  const sentAt = sentAtOf(headers["posthog-request-timestamp"]) ?? sentAtOf(createdAt)
  const lib = headers["posthog-sdk-info"]
  return {
    sent_at: sentAt,
    v1: { lib: typeof lib === "string" && lib.length <= LIB_LENGTH_MAX ? lib : null },
  }
}

function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(.+)$/i.exec(header ?? "")?.[1]
}

function resultOf(event: unknown): [string, { result: "ok" }][] {
  const uuid = isObject(event) ? event.uuid : undefined
  return typeof uuid === "string" && uuid !== "" ? [[uuid, { result: "ok" }]] : []
}
