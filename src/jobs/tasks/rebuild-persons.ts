/** The columnar copies of persons and groups, made anew because the command line asked for it. */
import type { z } from "zod"
import { copyStaticCohorts } from "../../cohorts/refresh.ts"
import { rebuildPersons } from "../../persons/rebuild.ts"
import type { Task } from "../queue.ts"
import { ReportedRun, reportRun } from "../run-report.ts"
import { cohortToolsOf, type TaskTools } from "./tools.ts"

export const rebuildPersonsTask: Task<TaskTools, z.infer<typeof ReportedRun>> = {
  name: "rebuild-persons",
  payload: ReportedRun,
  timeLimitSeconds: 6 * 60 * 60,

  async run(tools, run) {
    await reportRun(tools, run, async (tell) => {
      const counts = await rebuildPersons({ ...tools, tell })
      const cohorts = await copyStaticCohorts(cohortToolsOf(tools))
      tools.logger.info({ ...counts, cohorts }, "persons rebuilt")
      const { persons, groups, removed } = counts
      return `rebuilt ${persons} persons and ${groups} groups, removed ${removed} copies of persons that are gone`
    })
  },
}
