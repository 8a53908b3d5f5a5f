/**
 * One loop per task: takes the jobs that are due, runs them side by side, and settles each by itself, so that
 * one that fails does not repeat its neighbours. A job that cannot be settled (the store is away) is left to
 * the queue, which gives it to somebody once its time is over.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type PgBoss from "pg-boss"
import type { Logger } from "../lib/logger.ts"

const JOBS_AT_ONCE = 5

/** "hopeless": it failed, and would again. */
export type Outcome = "done" | "failed" | "hopeless"

export interface Work {
  readonly boss: Pick<PgBoss, "fetch" | "complete" | "fail" | "cancel">
  readonly logger: Logger
  readonly name: string
  readonly pollMs: number
  /** Afterwards the queue thinks that the worker is dead. */
  readonly timeLimitMs: number
  run(job: PgBoss.Job<unknown>): Promise<Outcome>
}

export class Worker {
  readonly #work: Work
  readonly #stopping = new AbortController()
  readonly #loop: Promise<void>

  constructor(work: Work) {
    this.#work = work
    this.#loop = this.#takeJobs()
  }

  /** Takes no more jobs, and waits a while for those at work. */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort()
    const giveUp = new AbortController()
    await Promise.race([this.#loop, sleep(timeoutMs, undefined, giveUp).catch(() => {})])
    giveUp.abort()
  }

  async #takeJobs(): Promise<void> {
    const { boss, name, pollMs } = this.#work
    const { signal } = this.#stopping
    while (!signal.aborted) {
      // An outage shows as no jobs.
      const jobs = await boss.fetch<unknown>(name, { batchSize: JOBS_AT_ONCE })
      await Promise.all(jobs.map((job) => this.#settle(job)))
      if (jobs.length === 0) await sleep(pollMs, undefined, { signal }).catch(() => {})
    }
  }

  async #settle(job: PgBoss.Job<unknown>): Promise<void> {
    const { boss, name, logger } = this.#work
    const outcome = await this.#runInTime(job)
    try {
      if (outcome === "done") await boss.complete(name, job.id)
      else if (outcome === "failed") await boss.fail(name, job.id)
      else await boss.cancel(name, job.id)
    } catch (error) {
      logger.error({ err: error, task: name, job: job.id, outcome }, "job could not be settled")
    }
  }

  async #runInTime(job: PgBoss.Job<unknown>): Promise<Outcome> {
    const { name, logger, timeLimitMs } = this.#work
    const inTime = new AbortController()
    const late = async (): Promise<Outcome> => {
      await sleep(timeLimitMs, undefined, inTime)
      logger.warn({ task: name, job: job.id, ms: timeLimitMs }, "job took too long")
      return "failed"
    }
    try {
      return await Promise.race([this.#work.run(job), late()])
    } finally {
      inTime.abort()
    }
  }
}
