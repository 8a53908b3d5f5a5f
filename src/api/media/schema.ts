import { z } from "zod"
import { uploadedFile } from "../http/fields.ts"

export const Media = z
  .object({
    id: z.uuid(),
    /** Where anybody can get the picture. */
    image_location: z.url(),
    name: z.string(),
  })
  .meta({ id: "Media" })
export type Media = z.infer<typeof Media>

export const MediaDraft = z.object({ image: uploadedFile })
