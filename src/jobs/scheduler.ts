/**
 * Enqueues tasks by the clock. However many nodes look, one of them enqueues a due time; a time that passed
 * while none was up is made up for, once.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { Clock } from "../lib/clock.ts"
import { lastDue } from "../lib/cron.ts"
import type { Logger } from "../lib/logger.ts"
import { type Database, type Db, first } from "../relational/db.ts"
import type { JobQueue } from "./queue.ts"

export interface Schedule {
  readonly task: string
  /** UTC. */
  readonly cron: string
}

export interface SchedulerParts {
  readonly database: Database
  readonly queue: JobQueue
  readonly clock: Clock
  readonly logger: Logger
  readonly schedules: readonly Schedule[]
}

const LOOK_EVERY_MS = 20_000

export function startScheduler(parts: SchedulerParts): AsyncDisposable {
  const stopping = new AbortController()
  const loop = look(parts, stopping.signal)
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await loop
    },
  }
}

async function look(parts: SchedulerParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await enqueueDue(parts)
    } catch (error) {
      parts.logger.warn({ err: error }, "schedules could not be looked at")
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

/** Answers the tasks that were due. */
export async function enqueueDue(parts: SchedulerParts): Promise<readonly string[]> {
  const enqueued: string[] = []
  for (const { task, cron } of parts.schedules) {
    const due = lastDue(cron, parts.clock.now())
    const isNew = await parts.database.transaction(async (db) => {
      const isDue = await claim(db, task, due)
      if (isDue) await parts.queue.enqueue(db, task, {})
      return isDue
    })
    if (isNew) enqueued.push(task)
  }
  return enqueued
}

/** The first look at a schedule only notes where it stands: nothing was missed yet. */
async function claim(db: Db, task: string, due: Date): Promise<boolean> {
  const known = await first(db<{ is_new: boolean }[]>`
    select last_due_at < ${due} as is_new from job_schedule where name = ${task} for update`)
  if (known === undefined) {
    await db`insert into job_schedule (name, last_due_at) values (${task}, ${due})
             on conflict do nothing`
    return false
  }
  if (known.is_new) {
    await db`update job_schedule set last_due_at = ${due} where name = ${task}`
  }
  return known.is_new
}
