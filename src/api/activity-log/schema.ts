import { z } from "zod"
import { timestamp } from "../http/fields.ts"

export const Change = z.object({
  type: z.string(),
  action: z.string(),
  field: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
})
export type Change = z.infer<typeof Change>

export const ActivityEntry = z
  .object({
    id: z.uuid(),
    user: z.object({ first_name: z.string(), email: z.string() }).nullable(),
    is_system: z.boolean(),
    activity: z.string(),
    scope: z.string(),
    item_id: z.string(),
    detail: z.object({
      name: z.string().nullable(),
      changes: z.array(Change).nullable(),
      trigger: z.unknown(),
      type: z.string().nullable(),
      short_id: z.string().nullable(),
    }),
    created_at: timestamp,
  })
  .meta({ id: "ActivityEntry" })
export type ActivityEntry = z.infer<typeof ActivityEntry>
