/** Works out a cohort that was changed, and those that are made of it. */
import { z } from "zod"
import { CALCULATION_TIMEOUT_MS, calculateAround } from "../../cohorts/calculate.ts"
import type { Task } from "../queue.ts"
import { cohortToolsOf, type TaskTools } from "./tools.ts"

const Payload = z.object({ cohort_id: z.int() })

export const calculateCohort: Task<TaskTools, z.infer<typeof Payload>> = {
  name: "calculate-cohort",
  payload: Payload,
  timeLimitSeconds: 15 * 60,

  async run(tools, { cohort_id }) {
    const patience = { timeoutMs: 2 * CALCULATION_TIMEOUT_MS, isBrief: false }
    await calculateAround(cohortToolsOf(tools), cohort_id, patience)
  },
}
