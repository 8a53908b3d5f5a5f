/** Who is in a cohort changes with every event: all are worked out again, by the clock. */
import { z } from "zod"
import { refreshCohorts } from "../../cohorts/refresh.ts"
import type { Task } from "../queue.ts"
import { cohortToolsOf, type TaskTools } from "./tools.ts"

const Payload = z.object({})

export const refreshCohortsTask: Task<TaskTools, z.infer<typeof Payload>> = {
  name: "refresh-cohorts",
  payload: Payload,
  timeLimitSeconds: 15 * 60,

  async run(tools) {
    const cohorts = await refreshCohorts(cohortToolsOf(tools))
    if (cohorts > 0) tools.logger.info({ cohorts }, "cohorts refreshed")
  },
}
