/** A server with a folder of its own, a load against it, and the comparison of the two. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { untilQueryable } from "../support/instance.ts"
import { type Checked, check, type Found } from "./check.ts"
import { checkCounts, checkFilters } from "./check-queries.ts"
import type { Journal } from "./journal.ts"
import { type Load, startLoad } from "./load.ts"
import { readEvents, readPersons } from "./reading.ts"
import { Server } from "./server.ts"

export interface LoadPlan {
  readonly seed: number
  readonly eventsPerSecond: number
}

const CONNECTIONS = 8

export class Arena implements AsyncDisposable {
  readonly folder: string
  readonly server: Server
  #load: Load | undefined
  /** The data folder is worth a look afterwards. */
  isKept = false

  private constructor(folder: string, server: Server) {
    this.folder = folder
    this.server = server
  }

  static async open(): Promise<Arena> {
    const folder = await mkdtemp(path.join(tmpdir(), "hedgerow-chaos-"))
    return new Arena(folder, await Server.make(folder))
  }

  startLoad({ seed, eventsPerSecond }: LoadPlan): void {
    const { port, instance } = this.server
    this.#load = startLoad({
      ...{ port, token: instance.token, seed, connections: CONNECTIONS, eventsPerSecond },
      journalFile: path.join(this.folder, "journal.json"),
    })
  }

  /** While the server is up: the load brings its last requests through. */
  async endLoad(): Promise<Journal> {
    if (this.#load === undefined) throw new Error("there is no load")
    return this.#load.end()
  }

  async compare(journal: Journal): Promise<Checked> {
    const { instance } = this.server
    await untilQueryable(instance)
    const found: Found = {
      events: await readEvents(instance),
      persons: await readPersons(instance),
    }
    const { violations, figures } = check(journal, found)
    const more = [
      ...(await checkCounts(instance, found)),
      ...(await checkFilters(instance, found.persons)),
    ]
    return { violations: [...violations, ...more], figures }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#load?.kill()
    await this.server.end()
    if (!this.isKept) await rm(this.folder, { recursive: true, force: true })
  }
}
