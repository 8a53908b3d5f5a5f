/**
 * The bundled PostgreSQL: a real server as a child of this process, reached through a socket in the data
 * folder, never through TCP. One process owns a folder; a server that a killed owner left running is stopped
 * and replaced, so that the lifetime of the server is always its owner's.
 */
import { realpath, rmdir } from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import postgres from "postgres"
import { elapsedMs } from "../lib/clock.ts"
import { StartError } from "../lib/errors.ts"
import { openLockFile } from "../lib/lock-file.ts"
import { findBinaries } from "./bundled/binaries.ts"
import { dataFolderOf, makeServerFolder, prepareCluster, SUPERUSER } from "./bundled/cluster.ts"
import { clearEarlierServer, endOrphans } from "./bundled/earlier-server.ts"
import { findPidFile, isServerOf } from "./bundled/pid-file.ts"
import { Postmaster, type PostmasterPlan } from "./bundled/postmaster.ts"
import { chooseRunAs, type RootStrategy } from "./bundled/run-as.ts"
import { ServerLog } from "./bundled/server-log.ts"
import { type Settings, settingArguments } from "./bundled/settings.ts"
import { makeSocketFolder, pickSocketFolder, socketFile } from "./bundled/socket-folder.ts"

/** Part of the socket's name only. */
const PORT = 5432
const DATABASE = "hedgerow"
const JOIN_TIMEOUT_MS = 30_000
const JOIN_POLL_MS = 50
const ORPHANS_TIMEOUT_MS = 15_000
const ORPHANS_POLL_MS = 100

export interface BundledPostgres extends AsyncDisposable {
  /** Folder of the Unix socket; a driver that follows libpq takes it as its host, with the port. */
  readonly socketFolder: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly pid: number
  /** False for a server of another process that was joined. */
  readonly started: boolean
  /** Stops the server if it was started here; a joined one goes on. */
  close(): Promise<void>
}

export interface BundledOptions {
  readonly folder: string
  readonly onNotice?: (line: string) => void
  /** Called when the server ends without `close`: the program cannot go on. */
  readonly onExit?: (reason: string) => void
  /** Server settings over our own: `{ fsync: "off" }` in tests. */
  readonly settings?: Settings
  /** For root: this way of becoming an ordinary user, and no other. */
  readonly rootStrategy?: RootStrategy
}

/** Starts the server of this folder, made on the first start. A second living owner gets a StartError. */
export async function openBundledPostgres(options: BundledOptions): Promise<BundledPostgres> {
  const binaries = await findBinaries()
  const folder = await makeServerFolder(options.folder)
  const lock = await openLockFile(path.join(folder, "owner.lock"))
  try {
    const { rootStrategy, settings = {}, onNotice = () => {}, onExit = () => {} } = options
    const runAs = await chooseRunAs({ postgres: binaries.postgres, folder, rootStrategy })
    const dataFolder = dataFolderOf(folder)
    const socketFolder = pickSocketFolder(folder, PORT, runAs.owner)
    await clearEarlierServer(dataFolder, socketFolder, onNotice)
    await prepareCluster({
      serverFolder: folder,
      binaries,
      runAs,
      isDurable: settings.fsync !== "off",
    })
    await makeSocketFolder(socketFolder, runAs.owner)
    const postmaster = await startPostmaster({
      postgres: binaries.postgres,
      runAs,
      dataFolder,
      settings: settingArguments(socketFolder, PORT, settings),
      log: new ServerLog(path.join(folder, "server.log")),
      onExit,
    })
    const server = describeServer({ socketFolder, port: PORT, pid: postmaster.pid }, async () => {
      await postmaster.stop()
      await rmdir(socketFolder).catch(() => {})
      await lock[Symbol.asyncDispose]()
    })
    await createDatabase(server)
    return server
  } catch (error) {
    await lock[Symbol.asyncDispose]()
    throw error
  }
}

/** Joins the server that already runs for this folder; undefined when none does. */
export async function findRunningPostgres(options: {
  folder: string
}): Promise<BundledPostgres | undefined> {
  const folder = await realpath(options.folder).catch(() => undefined)
  if (folder === undefined) return undefined
  const dataFolder = dataFolderOf(folder)
  const deadline = elapsedMs() + JOIN_TIMEOUT_MS
  for (;;) {
    const found = await findPidFile(dataFolder)
    if (found === undefined || !(await isServerOf(dataFolder, found.pid))) return undefined
    if (found.isReady) return describeServer(found)
    if (elapsedMs() > deadline) {
      throw new StartError(`the PostgreSQL of ${folder} (pid ${found.pid}) is not getting ready`)
    }
    await sleep(JOIN_POLL_MS)
  }
}

/** What postgres.js needs: `postgres({ ...connectionOptions(server), max: 10 })`. */
export function connectionOptions(server: BundledPostgres) {
  return {
    path: socketFile(server.socketFolder, server.port),
    user: server.user,
    database: server.database,
    ssl: false,
  } as const
}

async function startPostmaster(plan: PostmasterPlan): Promise<Postmaster> {
  const deadline = elapsedMs() + ORPHANS_TIMEOUT_MS
  for (;;) {
    const postmaster = new Postmaster(plan)
    try {
      await postmaster.ready()
      return postmaster
    } catch (error) {
      const isHeldByOrphans = plan.log.tail().includes("pre-existing shared memory block")
      if (!isHeldByOrphans || elapsedMs() > deadline) throw error
      await endOrphans(plan.dataFolder)
      await sleep(ORPHANS_POLL_MS)
    }
  }
}

function describeServer(
  { socketFolder, port, pid }: { socketFolder: string; port: number; pid: number },
  stop?: () => Promise<void>,
): BundledPostgres {
  let closing: Promise<void> | undefined
  const close = async () => {
    closing ??= stop?.()
    await closing
  }
  return {
    socketFolder,
    port,
    pid,
    user: SUPERUSER,
    database: DATABASE,
    started: stop !== undefined,
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function createDatabase(server: BundledPostgres): Promise<void> {
  const options = { ...connectionOptions(server), database: "postgres", max: 1, fetch_types: false }
  const sql = postgres(options)
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${server.database}`
    if (found === undefined) await sql`create database ${sql(server.database)}`
  } catch (error) {
    await sql.end({ timeout: 1 })
    await server.close()
    throw error
  }
  await sql.end()
}
