/** Writes merged persons into the events they concern, so that queries have less to look up. */
import { z } from "zod"
import { listUnfinished } from "../../deletion/requests.ts"
import type { Db } from "../../relational/db.ts"
import type { Task } from "../queue.ts"
import type { TaskTools } from "./tools.ts"

const Payload = z.object({})
const REQUESTS_MAX = 100_000

export const squashOverrides: Task<TaskTools, z.infer<typeof Payload>> = {
  name: "squash-overrides",
  payload: Payload,
  timeLimitSeconds: 60 * 60,

  async run({ columnar, database, logger }) {
    const events = await columnar.squashOverrides({ keep: () => listAwaited(database.db) })
    if (events > 0) logger.info({ events }, "overrides squashed")
  },
}

/** Persons whose events wait for their deletion, which goes by the person an event is stored with. */
async function listAwaited(db: Db) {
  const requests = await listUnfinished(db, REQUESTS_MAX)
  if (requests.length === REQUESTS_MAX) {
    throw new Error(`${REQUESTS_MAX} deletions or more wait; overrides are squashed after them`)
  }
  return requests
    .filter(({ kind }) => kind === "person")
    .map(({ project_id, key }) => ({ project_id, person_id: key }))
}
