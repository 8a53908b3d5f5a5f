/** Gives the properties that are used most columns of their own. */
import { z } from "zod"
import type { Task } from "../queue.ts"
import type { TaskTools } from "./tools.ts"

const Payload = z.object({})

export const promoteProperties: Task<TaskTools, z.infer<typeof Payload>> = {
  name: "promote-properties",
  payload: Payload,
  timeLimitSeconds: 60 * 60,

  async run({ columnar, logger }) {
    const keys = await columnar.promoteProperties()
    if (keys.length > 0) logger.info({ keys }, "properties promoted")
  },
}
