/**
 * Composition root: opens the stores, starts the loops, builds the server. The only place that names
 * concrete engines and drivers. Closing it closes everything, in reverse order.
 */
import type { AddressInfo } from "node:net"
import type { FastifyInstance } from "fastify"
import { BackgroundQuestions } from "./analysis/background.ts"
import { Questions } from "./analysis/questions.ts"
import { createMetrics } from "./api/http/metrics.ts"
import { createServer } from "./api/http/server.ts"
import type { Services } from "./api/http/services.ts"
import { endpoints } from "./api/index.ts"
import type { ColumnarEngine } from "./columnar/engine.ts"
import type { Config } from "./config.ts"
import { createTxtResolver } from "./domains/challenge.ts"
import { openEventPath } from "./event-path.ts"
import { type FirstStart, fillEmptyInstance } from "./first-start.ts"
import type { Ingest } from "./ingest/loop.ts"
import { openQueue } from "./jobs/queue.ts"
import { startScheduler } from "./jobs/scheduler.ts"
import { schedulesOf } from "./jobs/schedules.ts"
import { tasks } from "./jobs/tasks/index.ts"
import { type Clock, systemClock } from "./lib/clock.ts"
import { Closer } from "./lib/closer.ts"
import { StartError } from "./lib/errors.ts"
import type { Logger } from "./lib/logger.ts"
import { systemCode } from "./lib/system-error.ts"
import { openMailer } from "./mail/mailer.ts"
import { readPluginSources } from "./plugins/sources.ts"
import type { Database } from "./relational/db.ts"
import { migrate } from "./relational/migrate.ts"
import { rememberAddress } from "./running-instance.ts"
import { readSecretKey } from "./secret-key.ts"
import { openStores } from "./stores.ts"
import { version } from "./version.ts"

const DNS_TIMEOUT_MS = 5_000

export interface App extends AsyncDisposable {
  /** Where it listens. */
  readonly address: string
  readonly services: Services
  readonly server: FastifyInstance
  /** What was made, when the instance was empty. */
  readonly firstStart: FirstStart | undefined
  /** Present where this node captures. */
  readonly ingest: Ingest | undefined
  close(): Promise<void>
}

export interface AppParts {
  readonly config: Config
  readonly logger: Logger
  readonly clock?: Clock
  /** Instead of the one the settings name: tests share a server. */
  readonly database?: Database
  /** See `Services`; known for the bundled server, to be told for a given database. */
  readonly isSoleWriter?: boolean
  /** Called when a part dies under the running app. */
  readonly onFailure?: (reason: string) => void
  /** How often workers look for jobs; tests are impatient. */
  readonly pollSeconds?: number
}

export async function openApp(parts: AppParts): Promise<App> {
  const closer = new Closer()
  try {
    return await openParts(parts, closer)
  } catch (error) {
    await closer.close()
    throw error
  }
}

async function openParts(parts: AppParts, closer: Closer): Promise<App> {
  const { config, logger, clock = systemClock } = parts
  const database = closer.use(
    parts.database ?? (await openStores(config, { onFailure: parts.onFailure, logger })),
  )
  const applied = await migrate(database)
  if (applied.length > 0) logger.info({ applied }, "database migrated")
  const secretKey = await readSecretKey(config.secretKey, config.dataDir)
  const metrics = createMetrics()
  let isClosing = false
  const eventPath = await openEventPath(
    { config, logger, clock, database, metrics, isClosing: () => isClosing },
    closer,
  )
  const { columnar, columnarChanges, capturing } = eventPath
  const jobs = await openJobs({ ...parts, database, columnar, ingest: capturing?.ingest }, closer)
  const plugins = await readPluginSources(config.plugins)
  const txtResolver = createTxtResolver({ servers: config.dnsServers, timeoutMs: DNS_TIMEOUT_MS })
  const questions = new Questions({ database, columnar, clock, timeoutMs: config.query.timeoutMs })
  const backgroundQuestions = closer.use(
    new BackgroundQuestions({ database, questions, logger, now: () => clock.now() }),
  )
  const isBundled = parts.database === undefined && config.databaseUrl === undefined
  const isSoleWriter = parts.isSoleWriter ?? isBundled
  const services: Services = {
    ...{ config, clock, database, isSoleWriter, secretKey, jobs, txtResolver, plugins },
    ...{ columnar, columnarChanges, questions, backgroundQuestions },
  }
  let isFilled = false
  const server = await createServer({
    services,
    endpoints: config.roles.includes("api") ? endpoints : [],
    logger,
    version,
    isReady: async () => isFilled && (await isReachable(database)),
    metrics,
    onClosing: () => {
      isClosing = true
    },
    ...(capturing === undefined ? {} : { takesOver: capturing.listener }),
  })
  closer.add(() => server.close())
  const address = await listen(server, config)
  closer.use(await rememberAddress(config.dataDir, address))
  // Only now: what is made is shown once, so nothing may fail between making and showing it.
  const firstStart = await fillEmptyInstance(database, config.setup, clock)
  isFilled = true
  return {
    address,
    services,
    server,
    firstStart,
    ingest: capturing?.ingest,
    close: () => closer.close(),
    [Symbol.asyncDispose]: () => closer.close(),
  }
}

async function openJobs(
  parts: AppParts & {
    database: Database
    columnar: ColumnarEngine
    ingest: Ingest | undefined
  },
  closer: Closer,
) {
  const { config, logger, clock = systemClock, pollSeconds, database, columnar, ingest } = parts
  // Before the queue, so that it closes after: a job that is mailing may finish.
  const mailer = closer.use(openMailer({ smtpUrl: config.smtpUrl, from: config.emailFrom }))
  const queue = closer.use(
    await openQueue({
      database,
      logger,
      tasks,
      ...(pollSeconds === undefined ? {} : { pollSeconds }),
    }),
  )
  if (config.roles.includes("jobs")) {
    const { dataDir } = config
    queue.work(tasks, { database, mailer, clock, columnar, logger, ingest, dataDir })
    closer.use(startScheduler({ database, queue, clock, logger, schedules: schedulesOf(config) }))
  }
  return queue
}

async function isReachable({ db }: Database): Promise<boolean> {
  try {
    await db`select 1`
    return true
  } catch {
    return false
  }
}

async function listen(server: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const code = systemCode(error)
    if (code === "EADDRINUSE") {
      throw new StartError(`port ${port} on ${host} is taken; set PORT to another one`)
    }
    if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new StartError(`cannot listen on ${host}:${port} (${code}); check HOST and PORT`)
    }
    throw error
  }
  const { address, family, port: taken } = server.server.address() as AddressInfo
  const shown = family === "IPv6" ? `[${address}]` : address
  return `http://${shown}:${taken}`
}
