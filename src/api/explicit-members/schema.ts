import { z } from "zod"
import { LevelChoice } from "../http/fields.ts"
import { LEVEL } from "../http/levels.ts"
import { EmbeddedUser } from "../users/schema.ts"

const GrantLevel = z.literal([LEVEL.member, LEVEL.admin])

/** Somebody who was let into a private project. */
export const ExplicitMember = z
  .object({
    user: EmbeddedUser,
    level: GrantLevel,
    /** In the organization. */
    parent_level: LevelChoice,
    /** In the project, from both. */
    effective_level: LevelChoice,
  })
  .meta({ id: "ExplicitMember" })
export type ExplicitMember = z.infer<typeof ExplicitMember>

export const ExplicitMemberDraft = z.object({
  user_uuid: z.uuid(),
  level: GrantLevel.optional(),
})

export const ExplicitMemberUpdate = z.object({ level: GrantLevel })
