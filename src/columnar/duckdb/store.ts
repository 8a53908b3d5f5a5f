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
import { type InstanceSettings, isInvalidated, OpenInstance } from "./instance.ts"
import {
  findStoreFile,
  markStoreFile,
  nextStoreFile,
  removeStoreFile,
  sweepStoreFiles,
  syncPath,
} from "./store-files.ts"

const WRITERS_WAITING_MAX = 10_000
/** Each holds one of the process's few threads for I/O (4 unless its environment says otherwise) while it runs. */
const QUERIES_RUNNING_DEFAULT = 2
const QUERIES_WAITING_MAX = 1_000

/** Where a backup is made before it is moved to its place: statements reach no other folder. */
export const BACKUP_FOLDER = "backing-up"

/** Where what a query answers waits to be taken over as the members of a cohort. */
export const COHORTS_FOLDER = "calculating"

/** Of queries that spilled and of what else was under way when the process ended. */
const LEFTOVER_FOLDERS = ["temporary", "applying", "moving", COHORTS_FOLDER, BACKUP_FOLDER]

export interface StoreOptions {
  readonly folder: string
  readonly memoryBytes: number
  readonly threads: number
  readonly logger: Logger
  /** How many queries may run at once; more than two want more threads for I/O. */
  readonly queriesRunningMax?: number
}

interface Lease {
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
  readonly #queries: Gate
  #current: OpenInstance | undefined
  #opening: Promise<OpenInstance> | undefined
  #isClosed = false
  #changeCount = 0

  private constructor(options: StoreOptions, lock: AsyncDisposable) {
    const { folder, memoryBytes, threads, logger } = options
    this.folder = folder
    this.#settings = { memoryBytes, threads, temporaryFolder: path.join(folder, "temporary") }
    this.#logger = logger
    this.#lock = lock
    this.#queries = new Gate({
      what: "queries",
      maxRunning: options.queriesRunningMax ?? QUERIES_RUNNING_DEFAULT,
      maxWaiting: QUERIES_WAITING_MAX,
    })
  }

  static async open(options: StoreOptions): Promise<Store> {
    const folder = path.resolve(options.folder)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const lock = await openLockFile(path.join(folder, "lock"))
    try {
      const isNew = (await findStoreFile(folder)) === undefined
      await sweepStoreFiles(folder)
      const leftovers = LEFTOVER_FOLDERS.map((name) => path.join(folder, name))
      for (const leftover of leftovers) await rm(leftover, { recursive: true, force: true })
      const store = new Store({ ...options, folder }, lock)
      if (isNew) store.#current = await createStore(folder, store.#settings)
      else await store.#findInstance()
      return store
    } catch (error) {
      await lock[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Counts what may have changed; after a failure too, because a commit whose answer was lost has happened. */
  get changeCount(): number {
    return this.#changeCount
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
      const instance = await this.#findInstance()
      try {
        return await work(instance.holdWriter())
      } catch (error) {
        this.#leaveIfBroken(instance, error)
        throw error
      } finally {
        this.#changeCount += 1
        instance.letGoOfWriter()
      }
    })
  }

  /** Beside writers and other queries. */
  query<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#queries.run(async () => {
      const instance = await this.#findInstance()
      const connection = await instance.borrow()
      let isDrained = false
      try {
        const result = await work(connection)
        isDrained = true
        return result
      } catch (error) {
        this.#leaveIfBroken(instance, error)
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
    const old = await this.#findInstance()
    const fresh = await OpenInstance.open(file, this.#settings).catch(async (error: unknown) => {
      await removeStoreFile(file)
      throw error
    })
    try {
      await old.forget()
      await markStoreFile(this.folder, file)
    } catch (error) {
      await this.#settleSwap({ old, fresh }, error)
    }
    this.#current = fresh
    this.#retire(old)
    // Only once the marker is sure to stay may the old one go.
    await syncPath(this.folder)
    await sweepStoreFiles(this.folder)
  }

  /** After an error the marker says which file is the store; throws unless it is the fresh one. */
  async #settleSwap({ old, fresh }: { old: OpenInstance; fresh: OpenInstance }, error: unknown) {
    const marked = await findStoreFile(this.folder).catch(() => undefined)
    if (marked === fresh.file) {
      this.#logger.warn({ err: error }, "the event store was swapped in spite of an error")
      return
    }
    await fresh.retire()
    if (marked === old.file) {
      await removeStoreFile(fresh.file)
    } else {
      // Nobody knows: the next one to use the store opens what the marker says then.
      this.#current = undefined
      this.#retire(old)
    }
    throw error
  }

  /** Opens the store unless it is open; a failure is the caller's, and the next one tries again. */
  async #findInstance(): Promise<OpenInstance> {
    if (this.#isClosed) throw new Error("the event store is closed")
    if (this.#current !== undefined) return this.#current
    this.#opening ??= this.#openInstance().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #openInstance(): Promise<OpenInstance> {
    await this.#retiring
    const file = await findStoreFile(this.folder)
    if (file === undefined) throw new Error(`the event store is gone from ${this.folder}`)
    this.#current = await OpenInstance.open(file, this.#settings)
    return this.#current
  }

  #leaveIfBroken(instance: OpenInstance, error: unknown): void {
    if (this.#current !== instance || !isInvalidated(error)) return
    this.#logger.warn({ err: error }, "the event store was invalidated; opening it again")
    this.#current = undefined
    this.#retire(instance)
  }

  /** Two open instances of one file would lose commits: who opens waits for this. */
  #retiring: Promise<void> = Promise.resolve()

  #retire(instance: OpenInstance): void {
    const retired = instance.retire().catch((error: unknown) => {
      this.#logger.error({ err: error }, "the event store could not be closed")
    })
    if (this.#current === undefined) this.#retiring = retired
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    await this.alone(async (connection) => {
      await connection.run("CHECKPOINT").catch((error: unknown) => {
        this.#logger.warn({ err: error }, "the event store closes without a checkpoint")
      })
    })
    this.#isClosed = true
    await this.#current?.retire()
    await this.#lock[Symbol.asyncDispose]()
  }
}

async function createStore(folder: string, settings: InstanceSettings): Promise<OpenInstance> {
  const file = await nextStoreFile(folder)
  const instance = await OpenInstance.open(file, settings)
  await markStoreFile(folder, file)
  return instance
}
