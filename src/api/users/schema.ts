import { z } from "zod"
import { freeObject } from "../http/fields.ts"

/** A user as it stands inside other resources. */
export const EmbeddedUser = z
  .object({
    id: z.int(),
    uuid: z.uuid(),
    distinct_id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    is_email_verified: z.boolean().nullable(),
    hedgehog_config: freeObject.nullable(),
  })
  .meta({ id: "User" })
export type EmbeddedUser = z.infer<typeof EmbeddedUser>
