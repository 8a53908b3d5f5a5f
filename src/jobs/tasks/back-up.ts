/** A backup that the command line asked for: only the running instance can make one. */
import path from "node:path"
import { z } from "zod"
import { backUp } from "../../backup/back-up.ts"
import type { Task } from "../queue.ts"
import { ReportedRun, reportRun } from "../run-report.ts"
import type { TaskTools } from "./tools.ts"

const Payload = ReportedRun.extend({
  /** Absolute. */
  folder: z.string().refine(path.isAbsolute),
})
type Payload = z.infer<typeof Payload>

const MEGABYTE = 1024 * 1024

export const backUpTask: Task<TaskTools, Payload> = {
  name: "back-up",
  payload: Payload,
  timeLimitSeconds: 6 * 60 * 60,

  async run(tools, { folder, ...run }) {
    await reportRun(tools, run, async (tell) => {
      const { fileCount, sizeBytes } = await backUp({ ...tools, tell }, folder)
      tools.logger.info({ folder, files: fileCount, bytes: sizeBytes }, "backed up")
      return `backed up to ${folder}: ${fileCount} files, ${Math.ceil(sizeBytes / MEGABYTE)} MB`
    })
  },
}
