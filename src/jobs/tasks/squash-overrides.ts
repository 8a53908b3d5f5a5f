/** Writes merged persons into the events they concern, so that queries have less to look up. */
import { z } from "zod"
import type { Task } from "../queue.ts"
import type { TaskTools } from "./tools.ts"

const Payload = z.object({})

export const squashOverrides: Task<TaskTools, z.infer<typeof Payload>> = {
  name: "squash-overrides",
  payload: Payload,
  timeLimitSeconds: 60 * 60,

  async run({ columnar, logger }) {
    const events = await columnar.squashOverrides()
    if (events > 0) logger.info({ events }, "overrides squashed")
  },
}
