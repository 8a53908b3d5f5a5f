import { z } from "zod"
import type { JsonObject } from "../../lib/json.ts"
import { timestamp } from "../http/fields.ts"
import { Person } from "./schema.ts"

const exactObject = z.custom<JsonObject>().meta({ type: "object", additionalProperties: true })

const TimelinePoint = z
  .object({
    timestamp,
    /** All that was known of the person from here on. */
    properties: exactObject,
    /** Until the next point. */
    relevant_event_count: z.int(),
  })
  .meta({ id: "TimelinePoint" })
export type TimelinePoint = z.infer<typeof TimelinePoint>

export const PersonTimeline = Person.extend({
  points: z.array(TimelinePoint),
  crucial_property_keys: z.array(z.string()),
  effective_date_from: timestamp,
  effective_date_to: timestamp,
}).meta({ id: "PersonTimeline" })

/** Lists and objects come as JSON text. */
export const TimelineQuery = z.object({
  format: z.enum(["csv", "json"]).optional(),
  events: z.string().optional(),
  actions: z.string().optional(),
  properties: z.string().optional(),
  breakdown: z.string().optional(),
  breakdown_type: z.string().optional(),
  date_from: z.string().optional(),
  date_to: z.string().optional(),
  interval: z.enum(["hour", "day", "week", "month"]).optional(),
})
export type TimelineQuery = z.infer<typeof TimelineQuery>
