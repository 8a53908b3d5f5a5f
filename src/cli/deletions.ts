import { setTimeout as sleep } from "node:timers/promises"
import { listUnfinished } from "../deletion/requests.ts"
import { elapsedMs } from "../lib/clock.ts"
import { StartError } from "../lib/errors.ts"
import type { Db } from "../relational/db.ts"
import { type Command, parseWords } from "./command.ts"
import { enqueue, type Instance, isStillThere, openFilledInstance } from "./instance.ts"
import { withProgress } from "./progress.ts"

export const deletions: Command = {
  name: "deletions",
  usage: "deletions run",
  summary: "Delete the queued event data now instead of by its schedule.",

  async run([action = "", ...words]) {
    if (action !== "run") throw new StartError(`deletions: use run, not "${action}"`)
    parseWords({ args: [...words], options: {} })
    const instance = await openFilledInstance()
    try {
      console.log(await withProgress((show) => deleteQueued(instance, show)))
      return 0
    } finally {
      await instance[Symbol.asyncDispose]()
    }
  },
}

const REQUESTS_MAX = 1_000_000
const LOOK_EVERY_MS = 500
const LOOK_ALIVE_EVERY_MS = 5_000

/** The instance alone may touch its events: it is asked, and how far it is stands in the database. */
async function deleteQueued(instance: Instance, show: (message: string) => void): Promise<string> {
  const { db } = instance.database
  const requests = await listUnfinished(db, REQUESTS_MAX)
  if (requests.length === 0) return "nothing is queued for deletion"
  const ids = requests.map(({ id }) => id)
  await enqueue(instance, "delete-events", {})
  let lookMs = elapsedMs() + LOOK_ALIVE_EVERY_MS
  for (let left = ids.length; left > 0; left = await countUnfinished(db, ids)) {
    show(`${ids.length - left} of ${ids.length} requests are done`)
    await sleep(LOOK_EVERY_MS)
    if (elapsedMs() < lookMs) continue
    lookMs = elapsedMs() + LOOK_ALIVE_EVERY_MS
    if (!(await isStillThere(instance))) {
      throw new StartError("the instance stopped meanwhile; what is left is done after its start")
    }
  }
  const personCount = requests.filter(({ kind }) => kind === "person").length
  const projectCount = requests.length - personCount
  return `deleted the event data of ${personCount} persons and ${projectCount} projects`
}

async function countUnfinished(db: Db, ids: readonly string[]): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from data_deletion where id = any(${[...ids]}) and finished_at is null`
  return row?.count ?? 0
}
