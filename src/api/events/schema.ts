import { z } from "zod"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import { storedDistinctId } from "../../persons/distinct-id.ts"
import { timestamp } from "../http/fields.ts"

/** JSON whose numbers keep every digit. */
const exactObject = z.custom<JsonObject>().meta({ type: "object", additionalProperties: true })

/** JSON text, or with `expand` the value itself. */
export const Event = z
  .object({
    id: z.uuid(),
    distinct_id: z.string(),
    properties: z.union([z.string(), exactObject]),
    event: z.string(),
    timestamp,
    /** Null when nobody, or nobody who is still there, did it. */
    person: z.union([z.string(), exactObject]).nullable(),
    elements: z.union([z.string(), z.array(exactObject)]),
    elements_chain: z.string(),
  })
  .meta({ id: "Event" })
export type Event = z.infer<typeof Event>

export const EventPage = z.object({ next: z.url().nullable(), results: z.array(Event) })

/** With `select`: a row of values for each event, or for each group of them. */
export const SelectedPage = z.object({
  next: z.url().nullable(),
  columns: z.array(z.string()),
  types: z.array(z.string()),
  results: z.array(z.array(z.custom<JsonValue>())),
})

export const EventValue = z
  .object({ name: z.string(), count: z.int() })
  .meta({ id: "EventPropertyValue" })
export type EventValue = z.infer<typeof EventValue>

const EXPANDABLE = ["properties", "person", "elements"] as const
export type Expanded = ReadonlySet<(typeof EXPANDABLE)[number]>

const format = z.enum(["csv", "json"]).optional()
const anyTexts = z.union([z.string(), z.array(z.string())])

const expand = anyTexts
  .optional()
  .transform((value): Expanded => {
    const names = [value ?? []].flat().flatMap((part) => part.split(",").map((name) => name.trim()))
    return new Set(EXPANDABLE.filter((name) => names.includes(name)))
  })
  .meta({ type: "string", description: "Any of properties, person and elements, with commas." })

/** Numbers that are none count as not given. */
const count = z.unknown().optional()

export const EventQuery = z.object({
  format,
  limit: count.meta({ type: "integer", minimum: 1, maximum: 50_000, default: 100 }),
  offset: count.meta({ type: "integer", minimum: 0, default: 0 }),
  after: z.string().optional(),
  before: z.string().optional(),
  event: z.string().optional(),
  distinct_id: z.string().transform(storedDistinctId).optional(),
  person_id: z.string().optional(),
  /** A list or a group of filters, as JSON; several are all meant. */
  properties: anyTexts.optional(),
  /** Expressions of the query language that must hold, as a JSON list. */
  where: anyTexts.optional(),
  /** Expressions to answer instead of whole events, as a JSON list. */
  select: anyTexts.optional(),
  orderBy: z.string().optional(),
  expand,
  cursor: z.string().optional(),
  action_id: z.string().optional(),
})
export type EventQuery = z.infer<typeof EventQuery>

export const OneEventQuery = z.object({
  format,
  expand,
  /** Unless it says no. */
  include_person: z
    .string()
    .optional()
    .transform((value) => value !== undefined && !/^(false|0|no)$/i.test(value))
    .meta({ type: "boolean" }),
})

export const ValuesQuery = z
  .object({
    format,
    key: z.string().optional(),
    value: z.string().optional(),
    event_name: anyTexts.optional(),
    "event_name[]": anyTexts.optional(),
  })
  .transform(({ event_name = [], "event_name[]": more = [], ...query }) => ({
    ...query,
    eventNames: [event_name, more].flat().filter((name) => name !== ""),
  }))
