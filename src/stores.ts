/** Opens the relational store the settings ask for: the bundled PostgreSQL, or an external one. */
import { mkdir } from "node:fs/promises"
import path from "node:path"
import type { Config } from "./config.ts"
import { Closer } from "./lib/closer.ts"
import { StartError } from "./lib/errors.ts"
import { openLockFile } from "./lib/lock-file.ts"
import type { Logger } from "./lib/logger.ts"
import {
  connectionOptions,
  findRunningPostgres,
  openBundledPostgres,
} from "./relational/bundled.ts"
import { checkConnection, type Database, openDatabase } from "./relational/db.ts"

const POOL_SIZE = 10

export interface StoreEvents {
  readonly logger: Logger
  readonly onFailure?: ((reason: string) => void) | undefined
}

/** As the owner of the data folder: a second owner is refused. */
export async function openStores(config: Config, events: StoreEvents): Promise<Database> {
  const closer = new Closer()
  try {
    await makeDataFolder(config.dataDir)
    if (config.databaseUrl !== undefined) return await openExternal(config.databaseUrl, closer)
    closer.use(await openLockFile(path.join(config.dataDir, "lock")))
    const bundled = closer.use(
      await openBundledPostgres({
        folder: postgresFolder(config),
        onNotice: (line) => events.logger.info(line),
        onExit: (reason) => events.onFailure?.(reason),
      }),
    )
    return openWith({ options: connectionOptions(bundled) }, closer)
  } catch (error) {
    await closer.close()
    throw error
  }
}

/** For commands: joins the server of a running instance, or starts it for as long as the command runs. */
export async function joinStores(config: Config, events: StoreEvents): Promise<Database> {
  if (config.databaseUrl === undefined) {
    const running = await findRunningPostgres({ folder: postgresFolder(config) })
    if (running !== undefined) {
      const closer = new Closer()
      closer.use(running)
      return openWith({ options: connectionOptions(running) }, closer)
    }
  }
  return openStores(config, events)
}

function postgresFolder({ dataDir }: Config): string {
  return path.join(dataDir, "postgres")
}

async function openExternal(url: string, closer: Closer): Promise<Database> {
  const database = openWith({ url }, closer)
  const { host, pathname } = new URL(url)
  await checkConnection(database, `${host}${pathname}`)
  return database
}

function openWith(address: Parameters<typeof openDatabase>[0], closer: Closer): Database {
  const database = closer.use(openDatabase(address, POOL_SIZE))
  const close = () => closer.close()
  return { ...database, close, [Symbol.asyncDispose]: close }
}

async function makeDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`cannot make the data folder ${folder} (HEDGEROW_DATA_DIR): ${reason}`)
  }
}
