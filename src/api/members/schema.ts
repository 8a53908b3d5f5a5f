import { z } from "zod"
import { LevelChoice, timestamp } from "../http/fields.ts"
import { EmbeddedUser } from "../users/schema.ts"

const SEARCH_MAX = 200

export const Member = z
  .object({
    id: z.uuid(),
    user: EmbeddedUser,
    level: LevelChoice,
    joined_at: timestamp,
    updated_at: timestamp,
    is_2fa_enabled: z.boolean(),
    has_social_auth: z.boolean(),
  })
  .meta({ id: "Member" })
export type Member = z.infer<typeof Member>

export const MemberDraft = z.object({ level: LevelChoice })

/** PostgreSQL knows no year 0. */
const moment = z.iso
  .datetime({ offset: true, error: "Expected a time such as 2026-03-02T10:00:00Z." })
  .transform((text) => new Date(text))
  .refine((time) => time.getUTCFullYear() > 0, "Expected a time after the year 0.")

/** An empty filter filters nothing. */
export const MemberFilter = z.object({
  email: z.string().optional(),
  search: z.string().trim().max(SEARCH_MAX).optional(),
  updated_after: moment.optional(),
  order: z.enum(["joined_at", "-joined_at"]).optional(),
})
export type MemberFilter = z.infer<typeof MemberFilter>
