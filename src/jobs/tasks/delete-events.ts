/** Deferred deletion, by its schedule. */
import { z } from "zod"
import { runDeletions } from "../../deletion/run.ts"
import type { Task } from "../queue.ts"
import type { TaskTools } from "./tools.ts"

const Payload = z.object({})

export const deleteEvents: Task<TaskTools, z.infer<typeof Payload>> = {
  name: "delete-events",
  payload: Payload,
  // The store is rewritten as a whole.
  timeLimitSeconds: 6 * 60 * 60,

  async run({ database, columnar, clock, logger, ingest }) {
    const emptyLog = ingest && (() => ingest.emptyLog())
    await runDeletions({ database, columnar, clock, logger, emptyLog })
  },
}
