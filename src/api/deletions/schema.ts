import { z } from "zod"
import { timestamp } from "../http/fields.ts"
import { EmbeddedUser } from "../users/schema.ts"

export const Deletion = z
  .object({
    id: z.uuid(),
    /** Whose events: of one person, or of the whole project. */
    kind: z.enum(["person", "project"]),
    /** The person's uuid, or the project's id. */
    key: z.string(),
    state: z.enum(["queued", "done"]),
    created_by: EmbeddedUser.nullable(),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: "Deletion" })
export type Deletion = z.infer<typeof Deletion>

export const DeletionQuery = z.object({ state: z.enum(["queued", "done"]).optional() })
export type DeletionQuery = z.infer<typeof DeletionQuery>
