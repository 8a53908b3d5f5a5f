/** What the parameters of the list mean, and how events are shown. */
import { parseElementsChain } from "../../elements/parse-chain.ts"
import { invalid } from "../../lib/errors.ts"
import { parseExact, stringifyExact } from "../../lib/exact-json.ts"
import type { JsonObject } from "../../lib/json.ts"
import { columnarTime, type DateContext, parseDateInput } from "../../query/dates.ts"
import { type PropertyGroup, parsePropertyFilters } from "../../query/filters/parse.ts"
import { parsePage } from "../http/paging.ts"
import { type Cursor, parseCursor } from "./cursor.ts"
import type { Event, EventQuery, Expanded } from "./schema.ts"

const EVENT_PAGE_SIZE_MAX = 50_000
const CSV_PAGE_SIZE = 3_500
/** Clocks differ a little; what is further ahead is hidden until its time has come. */
const FUTURE_MAX_MS = 5_000

export interface EventSearch {
  readonly now: Date
  /** Both exclusive. */
  readonly after: string | undefined
  readonly before: string
  readonly event: string | undefined
  readonly distinct_id: string | undefined
  readonly person_id: string | undefined
  readonly properties: PropertyGroup
  /** Expressions of the query language. */
  readonly where: readonly string[]
  readonly isDescending: boolean
  readonly cursor: Cursor | undefined
  readonly limit: number
  readonly offset: number
}

export function parseSearch(query: EventQuery, moment: { now: Date; timezone: string }) {
  if (query.action_id) {
    throw invalid("There are no actions here; name the event itself with `event`.", "action_id")
  }
  const cursor = query.cursor ? parseCursor(query.cursor) : undefined
  const now = cursor?.now ?? moment.now
  const dates = { now, timezone: moment.timezone, truncate: false }
  const search: EventSearch = {
    now,
    after: timeOf(query.after, { ...dates, attr: "after" }),
    before: timeOf(query.before, { ...dates, attr: "before" }) ?? nearFuture(now),
    event: query.event || undefined,
    distinct_id: query.distinct_id || undefined,
    person_id: query.person_id || undefined,
    properties: parseProperties(query.properties),
    where: parseExpressions(query.where, "where"),
    isDescending: parseIsDescending(query.orderBy),
    cursor,
    ...parsePage(csvDefault(query), EVENT_PAGE_SIZE_MAX),
  }
  return search
}

export function nearFuture(now: Date): string {
  return columnarTime(now.getTime() + FUTURE_MAX_MS)
}

function timeOf(text: string | undefined, context: DateContext): string | undefined {
  return text ? parseDateInput(text, context).time : undefined
}

/** Given more than once, all of them are meant. */
function parseProperties(texts: string | readonly string[] | undefined): PropertyGroup {
  if (texts === undefined || typeof texts === "string") return parsePropertyFilters(texts)
  return { kind: "group", type: "AND", members: texts.map(parsePropertyFilters) }
}

/** A JSON list of expressions, or one as it is. */
export function parseExpressions(
  texts: string | readonly string[] | undefined,
  attr: string,
): readonly string[] {
  return [texts ?? []].flat().flatMap((text) => (text === "" ? [] : parseList(text, attr)))
}

function parseList(text: string, attr: string): readonly string[] {
  if (!text.trimStart().startsWith("[")) return [text]
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list) && list.every((each) => typeof each === "string")) return list
  } catch {
    // Said below, like every other list that is none.
  }
  throw invalid(`Expected a list of expressions as JSON, such as ["event"].`, attr)
}

/** Whatever else is asked for means ascending. */
function parseIsDescending(orderBy: string | undefined): boolean {
  if (!orderBy) return true
  try {
    const [first]: unknown[] = [JSON.parse(orderBy)].flat()
    return first === "-timestamp"
  } catch {
    throw invalid('Expected a list as JSON, such as ["-timestamp"] or ["timestamp"].', "orderBy")
  }
}

function csvDefault({ format, limit, offset }: EventQuery) {
  const isGiven = typeof limit === "string" && /^\s*0*[1-9]\d*\s*$/.test(limit)
  return { offset, limit: format === "csv" && !isGiven ? String(CSV_PAGE_SIZE) : limit }
}

export interface StoredEvent {
  readonly uuid: string
  readonly event: string
  readonly timestamp: string
  readonly distinct_id: string
  /** Whom it belongs to now; there may be no such person. */
  readonly person_id: string
  /** JSON text. */
  readonly properties: string
  readonly elements_chain: string
}

export interface EventPerson {
  readonly is_identified: boolean
  readonly properties: JsonObject
}

const SHOWN_PERSON_PROPERTIES = ["email", "name", "username"]

export function shownEvent(
  stored: StoredEvent,
  person: EventPerson | undefined,
  expanded: Expanded,
): Event {
  const { uuid, distinct_id, event, timestamp, elements_chain } = stored
  const elements = parseElementsChain(elements_chain)
  const shown = person === undefined ? null : shownPerson(person, distinct_id)
  return {
    id: uuid,
    distinct_id,
    properties: expanded.has("properties")
      ? (parseExact(stored.properties) as JsonObject)
      : stored.properties,
    event,
    timestamp,
    // The contract has text here: for nobody, that of null.
    person: expanded.has("person") ? shown : stringifyExact(shown),
    elements: expanded.has("elements") ? [...elements] : stringifyExact(elements),
    elements_chain,
  } as Event
}

function shownPerson({ is_identified, properties }: EventPerson, distinctId: string): JsonObject {
  const kept = SHOWN_PERSON_PROPERTIES.flatMap((key) => {
    const value = Object.hasOwn(properties, key) ? properties[key] : undefined
    return value === undefined ? [] : [[key, value] as const]
  })
  return { is_identified, distinct_ids: [distinctId], properties: Object.fromEntries(kept) }
}
