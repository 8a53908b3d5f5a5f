/** The files of a staged batch. */
import { z } from "zod"

export const FILES = {
  events: "events.ndjson",
  persons: "persons.ndjson",
  snapshots: "snapshots.ndjson",
  groups: "groups.ndjson",
  overrides: "overrides.ndjson",
  merged: "merged.ndjson",
} as const

export const Manifest = z.object({ files: z.array(z.enum(FILES)) })
export type Manifest = z.infer<typeof Manifest>
