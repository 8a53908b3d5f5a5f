/** The instance that a command works on: the running one, or one that is started for as long as needed. */
import { access } from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type App, openApp } from "../app.ts"
import { type Config, readConfig } from "../config.ts"
import { openQueue } from "../jobs/queue.ts"
import { findReport, removeReport } from "../jobs/run-report.ts"
import { tasks } from "../jobs/tasks/index.ts"
import { elapsedMs, systemClock } from "../lib/clock.ts"
import { StartError } from "../lib/errors.ts"
import { newUuid } from "../lib/ids.ts"
import { type Logger, openLogger } from "../lib/logger.ts"
import type { Database } from "../relational/db.ts"
import { findRunningAddress } from "../running-instance.ts"
import { joinStores } from "../stores.ts"

export interface Instance extends AsyncDisposable {
  /** Where it can be called. */
  readonly address: string
  readonly database: Database
  readonly config: Config
  readonly logger: Logger
  /** Present when it was started for this command. */
  readonly app: App | undefined
}

/** How often an instance of one's own looks for the job one waits for. */
const POLL_SECONDS = 0.5

export async function openInstance(): Promise<Instance> {
  const config = readConfig()
  const logger = openLogger({ form: config.log, level: "warn" })
  const running = await findRunningAddress(config.dataDir)
  if (running !== undefined) {
    const database = await joinStores(config, { logger })
    const close = () => database.close()
    const parts = { address: running, database, config, logger, app: undefined }
    return { ...parts, [Symbol.asyncDispose]: close }
  }
  const own = { ...config, host: "127.0.0.1", port: 0, roles: ["api", "capture", "jobs"] as const }
  const app = await openApp({
    config: { ...own, roles: [...own.roles] },
    logger,
    pollSeconds: POLL_SECONDS,
  })
  const { database } = app.services
  const parts = { address: app.address, database, config, logger, app }
  return { ...parts, [Symbol.asyncDispose]: () => app.close() }
}

/** The same for commands that make no sense without anything in it. */
export async function openFilledInstance(): Promise<Instance> {
  const { dataDir, databaseUrl } = readConfig()
  const isThere = await access(path.join(dataDir, "postgres")).then(
    () => true,
    () => false,
  )
  if (databaseUrl === undefined && !isThere) {
    throw new StartError(`there is no instance in ${dataDir} (HEDGEROW_DATA_DIR)`)
  }
  return openInstance()
}

/** Puts a job into the queue of the instance. */
export async function enqueue(instance: Instance, task: string, payload: object): Promise<void> {
  const { app, database, logger } = instance
  if (app !== undefined) return app.services.jobs.enqueue(database.db, task, payload)
  const queue = await openQueue({ database, logger, tasks })
  try {
    await queue.enqueue(database.db, task, payload)
  } finally {
    await queue[Symbol.asyncDispose]()
  }
}

export interface TaskRun {
  readonly task: string
  readonly payload: object
  readonly show: (message: string) => void
}

const TAKE_TIMEOUT_MS = 60_000
const LOOK_EVERY_MS = 200
const LOOK_ALIVE_EVERY_MS = 5_000

/** Lets the instance run a task that reports, and waits for its end; answers its last message. */
export async function runTask(instance: Instance, run: TaskRun): Promise<string> {
  const { dataDir } = instance.config
  const run_id = newUuid()
  const wantedUntil = new Date(systemClock.now().getTime() + TAKE_TIMEOUT_MS)
  const wanted_until = wantedUntil.toISOString()
  await enqueue(instance, run.task, { ...run.payload, run_id, wanted_until })
  try {
    return await waitForEnd(instance, run_id, run.show)
  } finally {
    await removeReport(dataDir, run_id)
  }
}

async function waitForEnd(
  instance: Instance,
  runId: string,
  show: (message: string) => void,
): Promise<string> {
  const { dataDir } = instance.config
  const startMs = elapsedMs()
  let shown = ""
  for (let lookAliveMs = startMs + LOOK_ALIVE_EVERY_MS; ; await sleep(LOOK_EVERY_MS)) {
    const report = await findReport(dataDir, runId)
    if (report?.state === "done") return report.message
    if (report?.state === "failed") throw new StartError(report.message)
    if (report !== undefined && report.message !== shown) show(report.message)
    shown = report?.message ?? shown
    const nowMs = elapsedMs()
    if (report === undefined && nowMs - startMs > TAKE_TIMEOUT_MS) {
      throw new StartError("no node has begun it; is one with the role jobs running?")
    }
    if (nowMs < lookAliveMs) continue
    lookAliveMs = nowMs + LOOK_ALIVE_EVERY_MS
    if (!(await isStillThere(instance))) throw new StartError("the instance stopped meanwhile")
  }
}

/** Asked twice: a busy instance may miss one question. */
export async function isStillThere({ app, config }: Instance): Promise<boolean> {
  if (app !== undefined) return true
  const ask = () => findRunningAddress(config.dataDir)
  return ((await ask()) ?? (await ask())) !== undefined
}
