/**
 * Background work on the relational store. A job is written in the caller's transaction, so a request that
 * fails leaves none behind; exactly one worker takes it, and what may pass is tried again with backoff. A job
 * whose worker died is given to another once its time is over.
 */
import PgBoss from "pg-boss"
import type { z } from "zod"
import type { Logger } from "../lib/logger.ts"
import type { Database, Db } from "../relational/db.ts"
import { type Outcome, Worker } from "./worker.ts"

export interface Task<Tools, Payload> {
  readonly name: string
  readonly payload: z.ZodType<Payload>
  /** Longest time one job may take; five minutes if not said. */
  readonly timeLimitSeconds?: number
  /** An error is tried again with backoff; throw `GiveUp` for what cannot pass. */
  run(tools: Tools, payload: Payload): Promise<void>
}

/** A task whose payload type is forgotten, as the registry holds it. */
export interface AnyTask<Tools> {
  readonly name: string
  readonly payload: z.ZodType
  readonly timeLimitSeconds?: number
  run(tools: Tools, payload: never): Promise<void>
}

export class GiveUp extends Error {}

export interface JobQueue {
  enqueue(db: Db, name: string, payload: object): Promise<void>
}

export interface OpenQueue extends JobQueue, AsyncDisposable {
  /** Starts to work on the tasks' jobs. */
  work<Tools>(tasks: readonly AnyTask<Tools>[], tools: Tools): void
}

const SCHEMA = "jobs"
/** Any constant that differs from the other advisory locks. */
const QUEUE_LOCK = 7_204_003
const RETRY_LIMIT = 8
const RETRY_DELAY_SECONDS = 5
const TIME_LIMIT_SECONDS = 5 * 60
const MAINTENANCE_SECONDS = 60
const KEEP_DONE_SECONDS = 12 * 60 * 60
const KEEP_ARCHIVED_DAYS = 7
const POLL_SECONDS = 2
const CLOSE_TIMEOUT_MS = 5_000

export interface QueueOptions {
  readonly database: Database
  readonly logger: Logger
  readonly tasks: readonly Pick<AnyTask<never>, "name" | "timeLimitSeconds">[]
  readonly pollSeconds?: number
  readonly maintenanceSeconds?: number
}

export async function openQueue(options: QueueOptions): Promise<OpenQueue> {
  const { logger, pollSeconds = POLL_SECONDS } = options
  const boss = await startBoss(options)
  const workers: Worker[] = []
  return {
    async enqueue(tx, name, payload) {
      const id = await boss.send(name, payload, { db: executorOf(tx) })
      if (id === null) throw new Error(`there is no task "${name}"`)
    },
    work(tasks, tools) {
      for (const task of tasks) {
        const timeLimitMs = (task.timeLimitSeconds ?? TIME_LIMIT_SECONDS) * 1_000
        const limits = { pollMs: pollSeconds * 1_000, timeLimitMs }
        const run = (job: PgBoss.Job<unknown>) => runJob({ task, tools, logger }, job)
        workers.push(new Worker({ boss, logger, name: task.name, ...limits, run }))
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.stop(CLOSE_TIMEOUT_MS)))
      await boss.stop({ graceful: false })
    },
  }
}

/** Makes the queue's own tables, and keeps them in order; nodes that start together wait for the first. */
async function startBoss({ database, logger, ...options }: QueueOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    schema: SCHEMA,
    db: ownExecutor(database),
    schedule: false,
    maintenanceIntervalSeconds: options.maintenanceSeconds ?? MAINTENANCE_SECONDS,
    archiveCompletedAfterSeconds: KEEP_DONE_SECONDS,
    deleteAfterDays: KEEP_ARCHIVED_DAYS,
  })
  boss.on("error", (error) => logger.error({ err: error }, "job queue"))
  try {
    await database.transaction(async (db) => {
      await db`select pg_advisory_xact_lock(${QUEUE_LOCK})`
      await boss.start()
      for (const task of options.tasks) await createQueue(boss, task)
    })
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
  return boss
}

async function createQueue(
  boss: PgBoss,
  { name, timeLimitSeconds = TIME_LIMIT_SECONDS }: QueueOptions["tasks"][number],
): Promise<void> {
  await boss.createQueue(name, {
    name,
    retryLimit: RETRY_LIMIT,
    retryDelay: RETRY_DELAY_SECONDS,
    retryBackoff: true,
    expireInSeconds: timeLimitSeconds,
  })
}

interface Run<Tools> {
  readonly task: AnyTask<Tools>
  readonly tools: Tools
  readonly logger: Logger
}

async function runJob<Tools>(
  { task, tools, logger }: Run<Tools>,
  job: PgBoss.Job<unknown>,
): Promise<Outcome> {
  const payload = task.payload.safeParse(job.data)
  try {
    if (!payload.success)
      throw new GiveUp("the payload is not the task's", { cause: payload.error })
    await task.run(tools, payload.data as never)
    return "done"
  } catch (error) {
    logger.warn({ err: error, task: task.name, job: job.id }, "job failed")
    return error instanceof GiveUp ? "hopeless" : "failed"
  }
}

/** BEGIN and COMMIT around some statements of the queue. */
const TRANSACTION = /^\s*BEGIN;([\s\S]*)COMMIT;\s*$/

/** The queue's own statements, on our connections and in our transactions, which roll back what fails. */
function ownExecutor(database: Database): PgBoss.Db {
  return {
    executeSql(text: string, values: unknown[] = []) {
      const inner = TRANSACTION.exec(text)?.[1]
      return inner === undefined
        ? execute(database.db, text, values)
        : database.transaction((db) => execute(db, inner, values))
    },
  }
}

function executorOf(db: Db): PgBoss.Db {
  return { executeSql: (text: string, values: unknown[] = []) => execute(db, text, values) }
}

async function execute(db: Db, text: string, values: unknown[]) {
  const given = values.map((value) => value ?? null) as never[]
  const rows = await db.unsafe(text, given, { prepare: values.length > 0 })
  return { rows: Array.isArray(rows.at(0)) ? rows.flat() : [...rows] }
}
