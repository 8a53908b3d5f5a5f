/**
 * The open store: one writer at a time, queries beside it on connections of their own. After an error that
 * invalidates the database (a full disk in the middle of a checkpoint, say) it opens the file again by itself.
 */
import { mkdir, rm } from "node:fs/promises"
import path from "node:path"
import type { DuckDBConnection } from "@duckdb/node-api"
import { Gate } from "../../lib/gate.ts"
import { openLockFile } from "../../lib/lock-file.ts"
import type { Logger } from "../../lib/logger.ts"
import { type InstanceSettings, OpenInstance } from "./instance.ts"
import { findStoreFile, markStoreFile, nextStoreFile, sweepStoreFiles } from "./store-files.ts"

const WRITERS_WAITING_MAX = 10_000
const QUERIES_RUNNING_MAX = 4
const QUERIES_WAITING_MAX = 1_000

export interface StoreOptions {
  readonly folder: string
  readonly memoryBytes: number
  readonly threads: number
  readonly logger: Logger
}

export interface Lease {
  readonly connection: DuckDBConnection
  release(error?: unknown): void
}

export class Store {
  readonly folder: string
  readonly #settings: InstanceSettings
  readonly #logger: Logger
  readonly #lock: AsyncDisposable
  readonly #writers = new Gate({
    what: "writes to the event store",
    maxRunning: 1,
    maxWaiting: WRITERS_WAITING_MAX,
  })
  readonly #queries = new Gate({
    what: "queries",
    maxRunning: QUERIES_RUNNING_MAX,
    maxWaiting: QUERIES_WAITING_MAX,
  })
  #current: Promise<OpenInstance>

  private constructor(
    options: StoreOptions,
    parts: { settings: InstanceSettings; lock: AsyncDisposable; current: OpenInstance },
  ) {
    this.folder = options.folder
    this.#logger = options.logger
    this.#settings = parts.settings
    this.#lock = parts.lock
    this.#current = Promise.resolve(parts.current)
  }

  static async open(options: StoreOptions): Promise<Store> {
    const { folder, memoryBytes, threads } = options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const lock = await openLockFile(path.join(folder, "lock"))
    try {
      await sweepStoreFiles(folder)
      const temporaryFolder = path.join(folder, "temporary")
      await rm(temporaryFolder, { recursive: true, force: true })
      const settings = { memoryBytes, threads, temporaryFolder }
      const current = await openMarked(folder, settings)
      return new Store(options, { settings, lock, current })
    } catch (error) {
      await lock[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Alone among writers, in one transaction. */
  write<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.alone(async (connection) => {
      await connection.run("BEGIN")
      try {
        const result = await work(connection)
        await connection.run("COMMIT")
        return result
      } catch (error) {
        // A failed commit has already ended the transaction.
        await connection.run("ROLLBACK").catch(() => undefined)
        throw error
      }
    })
  }

  /** Alone among writers, without a transaction. */
  alone<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#writers.run(async () => {
      const instance = await this.#current
      try {
        return await work(instance.writer)
      } catch (error) {
        if (isInvalidated(error)) await this.#reopen(instance)
        throw error
      }
    })
  }

  /** Beside writers and other queries. */
  query<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#queries.run(async () => {
      const instance = await this.#current
      const connection = await instance.borrow()
      let isDrained = false
      try {
        const result = await work(connection)
        isDrained = true
        return result
      } catch (error) {
        if (isInvalidated(error)) void this.#reopenAlone(instance)
        throw error
      } finally {
        instance.giveBack(connection, { isDrained })
      }
    })
  }

  /** `query` for who cannot work inside a function: a generator. Release it, with what went wrong if anything. */
  lease(): Promise<Lease> {
    return new Promise((resolve, reject) => {
      this.query(
        (connection) =>
          new Promise<void>((finish, fail) => {
            const release = (error?: unknown) => (error === undefined ? finish() : fail(error))
            resolve({ connection, release })
          }),
      ).catch(reject)
    })
  }

  /** Makes `file` the store. To be called within `alone`; queries that run finish on the old one. */
  async swap(file: string): Promise<void> {
    const old = await this.#current
    await markStoreFile(this.folder, file)
    this.#current = OpenInstance.open(file, this.#settings)
    await this.#current
    await sweepStoreFiles(this.folder)
    old
      .retire()
      .catch((error: unknown) => this.#logger.error({ err: error }, "old store not closed"))
  }

  async #reopenAlone(broken: OpenInstance): Promise<void> {
    try {
      await this.#writers.run(() => this.#reopen(broken))
    } catch (error) {
      this.#logger.error({ err: error }, "the event store could not be opened again")
    }
  }

  async #reopen(broken: OpenInstance): Promise<void> {
    if ((await this.#current) !== broken) return
    this.#logger.warn("the event store was invalidated by an error; opening it again")
    this.#current = (async () => {
      await broken.retire()
      return OpenInstance.open(broken.file, this.#settings)
    })()
    await this.#current
  }

  async close(): Promise<void> {
    await this.alone(async (connection) => {
      const instance = await this.#current
      await connection.run("CHECKPOINT").catch((error: unknown) => {
        this.#logger.warn({ err: error }, "the event store closes without a checkpoint")
      })
      await instance.retire()
    })
    await this.#lock[Symbol.asyncDispose]()
  }
}

async function openMarked(folder: string, settings: InstanceSettings): Promise<OpenInstance> {
  const marked = await findStoreFile(folder)
  if (marked !== undefined) return OpenInstance.open(marked, settings)
  const file = await nextStoreFile(folder)
  const instance = await OpenInstance.open(file, settings)
  await markStoreFile(folder, file)
  return instance
}

function isInvalidated(error: unknown): boolean {
  return error instanceof Error && /FATAL|database has been invalidated/i.test(error.message)
}
