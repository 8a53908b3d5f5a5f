/**
 * Background work on the relational store. A job is written in the caller's transaction, so a request that
 * fails leaves none behind; exactly one worker takes it, and what may pass is tried again with backoff.
 */
import PgBoss from "pg-boss"
import type { z } from "zod"
import type { Logger } from "../lib/logger.ts"
import type { Database, Db } from "../relational/db.ts"

export interface Task<Tools, Payload> {
  readonly name: string
  readonly payload: z.ZodType<Payload>
  /** An error is tried again with backoff; throw `GiveUp` for what cannot pass. */
  run(tools: Tools, payload: Payload): Promise<void>
}

/** A task whose payload type is forgotten, as the registry holds it. */
export interface AnyTask<Tools> {
  readonly name: string
  readonly payload: z.ZodType
  run(tools: Tools, payload: never): Promise<void>
}

export class GiveUp extends Error {}

export interface JobQueue {
  enqueue(db: Db, name: string, payload: object): Promise<void>
}

export interface OpenQueue extends JobQueue, AsyncDisposable {
  /** Starts to work on the tasks' jobs. */
  work<Tools>(tasks: readonly AnyTask<Tools>[], tools: Tools): Promise<void>
}

const SCHEMA = "jobs"
const RETRY_LIMIT = 8
const RETRY_DELAY_SECONDS = 5
const EXPIRE_MINUTES = 5
const BATCH_SIZE = 5
const CLOSE_TIMEOUT_MS = 5_000

export interface QueueOptions {
  readonly database: Database
  readonly logger: Logger
  readonly taskNames: readonly string[]
  readonly pollSeconds?: number
}

/** Makes the queue's own tables; safe when several nodes start at once. */
export async function openQueue(options: QueueOptions): Promise<OpenQueue> {
  const { database, logger, taskNames } = options
  const boss = new PgBoss({
    schema: SCHEMA,
    db: ownExecutor(database),
    schedule: false,
    supervise: false,
  })
  boss.on("error", (error) => logger.error({ err: error }, "job queue"))
  await boss.start()
  for (const name of taskNames) {
    await boss.createQueue(name, {
      name,
      retryLimit: RETRY_LIMIT,
      retryDelay: RETRY_DELAY_SECONDS,
      retryBackoff: true,
      expireInSeconds: EXPIRE_MINUTES * 60,
    })
  }
  return {
    async enqueue(tx, name, payload) {
      await boss.send(name, payload, { db: executorOf(tx) })
    },
    async work(tasks, tools) {
      for (const task of tasks) {
        const poll = { pollingIntervalSeconds: options.pollSeconds ?? 2, batchSize: BATCH_SIZE }
        await boss.work(task.name, poll, async (jobs) => {
          for (const job of jobs) await runJob({ task, tools, logger }, job)
        })
      }
    },
    async [Symbol.asyncDispose]() {
      await boss.stop({ graceful: true, wait: true, timeout: CLOSE_TIMEOUT_MS })
    },
  }
}

interface Run<Tools> {
  readonly task: AnyTask<Tools>
  readonly tools: Tools
  readonly logger: Logger
}

async function runJob<Tools>({ task, tools, logger }: Run<Tools>, job: PgBoss.Job<unknown>) {
  try {
    await task.run(tools, task.payload.parse(job.data) as never)
  } catch (error) {
    logger.warn({ err: error, task: task.name, job: job.id }, "job failed")
    if (!(error instanceof GiveUp)) throw error
  }
}

/** The queue's own statements, on our connections; some bring a transaction of their own. */
function ownExecutor(database: Database): PgBoss.Db {
  return {
    executeSql: (text: string, values: unknown[] = []) =>
      /\bBEGIN;/.test(text)
        ? database.alone((db) => execute(db, text, values))
        : execute(database.db, text, values),
  }
}

function executorOf(db: Db): PgBoss.Db {
  return { executeSql: (text: string, values: unknown[] = []) => execute(db, text, values) }
}

async function execute(db: Db, text: string, values: unknown[]) {
  const rows = await db.unsafe(text, values as never[], { prepare: values.length > 0 })
  return { rows: Array.isArray(rows.at(0)) ? rows.flat() : [...rows] }
}
