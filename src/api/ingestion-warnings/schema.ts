import { z } from "zod"
import { freeObject, timestamp } from "../http/fields.ts"

export const IngestionWarning = z
  .object({
    id: z.int(),
    /** What was wrong, as one word for programs: `cannot_merge_already_identified`. */
    type: z.string(),
    details: freeObject,
    created_at: timestamp,
  })
  .meta({ id: "IngestionWarning" })
export type IngestionWarning = z.infer<typeof IngestionWarning>

export const IngestionWarningQuery = z.object({ type: z.string().optional() })
