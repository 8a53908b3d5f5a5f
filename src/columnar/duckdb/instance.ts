/** One open DuckDB file: its settings, its writer, and connections for queries. Closes after its last user. */
import path from "node:path"
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api"
import { sqlText } from "./sql-text.ts"

export interface InstanceSettings {
  readonly memoryBytes: number
  readonly threads: number
  /** Where queries spill to. */
  readonly temporaryFolder: string
}

/** A smaller one halves the speed of loading and makes the file a third larger. */
const CHECKPOINT_BYTES = 256 * 1024 * 1024

export class OpenInstance {
  readonly file: string
  readonly #writer: DuckDBConnection
  readonly #instance: DuckDBInstance
  readonly #idle: DuckDBConnection[] = []
  #borrowedCount = 0
  #isRetired = false
  #onUnused: (() => void) | undefined

  private constructor(file: string, instance: DuckDBInstance, writer: DuckDBConnection) {
    this.file = file
    this.#instance = instance
    this.#writer = writer
  }

  static async open(file: string, settings: InstanceSettings): Promise<OpenInstance> {
    const instance = await DuckDBInstance.create(file, {
      storage_compatibility_version: "latest",
      checkpoint_threshold: `${CHECKPOINT_BYTES}B`,
      memory_limit: `${settings.memoryBytes}B`,
      threads: String(settings.threads),
      temp_directory: settings.temporaryFolder,
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
    })
    let writer: DuckDBConnection | undefined
    try {
      writer = await instance.connect()
      await writer.run("SET GLOBAL TimeZone = 'UTC'")
      await confine(writer, path.dirname(file))
      return new OpenInstance(file, instance, writer)
    } catch (error) {
      // The file stays open as long as a connection does.
      writer?.closeSync()
      instance.closeSync()
      throw error
    }
  }

  /** The one connection that writes, for one at a time; let go of it. */
  holdWriter(): DuckDBConnection {
    this.#borrowedCount += 1
    return this.#writer
  }

  letGoOfWriter(): void {
    this.#settle()
  }

  /** A connection of its own for one query at a time; give it back. */
  async borrow(): Promise<DuckDBConnection> {
    this.#borrowedCount += 1
    try {
      return this.#idle.pop() ?? (await this.#instance.connect())
    } catch (error) {
      this.#settle()
      throw error
    }
  }

  /** One with rows still to come is not used again: it would keep its view of the tables alive. */
  giveBack(connection: DuckDBConnection, { isDrained }: { isDrained: boolean }): void {
    if (isDrained && !this.#isRetired) this.#idle.push(connection)
    else connection.closeSync()
    this.#settle()
  }

  #settle(): void {
    this.#borrowedCount -= 1
    if (this.#borrowedCount === 0) this.#onUnused?.()
  }

  /** Its file is not the store any more: closing must not write anything. */
  async forget(): Promise<void> {
    await this.#writer.run("PRAGMA disable_checkpoint_on_shutdown")
  }

  /** Closes when nobody uses it any more. */
  async retire(): Promise<void> {
    this.#isRetired = true
    if (this.#borrowedCount > 0) {
      await new Promise<void>((resolve) => {
        this.#onUnused = resolve
      })
    }
    for (const connection of this.#idle) connection.closeSync()
    this.#writer.closeSync()
    this.#instance.closeSync()
  }
}

/** Whatever a statement says, it reaches no file outside the store's folder, and cannot allow itself more. */
async function confine(connection: DuckDBConnection, folder: string): Promise<void> {
  await connection.run(`SET GLOBAL allowed_directories = [${sqlText(folder)}]`)
  await connection.run("SET GLOBAL enable_external_access = false")
  await connection.run("SET GLOBAL lock_configuration = true")
}

/** Whether the error left the database unusable until it is opened again. */
export function isInvalidated(error: unknown): boolean {
  return error instanceof Error && /FATAL|database has been invalidated/i.test(error.message)
}
